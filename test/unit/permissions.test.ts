import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buttons } from '../../commands/buttons/index.ts';
import { commands } from '../../commands/index.ts';
import type { Adapter } from '../../src/adapters/adapter.ts';
import {
  callerFor,
  directRoom,
  moderates,
  people,
  personWith,
  placeIn,
  rooms,
  roomWith,
} from '../../src/adapters/web/visitors/people.ts';
import type { Action, Command } from '../../src/command/command.ts';
import type { Given, Option } from '../../src/command/option.ts';
import { type Caller, type Place, personKey } from '../../src/command/place.ts';
import type { Reply } from '../../src/command/reply.ts';
import type { View } from '../../src/command/view.ts';
import type { Platform } from '../../src/platforms/platforms.ts';
import { wordsFor } from '../../src/words/words.ts';
import { unused } from '../fakes/adapter.ts';
import { textOf } from '../fakes/call.ts';
import {
  callers,
  home,
  isModerator,
  type Kind,
  kinds,
  other,
  placeOf,
  type Where,
  wheres,
} from '../fakes/callers.ts';
import { createTestCore, type TestCore } from '../fakes/core.ts';
import { jpeg } from '../fakes/pictures.ts';
import { buttonRules, commandRules, ownersWord } from './permission-rules.ts';

/**
 * Who may do what, where: every command and every button × every kind of caller × every kind of place. A command or a
 * button that has no rule here fails the first test.
 */

const words = wordsFor('en');
let core: TestCore;
/** Strangers reach its playground. */
let reachable: TestCore;
let said: View | undefined;

const say: Adapter['say'] = async (_, view) => {
  said = view;
  return { state: 'drawn' };
};

const isWebModerator: Adapter['isModerator'] = async (caller, place) => {
  const person = personWith(caller.id);
  const room = roomWith(place.channel);
  return person !== undefined && room !== undefined && moderates(person, room);
};

/** How often a platform was asked whether somebody is a moderator. */
let platformWasAsked = 0;

/** One event of a person asks the platform once at most, however many parts of the program check the permission. */
const asOneEvent = async <T>(event: () => Promise<T>): Promise<T> => {
  platformWasAsked = 0;
  const result = await event();
  expect(platformWasAsked, 'questions to the platform').toBeLessThanOrEqual(1);
  return result;
};

beforeAll(async () => {
  core = await createTestCore({
    owners: [personKey(callers.owner)],
    isModerator(caller, place) {
      platformWasAsked += 1;
      return (place.platform === 'web' ? isWebModerator : isModerator)(caller, place);
    },
    say,
    async photo({ ref }) {
      if (ref !== unpeopled.ref) throw new Error('the photo cannot be fetched, so it is not checked');
      return jpeg();
    },
    finder: {
      find: async () => [],
      cutOut: unused,
      content: unused,
      warm: () => true,
      isClosed: false,
      pids: () => [],
      close: unused,
    },
  });
  await clear(core, []);
  reachable = await createTestCore({ host: '0.0.0.0', isModerator: isWebModerator });
});

/** As at the beginning: one person is blocked, and nobody has set anything else. */
const clear = async (on: TestCore, all: readonly string[]): Promise<void> => {
  await on.clearSettings(all);
  if (on === core) await on.rules.block(`discord:${home}`, callers.blocked.id, 'spam');
};

afterAll(async () => {
  await core.close();
  await reachable.close();
});

const photo = { from: 'discord', ref: '{}' } as const;
/** Nobody is in it. */
const unpeopled = { from: 'discord', ref: '{"of":"nobody"}' } as const;

const valueFor = (option: Option, platform: Platform): Given[string] => {
  switch (option.kind) {
    case 'image':
      return photo;
    case 'choice':
      return option.choices[0] ?? '';
    case 'flag':
      return false;
    case 'integer':
      return option.max;
    case 'reference':
      return option.catalog === 'mine' ? core.filter : '1';
    case 'user':
      return platform === 'web' ? 'bob' : '77';
    case 'time':
      return '2999-01-01';
    case 'time-zone':
      return 'Europe/Berlin';
    default:
      return 'name';
  }
};

/** The options that must be given, and no others. */
const givenFor = (action: Action, platform: Platform): Given =>
  Object.fromEntries(
    Object.entries(action.options)
      .filter(([, option]) => option.required)
      .map(([name, option]) => [name, valueFor(option, platform)]),
  );

