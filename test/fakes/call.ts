import type { GenerateRequest } from '../../src/command/request.ts';
/**
 * A chat with the real desk, the real commands and real drafts, over ports that answer from plain data: the shortest
 * way to say "somebody types this, that happens".
 */

import { buttons } from '../../commands/buttons/index.ts';
import { commands } from '../../commands/index.ts';
import { defined } from '../../src/base/defined.ts';
import type { AliasDetails } from '../../src/command/aliases-port.ts';
import type { FilterOrder } from '../../src/command/catalog-port.ts';
import { type CommunitySettings, SIMPLE_SETTINGS, settingIn } from '../../src/command/community-settings.ts';
import { createDesk } from '../../src/command/desk/create-desk.ts';
import { createDrafts } from '../../src/command/desk/parts/draft-store.ts';
import { createEventsUnderWay } from '../../src/command/desk/parts/under-way.ts';
import type { Desk, Incoming, Suggestion } from '../../src/command/desk.ts';
import { UserError } from '../../src/command/errors.ts';
import type { JobSummary } from '../../src/command/jobs-port.ts';
import type { NewJobsPort } from '../../src/command/new-jobs-port.ts';
import type { Given } from '../../src/command/option.ts';
import type { PhotoRef } from '../../src/command/photo.ts';
import { type Caller, type Place, personKey } from '../../src/command/place.ts';
import type { DeskPorts } from '../../src/command/ports.ts';
import { isNote, jobAudience, type Meanwhile, type Reply } from '../../src/command/reply.ts';
import type { FilterChoice } from '../../src/command/request.ts';
import { comparableName } from '../../src/command/search/comparable-name.ts';
import { nameInLabel } from '../../src/command/search/complete.ts';
import { isTypo } from '../../src/command/search/fuzzy.ts';
import type { TrailEntry } from '../../src/command/settings-port.ts';
import type { CommunityStats } from '../../src/command/stats-port.ts';
import type { MonthUsage } from '../../src/command/usage-port.ts';
import { channelText, type Line, personText, type View } from '../../src/command/view.ts';
import { CommunityError, explainCommunityError } from '../../src/community/community-error.ts';
import type { SavedFaces } from '../../src/community/faces/saved-faces.ts';
import { languageOf } from '../../src/words/words.ts';
import { createFakeClock } from './clock.ts';
import { createRecords } from './records.ts';
import { createFacesInMemory } from './saved-faces.ts';

/** A photo that commands of tests are given. */
export const photo: PhotoRef = { from: 'web', ref: 'photo-1' };
/** Another photo, for commands that take two. */
export const photo2: PhotoRef = { from: 'web', ref: 'photo-2' };
/** The UUID by which `createFakeChat` knows a filter of nobody’s catalog, called Neon. */
export const uuid = '3f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f';