const everywhere = kinds.flatMap((kind) => wheres.map((where) => [kind, where] as const));

interface Subject {
  readonly command: Command;
  readonly name: string | undefined;
  readonly action: Action;
}

const subjects: readonly Subject[] = commands.flatMap((command): Subject[] =>
  command.action === undefined
    ? Object.entries(command.subcommands ?? {}).map(([name, action]) => ({ command, name, action }))
    : [{ command, name: undefined, action: command.action }],
);

const nameOf = ({ command, name }: Subject): string =>
  name === undefined ? command.name : `${command.name} ${name}`;

/** What has no rule fails one test, which says so, instead of those that ask for its rule. */
const hasRule = (subject: Subject): boolean => Object.hasOwn(commandRules, nameOf(subject));
const ruled = subjects.filter(hasRule);
const ruledButtons = buttons.filter(({ verb }) => Object.hasOwn(buttonRules, verb));

it.each([
  { what: 'commands', existing: subjects.map(nameOf), named: Object.keys(commandRules) },
  { what: 'buttons', existing: buttons.map(({ verb }) => verb), named: Object.keys(buttonRules) },
])('there is a rule for all $what, and none for what does not exist', ({ what, existing, named }) => {
  const missing = existing.filter((name) => !named.includes(name));
  expect(
    missing,
    `${what} that are not in test/unit/permission-rules.ts: say there who may use them`,
  ).toEqual([]);

  const unknown = named.filter((name) => !existing.includes(name));
  expect(unknown, `${what} that no longer exist: remove them from test/unit/permission-rules.ts`).toEqual([]);
});

const refusals = {
  'moderators only': words.gate.moderatorsOnly,
  'owners only': words.approval.ownersOnly,
  'owner’s word': words.communityErrors['owners-word'],
  blocked: words.gate.blocked,
  'not yours': words.press.notYours,
  'not found': words.press.notFound,
} as const;

type Refused = keyof typeof refusals;
type Verdict = 'allowed' | Refused;
const refused = Object.keys(refusals) as readonly Refused[];

const verdictOf = (reply: Reply): Verdict => {
  const text = textOf(reply);
  expect(text).not.toBe(words.somethingBroke);
  expect(text).not.toBe(words.press.stale);
  return refused.find((verdict) => refusals[verdict] === text) ?? 'allowed';
};

let events = 0;

const incoming = (caller: Caller, place: Place) => {
  events += 1;
  return { event: `discord:${events}`, caller, place };
};

const ids = [home, other, ...kinds.map((kind) => `dm:${callers[kind].id}`)];
const communities = ids.map((id) => `discord:${id}`);

/** Settings that are only read; and `remove`, which finds no such result here (`test/unit/app/jobs/removals.test.ts`). */
const unchanging = ['settings show', 'settings stats', 'settings log', 'settings remove'];
/** A moderator's change leaves a line in the trail of the community that was changed. */
const settingsChanged = Object.keys(commandRules).filter(
  (name) => name.startsWith('settings ') && !unchanging.includes(name),
);

it('the channels of a community are suggested to its moderators only', async () => {
  const place = placeOf('the server', callers.moderator);

  await core.rules.setChannels(place.community, 'here', place);
  const asked = { place, command: 'settings', subcommand: 'channels', option: 'channel', typed: '' };
  const told: Kind[] = [];
  for (const kind of kinds)
    if ((await core.desk.complete({ ...asked, caller: callers[kind] }, 25)).length > 0) told.push(kind);
  await core.rules.setChannels(place.community, 'everywhere', place);

  expect(told).toEqual(['moderator', 'owner']);
});

/** The state kept about each community, as it was read last. It is read again only where something may have changed. */
const known = new Map<TestCore, Map<string, string>>();

const read = async (on: TestCore, all: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const [parts] = JSON.parse(await on.state(all)) as readonly [readonly unknown[]];
  return new Map(all.map((community, index) => [community, JSON.stringify(parts[index])]));
};

/** Whoever may act, acts where they stand and nowhere else. `touched`: where somebody acted before. */
const expectVerdict = async (
  on: TestCore,
  subject: Subject,
  [caller, place]: readonly [Caller, Place],
  due: Verdict,
  all: readonly string[],
  touched: readonly string[] = [],
): Promise<void> => {
  // A moderator's attempt against an owner's word leaves only a line in the trail.
  const leavesLine = due === 'allowed' || due === 'owner’s word';
  const elsewhere = all.filter((each) => !leavesLine || each !== place.community);
  const before = known.get(on) ?? new Map<string, string>();
  known.set(on, before);
  const unread = all.filter((each) => touched.includes(each) || !before.has(each));
  if (unread.length > 0) for (const [each, text] of await read(on, unread)) before.set(each, text);
  const rules = await on.rules.show(place.community);
  const { command, name: subcommand, action } = subject;
  const reply = await asOneEvent(() =>
    on.desk.command({
      ...incoming(caller, place),
      command: command.name,
      given: givenFor(action, place.platform),
      ...(subcommand === undefined ? {} : { subcommand }),
    }),
  );
  expect(verdictOf(reply)).toBe(due);
  const after = await read(on, elsewhere);
  for (const each of elsewhere) expect(after.get(each), each).toBe(before.get(each));
  if (due !== 'allowed') expect(await on.rules.show(place.community)).toEqual(rules);
  // In a direct chat of the playground there is nobody to name.
  const isAudited = settingsChanged.includes(nameOf(subject)) && !(place.platform === 'web' && place.direct);
  if (due === 'allowed' && isAudited)
    expect(await on.latest(place.community)).toBe(
      `${personKey(caller)} ${nameOf(subject).replace(' ', '.')}`,
    );
  // A pause, block or setting by an owner is undone for the next test.
  const changed = [...touched, ...(leavesLine ? [place.community] : [])];
  if (changed.length > 0) await clear(on, changed);
  for (const each of changed) before.delete(each);
};

describe.each(ruled.map((subject) => [nameOf(subject), subject] as const))('/%s', (name, subject) => {
  const expected = (kind: Kind, where: Where): Verdict => {
    const rule = commandRules[name];
    if (rule === 'moderators' || rule === 'owners') {
      const moderates = rule === 'owners' ? 'owners only' : 'allowed';
      if (kind === 'owner') return 'allowed';
      if (kind === 'moderator' && where === 'the server') return moderates;
      if (kind === 'moderator of another community' && where === 'another server') return moderates;
      return kind === 'blocked' && where === 'the server' ? 'blocked' : 'moderators only';
    }
    return kind === 'blocked' && where === 'the server' && rule === 'everyone' ? 'blocked' : 'allowed';
  };

  it.each(everywhere)(`/${name} by %s in %s`, async (kind, where) => {
    const caller = callers[kind];
    const at = [caller, placeOf(where, caller)] as const;
    await expectVerdict(core, subject, at, expected(kind, where), communities);
  });

  const word = ownersWord.filter(([command]) => command === name);

  describe.each(word)('%s, after an owner’s %s', (_, after) => {
    it.each(everywhere)(`/${name} by %s in %s after an owner’s ${after}`, async (kind, where) => {
      const bound = subjects.find((each) => nameOf(each) === after);

      if (bound === undefined) throw new Error(`no /${after}`);
      const servers = (['the server', 'another server'] as const).map((there) =>
        placeOf(there, callers.owner),
      );
      for (const there of servers)
        await core.desk.command({
          ...incoming(callers.owner, there),
          command: bound.command.name,
          given: {
            ...givenFor(bound.action, 'discord'),
            ...('amount' in bound.action.options ? { amount: 5 } : {}),
          },
          ...(bound.name === undefined ? {} : { subcommand: bound.name }),
        });
      const usual = expected(kind, where);
      const caller = callers[kind];
      const due = usual === 'allowed' && kind !== 'owner' ? 'owner’s word' : usual;
      const touched = servers.map(({ community }) => community);

      await expectVerdict(core, subject, [caller, placeOf(where, caller)], due, communities, touched);
    });
  });
});