/** The person who types, unless a test says who does. */
export const ann: Caller = { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' };
/** Somebody else in the same room. */
export const bob: Caller = { platform: 'web', id: 'bob', name: 'Bob', locale: 'en' };
/** The common room, where a test’s people are unless it says otherwise. */
export const room: Place = { platform: 'web', community: 'web:room', channel: 'room', direct: false };
/** Ann’s direct chat with the bot. */
export const direct: Place = { platform: 'web', community: 'web:dm:ann', channel: 'dm', direct: true };

const lineText = (line: Line): string =>
  typeof line === 'string'
    ? line
    : line
        .map((span) => {
          if (typeof span === 'string') return span;
          if ('bold' in span) return span.bold;
          if ('code' in span) return span.code;
          if ('command' in span) return `/${span.command}`;
          if ('person' in span) return personText(span);
          if ('channel' in span) return channelText(span);
          return 'quote' in span ? span.quote : span.link;
        })
        .join('');

/** A view as plain text, without its buttons. */
export const viewText = (view: View): string =>
  [...(view.title === undefined ? [] : [view.title]), ...view.lines].map(lineText).join('\n');

/** The text of a reply of any kind, as a person reads it; empty without a reply. */
export const textOf = (reply: Reply | undefined): string => {
  if (reply === undefined) return '';
  if (isNote(reply)) return reply.text;
  if (reply.kind === 'remove') return reply.note;
  return (reply.kind === 'further-cards' ? reply.cards : [reply])
    .map(({ view }) => viewText(view))
    .join('\n');
};

const names: Readonly<Record<string, string>> = { '3': 'Travel Poster', '7': 'Noir', '12': 'Pop Art' };

type FakeJob = JobSummary & { readonly request: GenerateRequest; readonly result?: PhotoRef };
interface Generated {
  readonly request: GenerateRequest;
  readonly private: boolean;
  readonly event: string;
  readonly againOf?: string;
  readonly others?: readonly PhotoRef[];
}

const createState = () => ({
  moderators: new Set<string>(),
  blocked: new Set<string>(),
  /** Communities that no owner has approved. */
  unapproved: new Set<string>(),
  /** Communities for which the owners were asked. */
  asked: [] as string[],
  consented: new Set(['web:ann', 'web:bob']),
  bannedWords: [] as string[],
  now: Date.UTC(2026, 0, 5, 12),
  /** Moves what waits for a time; `now` stays. */
  timers: createFakeClock(),
  paused: undefined as { readonly reason: string; readonly lost?: true } | undefined,
  /** The only places where jobs are accepted; undefined: everywhere. */
  channels: undefined as readonly Place[] | undefined,
  /** The credits that everybody has used this month, for an owner. */
  month: undefined as MonthUsage | undefined,
  jobs: [] as FakeJob[],
  generated: [] as Generated[],
  did: [] as string[],
  errors: [] as unknown[],
  /** The platforms of events whose answers were timed, and the communities that were noticed. */
  timed: [] as string[],
  noticed: [] as string[],
  aliases: [] as readonly AliasDetails[],
  /** Whether the kind of a filter for which an alias is created is known. */
  isModelKnown: true,
  /** The audit trail, newest first. */
  trail: [{ at: Date.UTC(2026, 0, 5), who: 'ann', what: 'made a face swap' }] as readonly TrailEntry[],
  references: Object.entries(names).map(
    ([value, name]): Suggestion => ({ value, label: `${value} · ${name}` }),
  ) as readonly Suggestion[],
  /** Filters that come first. */
  order: { recent: [], used: [] } as FilterOrder,
  /** Is called when lists are asked for. */
  warm: (): void => undefined,
  settings: { blocked: [], bannedWords: [] } as CommunitySettings,
  stats: { timeZone: 'UTC', days: [], commands: [], filters: [], people: 0, failed: 0 } as CommunityStats,
  /** The saved faces; undefined: they are not switched on. */
  faces: undefined as SavedFaces | undefined,
  /** Names of people on the platform, by id. */
  names: {} as Readonly<Record<string, string>>,
  /** Replaces any port of the call. */
  ports: {} as Partial<DeskPorts>,
  /** The ports that commands have read. */
  portsRead: new Set<string | symbol>(),
  /** Replaces any function of the port that makes jobs. */
  newJobs: {} as Partial<NewJobsPort>,
  /** Whether the store says that the caller's data was deleted while the event was handled. */
  isErasedMeanwhile: false,
  /** Repeats work after a lost connection to the store. */
  retry: <T>(work: () => Promise<T>): Promise<T> => work(),
});
/** Everything that a test can look at and change behind the ports of `createFakeChat`. */
export type FakeState = ReturnType<typeof createState>;

const referenceIn = (text: string): FilterChoice => {
  if (text === uuid) return { by: 'uuid', id: uuid, name: 'Neon' };
  if (text === 'halloween') return { by: 'alias', id: 'alias-1', name: 'halloween' };
  const found = Object.entries(names).find(
    ([id, name]) => id === text || name.toLowerCase() === text.toLowerCase(),
  );
  if (found === undefined) throw new UserError(`no filter ${text}`);
  return { by: 'number', id: Number(found[0]), name: found[1] };
};

const facesOf = ({ faces }: FakeState) => {
  if (faces === undefined) throw new CommunityError({ code: 'face-off' });
  return faces;
};

const note = (text: string): Reply => ({ kind: 'note', text });

const portsFor = (state: FakeState, { caller, event, againOf, place }: Incoming): DeskPorts => {
  const me = personKey(caller);
  const act = async (what: string): Promise<void> => void state.did.push(what);
  const acted = async <T>(what: string, answer: T): Promise<T> => {
    state.did.push(what);
    return answer;
  };
  const aliasNamed = (name: string): AliasDetails => {
    const found = state.aliases.find((alias) => alias.name === name);
    if (found === undefined) throw new UserError(`no alias ${name}`);
    return found;
  };
  return {
    isModerator: async () => state.moderators.has(me),
    reference: async (text) => referenceIn(text),
    price: () => undefined,
    newJobs: {
      begun: async () => undefined,
      cost: () => 2,
      async make(request, { private: hidden, others = [] }) {
        state.generated.push({
          request,
          private: hidden,
          event,
          ...(others.length === 0 ? {} : { others }),
          ...defined({ againOf }),
        });
        const job = `job-${state.generated.length}`;
        return { kind: 'card', job, view: { tone: 'busy', lines: [] }, audience: jobAudience(hidden) };
      },
      ...state.newJobs,
    },
    catalog: {
      list: async (_catalog, search = '') =>
        Object.entries(names)
          .filter(([, name]) => name.toLowerCase().includes(search.toLowerCase()))
          .map(([reference, name]) => ({ reference, name, model: 'face' as const })),
      known: () => [],
      sheet: async () => undefined,
      order: async () => state.order,
    },
    jobs: {
      mine: async (limit) => state.jobs.filter(({ owner }) => owner === me).slice(0, limit),
      takeDown: async (id) => ({ kind: 'remove', note: `took down ${id}` }),
      async find(id) {
        const job = state.jobs.find((each) => each.id === id);
        return (
          job && {
            ...job,
            show: async () => note(`shown ${id}`),
            cancel: async () => note(`cancelled ${id}`),
            resultPhoto: async () => job.result,
            remove: async () => ({ kind: 'remove', note: `removed ${id}` }),
            report: async () => note(`reported ${id}`),
            share: async () => note(`shared ${id}`),
            compare: async () => note(`compared ${id}`),
            file: async () => note(`sent the file of ${id}`),
            unshare: async () => ({ kind: 'remove', note: `unshared ${id}` }),
            discard: async () => ({ kind: 'remove', note: `discarded ${id}` }),
          }
        );
      },
    },
    faceCheck: {
      isOn: true,
      check: async () => undefined,
      count: (event) => void state.did.push(`face check: ${event}`),
      prepare: () => undefined,
    },
    usage: {
      mine: async () => ({
        used: 12,
        reserved: 3,
        limit: 100,
        resetsAt: Date.UTC(2026, 0, 6),
        source: 'default' as const,
        granted: { used: 0, left: 0 },
      }),
      community: async () => ({ used: 40, reserved: 0, people: 4, jobs: 15, ceiling: 1000 }),
      month: async () => state.month,
    },
    aliases: {
      create: async (name, filter, model) =>
        state.isModelKnown || model !== undefined
          ? acted(`alias create ${name} ${filter} ${model ?? '-'}`, aliasNamed(name))
          : 'model-needed',
      list: async () => state.aliases,
      show: async (name) => aliasNamed(name),
      repoint: async (name, filter) => acted(`alias repoint ${name} ${filter}`, aliasNamed(name)),
      delete: (name) => act(`alias delete ${name}`),
      schedule: async (name, filter, from, until) =>
        acted(
          `alias schedule ${name} ${filter} ${from} ${until ?? '-'}`,
          aliasNamed(name).campaigns?.[0] ?? { label: filter, from: 0, state: 'coming', by: caller },
        ),
      unschedule: async (name) =>
        acted(`alias unschedule ${name}`, { taken: aliasNamed(name).campaigns?.length ?? 0, ended: false }),
    },
    faces: {
      list: async () => facesOf(state).list(me),
      find: async (by) => facesOf(state).find(me, by),
      save: async (name, ref, gender) =>
        facesOf(state).save(me, { name, jpeg: Buffer.from(JSON.stringify(ref)), ...defined({ gender }) }),
      delete: async (name) => facesOf(state).delete(me, name),
      setDefault: async (name) => facesOf(state).setDefault(me, name),
    },
    stats: { read: async () => state.stats, draw: async () => undefined },
    approvals: {
      isOpen: async () => !state.unapproved.has(place.community),
      isNeeded: state.unapproved.size > 0,
      approve: async (community = place.community) =>
        acted(`approve ${community}`, { community, changed: state.unapproved.delete(community) }),
      revoke: async (community = place.community) =>
        acted(`revoke ${community}`, { community, changed: !state.unapproved.has(community) }),
      decide: async (id, decision) => note(`${decision} ${id}`),
    },
    removals: {
      remove: (result, reason) =>
        acted(`remove ${result} ${reason}`, {
          messages: 1,
          remaining: 0,
          blanked: 0,
          unreachable: 0,
          unknown: 0,
          photos: 1,
          blocked: 'all',
          isKnown: false,
        }),
    },
    requests: { decide: async (id, decision) => note(`${decision} ${id}`) },
    held: {
      look: async (id) => note(`looked ${id}`),
      decide: async (id, decision) => note(`${decision} ${id}`),
    },
    reports: { decide: async (id, decision) => note(`${decision} ${id}`) },
    overview: {
      show: async () => undefined,
      back: async () => note('the overview'),
      entry: async (list, number) => note(`${list} ${number}`),
    },
    settings: {
      show: async () => ({
        ...state.settings,
        daily: state.settings.credits ?? 100,
        isDefault: state.settings.credits === undefined,
        grants: [],
      }),
      timeZone: async () => settingIn(state.settings, 'timeZone'),
      setCredits: (amount) => act(`credits ${amount}`),
      setAllowance: async (who, amount) =>
        acted(
          `allowance ${who} ${amount ?? '-'}`,
          state.settings.allowances?.some((each) => each.who === who) ?? false,
        ),
      grant: async (user, amount, reason) => acted(`grant ${user} ${amount} ${reason}`, amount),
      block: (user, reason) => act(`block ${user} ${reason}`),
      unblock: async (user) => state.settings.blocked.some((each) => each.user === user),
      pause: (reason) => act(`pause ${reason}`),
      resume: () => act('resume'),
      setLog: (on) => act(`log ${on}`),
      setChannels: async (where, channel) =>
        acted(
          `channels ${[where, channel].filter(Boolean).join(' ')}`,
          where === 'everywhere' ? undefined : state.channels,
        ),
      set: (name, value) => act(`${SIMPLE_SETTINGS[name].command} ${value}`),
      banWord: (word) => act(`ban ${word}`),
      allowWord: async (word) => state.settings.bannedWords.includes(word),
      nameOf: async (user) => state.names[user],
      recent: async (limit, { user, kind } = {}) =>
        state.trail
          .filter(({ who, what }) => who === (user ?? who) && what.startsWith(kind ?? ''))
          .slice(0, limit),
    },
    privacy: {
      keepsChat: false,
      checksContent: true,
      hasVisibleMark: true,
      keepsFaces: state.faces !== undefined,
      eraseMe: async () => ({ finished: true as const, jobs: 3 }),
      consented: async () => state.consented.has(me),
      consent: async () => void state.consented.add(me),
    },
    ...state.ports,
  };
};

/** Somebody in front of a desk without a platform: what they type and press, and what they are answered. */
export interface FakeChat {
  readonly state: FakeState;
  readonly desk: Desk;
  /** The last reply. */
  readonly last: Reply | undefined;
  /** Everything that was shown while an answer took long. */
  readonly meanwhile: readonly Meanwhile[];
  /** Another person, or the same one elsewhere, at the same desk. */
  as(caller: Caller, place?: Place): FakeChat;
  type(text: string, ...photos: readonly PhotoRef[]): Promise<string>;
  command(command: string, given: Given, subcommand?: string): Promise<string>;
  press(action: string): Promise<string>;
  /** Presses the button with this label in the last reply. */
  choose(label: string): Promise<string>;
}

/** The buttons of a reply, in reading order. */
export const buttonsOf = (reply: Reply | undefined) =>
  reply !== undefined && 'view' in reply ? (reply.view.buttons ?? []).flat() : [];
/** The labels of a reply’s buttons, in reading order. */
export const labelsOf = (reply: Reply | undefined) => buttonsOf(reply).map(({ label }) => label);

/** Opens a desk with all commands and buttons, but without platform, store or service, for tests of what commands answer. */
export const createFakeChat = (caller = ann, place = room, locale = caller.locale): FakeChat => {
  const state = createState();
  state.faces = createFacesInMemory({ now: () => state.now });
  let ids = 0;
  let events = 0;
  const desk = createDesk({
    retryAfterLoss: (work) => state.retry(work),
    underWay: createEventsUnderWay(),
    erasedMeanwhile: async ({ forgotten }) => state.isErasedMeanwhile || forgotten?.aborted === true,
    commands,
    buttons,
    drafts: createDrafts(createRecords()),
    gate: {
      unapproved: async (_who, { community }) => state.unapproved.has(community),
      blocked: async (who) => state.blocked.has(personKey(who)),
      language: async () => languageOf(state.settings.language ?? ''),
      async refusal(_who, _place, texts) {
        const { paused, channels } = state;
        if (paused !== undefined) return { code: 'paused', pause: paused };
        if (channels !== undefined) return { code: 'other-channel', channels };
        const isBanned = texts.some((text) => state.bannedWords.some((word) => text.includes(word)));
        return isBanned ? { code: 'banned-word' } : undefined;
      },
    },
    askOwners: ({ place: { community } }) => void state.asked.push(community),
    knownNames: {
      references: () => [state.references],
      knows: (_community, _catalog, _model, name) =>
        state.references.some(({ label }) => comparableName(nameInLabel(label)) === comparableName(name)),
      resembles: (_community, name) =>
        state.references.some(({ label }) =>
          isTypo(comparableName(name), comparableName(nameInLabel(label))),
        ),
      aliases: () => state.aliases.map(({ name }) => ({ value: name, label: name })),
      warm: async () => state.warm(),
    },
    savedFaces: async (who) => (await state.faces?.list(personKey(who))) ?? [],
    portsFor: (incoming) =>
      new Proxy(portsFor(state, incoming), {
        get(ports, name) {
          state.portsRead.add(name);
          return Reflect.get(ports, name);
        },
      }),
    hasJob: async (event) => state.generated.some((each) => each.event === event),
    cardShown: async () => undefined,
    resultShows: async (reply) => reply,
    resultShown: async () => undefined,
    noticed: ({ community }) => void state.noticed.push(community),
    answered: (platform) => void state.timed.push(platform),
    clock: { now: () => state.now, after: state.timers.after },
    newId: () => `draft-${++ids}`,
    explain: (error, words) =>
      error instanceof CommunityError ? explainCommunityError(error.reason, words) : error,
    onError: (error) => void state.errors.push(error),
  });
  const chatFor = (who: Caller, where: Place): FakeChat => {
    let last: Reply | undefined;
    const meanwhile: Meanwhile[] = [];
    const incoming = () => ({
      event: `event-${++events}`,
      caller: who,
      place: where,
      meanwhile: (shown: Meanwhile) => void meanwhile.push(shown),
    });
    const keep = async (reply: Reply | undefined): Promise<string> => {
      last = reply;
      if (reply?.kind === 'card')
        await desk.cardShown(reply.job, { platform: where.platform, ref: reply.job });
      return textOf(reply);
    };
    const press = async (action: string): Promise<string> =>
      keep(await desk.press({ ...incoming(), action }));
    return {
      state,
      desk,
      meanwhile,
      get last() {
        return last;
      },
      as: (other, elsewhere = where) => chatFor(other, elsewhere),
      type: async (text, ...photos) => keep(await desk.text({ ...incoming(), text, photos })),
      command: async (command, given, subcommand) =>
        keep(await desk.command({ ...incoming(), command, given, ...defined({ subcommand }) })),
      press,
      choose: (label) => {
        const button = buttonsOf(last).find((each) => each.label === label);
        if (button === undefined)
          throw new Error(`no button "${label}" among: ${buttonsOf(last).map((each) => each.label)}`);
        return press(button.action);
      },
    };
  };
  return chatFor({ ...caller, locale }, place);
};