describe('in the playground', () => {
  const all = rooms.map((room) => placeIn(room).community);
  // The other one is blocked by them.
  const visitors = people.filter(({ id }) => id !== 'bob');

  const owners = [
    ['on this machine or behind a password', () => core, 'allowed'],
    ['where strangers reach it', () => reachable, 'owners only'],
  ] as const;

  const restricted = ruled.filter((subject) => !commandRules[nameOf(subject)]?.startsWith('everyone'));

  describe.each(restricted.map((subject) => [nameOf(subject), subject] as const))('/%s', (name, subject) => {
    const isForOwners = commandRules[name] === 'owners';

    it.each(
      visitors.flatMap((person) =>
        ['studio', 'their direct chat'].map((where) => [person.id, where, person] as const),
      ),
    )(`/${name} in the playground by %s in %s`, async (_id, where, person) => {
      const room = roomWith(where) ?? directRoom(person);
      const at = [callerFor(person, 'en'), placeIn(room)] as const;
      const due = moderates(person, room) ? (isForOwners ? 'owners only' : 'allowed') : 'moderators only';

      await expectVerdict(core, subject, at, person.role === 'owner' ? 'allowed' : due, all);
      // There, who calls herself the owner is nobody.
      await expectVerdict(reachable, subject, at, due, all);
    });
  });

  describe.each(['approve', 'dismiss'])('the button %s', (verb) => {
    it.each(
      owners.flatMap(([where, on, due]) =>
        visitors.map((person) => [person.id, where, person, on, due] as const),
      ),
    )(`the button ${verb} in the playground by %s %s`, async (_id, _where, person, on, due) => {
      const place = placeIn(directRoom(person));

      events += 1;
      const community = `discord:${events + 1_000}`;
      const asked = await on().approvals.ask(community, { place: { ...place, community }, locale: 'en' });
      const before = await on().state([community]);
      const action = `${verb}:${asked?.id}`;
      const reply = await on().desk.press({ ...incoming(callerFor(person, 'en'), place), action });
      const verdict = verdictOf(reply);

      expect(verdict).toBe(person.role === 'owner' ? due : 'owners only');

      if (verdict !== 'allowed') expect(await on().state([community])).toBe(before);
    });
  });
});

describe.each(ruledButtons.map(({ verb, about }) => [verb, about] as const))(
  'the button %s (%s)',
  (verb, about) => {
    const requester = callers.member;
    const there = placeOf('the server', requester);

    const makeJob = async (): Promise<string> => {
      const reply = await core.desk.command({
        ...incoming(requester, there),
        command: 'faceswap',
        given: { photo, filter: '3', gender: 'female' },
      });
      if (reply.kind !== 'card') throw new Error(`no job: ${textOf(reply)}`);
      return reply.job;
    };

    /** Reported by somebody else; the owners are told. */
    const makeReport = async (): Promise<string> => {
      const job = await makeJob();
      await core.become(job, 'done');
      await core.desk.press({ ...incoming(callers['demoted moderator'], there), action: `report:${job}` });
      return said?.buttons?.flat()[0]?.action.split(':')[1] ?? '';
    };

    const makeDraft = async (): Promise<string> => {
      const reply =
        verb === 'do'
          ? await core.desk.text({
              ...incoming(requester, placeOf('a direct message', requester)),
              text: '',
              photos: [photo],
            })
          : await core.desk.command({
              ...incoming(requester, there),
              command: 'faceswap',
              given: verb === 'look' ? { photo: unpeopled, prompt: 'a boat' } : { photo, gender: 'male' },
            });
      const view = reply !== undefined && 'view' in reply ? reply.view : undefined;
      const action = view?.buttons?.flat()[0]?.action ?? '';
      return action.split(':')[1] ?? '';
    };

    /** Makes a community that asks the owners for an approval. */
    const makeRequest = async (): Promise<string> => {
      const community = `discord:${events + 1_000}`;
      const asking = { place: { ...there, community }, locale: 'en', person: 'Ann' };
      const asked = await core.approvals.ask(community, asking);
      return asked?.id ?? '';
    };

    const makeRemovalRequest = async (): Promise<string> => {
      events += 1;
      const id = `request-of-somebody-${(events % 90) + 10}`;
      const asked = {
        at: Date.now(),
        from: String(events),
        contact: 'a',
        about: 'b',
        link: 'https://x.test/1/2',
      };
      await core.requests.page.add(id, asked);
      return id;
    };

    const makeHeld = async (): Promise<string> => {
      const id = await makeJob();
      await core.become(id, 'held');
      return id;
    };

    const make = {
      held: makeHeld,
      job: makeJob,
      report: makeReport,
      draft: makeDraft,
      request: makeRemovalRequest,
      approval: makeRequest,
      overview: async () => 'all',
    }[about];

    const details: Readonly<Record<string, string>> = {
      pick: ':filter:3',
      look: ':anyway',
      ask: ':prompt',
      page: ':1',
      use: ':f:3',
      do: ':faceswap',
    };

    const press = async (caller: Caller, place: Place) => {
      const id = await make();
      const job = about === 'job' ? id : undefined;
      // A press acts where its job or draft lives, or begins something where it was made.
      const own = placeOf('a direct message', requester).community;
      const reach = [there.community, place.community, ...(verb === 'do' ? [own] : [])];
      const elsewhere = communities.filter((each) => !reach.includes(each));
      const state = async () => [await core.state(reach, job), await core.state(elsewhere)] as const;
      const [before, outside] = await state();
      const action = `${verb}:${id}${details[verb] ?? ''}`;
      const reply = await asOneEvent(() => core.desk.press({ ...incoming(caller, place), action }));
      const [after, outsideAfter] = await state();
      expect(outsideAfter).toBe(outside);
      return { verdict: verdictOf(reply), before, after };
    };

    const expected = (kind: Kind, where: Where): Verdict => {
      if (about === 'approval' || about === 'request') {
        if (kind === 'owner') return 'allowed';
        return kind === 'blocked' && where === 'the server' ? 'blocked' : 'owners only';
      }
      if (about === 'overview') {
        if (kind === 'owner') return where === 'a direct message' ? 'allowed' : 'not found';
        return kind === 'blocked' && where === 'the server' ? 'blocked' : 'owners only';
      }
      if (about === 'held') {
        // The permission is that of the job's own place, wherever the button is pressed.
        return kind === 'owner' || kind === 'moderator' ? 'allowed' : 'moderators only';
      }
      if (about === 'report') {
        if (kind === 'owner')
          return where === 'the server' || where === 'a direct message' ? 'allowed' : 'not found';
        if (kind === 'moderator' && where === 'the server') return 'allowed';
        if (kind === 'moderator of another community' && where === 'another server') return 'not found';
        return kind === 'blocked' && where === 'the server' ? 'blocked' : 'moderators only';
      }
      if (kind === 'member') return 'allowed';
      if (about === 'draft') return 'not yours';
      if (where !== 'the server') return 'not found';
      const { may, openToBlocked } = buttonRules[verb] ?? {};
      if (may === 'everyone') return kind === 'blocked' && !openToBlocked ? 'blocked' : 'allowed';
      const moderates = kind === 'moderator' || kind === 'owner';
      return may === 'requester or moderator' && moderates ? 'allowed' : 'not yours';
    };

    it.each(everywhere)(`the button ${verb} (${about}) by %s in %s`, async (kind, where) => {
      const caller = callers[kind];
      const { verdict, before, after } = await press(caller, placeOf(where, caller));
      expect(verdict).toBe(expected(kind, where));

      // One of the people who may press it has blocked the requester.
      await core.rules.unblock(`discord:${home}`, requester.id);
      if (verdict !== 'allowed') expect(after).toBe(before);
    });

    it(`the button ${verb} (${about}) by its requester, who was blocked meanwhile`, async () => {
      const id = await make();
      await core.rules.block(`discord:${home}`, requester.id, '');
      const action = `${verb}:${id}${details[verb] ?? ''}`;
      const reply = await core.desk.press({ ...incoming(requester, there), action });
      await core.rules.unblock(`discord:${home}`, requester.id);
      // A bare photo was sent in private, where nobody is blocked.
      const stopped = buttonRules[verb]?.openToBlocked !== true && verb !== 'do';

      const otherwise = about === 'held' ? 'moderators only' : 'allowed';
      expect(verdictOf(reply)).toBe(stopped ? 'blocked' : otherwise);
    });

    if (verb === 'share')
      it('the button share by its requester in a direct message, who was blocked where the result would be shown', async () => {
        const id = await make();
        const action = `share:${id}`;
        const inPrivate = placeOf('a direct message', requester);

        await core.rules.block(`discord:${home}`, requester.id, '');
        const whileBlocked = await core.desk.press({ ...incoming(requester, inPrivate), action });
        await core.rules.unblock(`discord:${home}`, requester.id);
        const afterwards = await core.desk.press({ ...incoming(requester, inPrivate), action });

        expect(verdictOf(whileBlocked)).toBe('blocked');
        expect(verdictOf(afterwards)).toBe('allowed');
      });
  },
);

it('no internal error occurred while all commands and buttons were tried', () => {
  expect([...core.errors, ...reachable.errors]).toEqual([]);
});
