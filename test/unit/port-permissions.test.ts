import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeskPorts } from '../../src/command/ports.ts';
import { CommunityError } from '../../src/community/community-error.ts';
import { wordsFor } from '../../src/words/words.ts';
import { callers, home, isModerator, type Kind, placeOf } from '../fakes/callers.ts';
import { createTestCore, type TestCore } from '../fakes/core.ts';

/**
 * What changes or shows what is a moderator's or an owner's checks the permission itself, whatever the desk has checked before:
 * every port is called here by those who may and by those who may not. The compiler demands a row for a port that is added.
 */

/** `call`: what only they may do, with values that are accepted. A text says why anybody may call it. */
type Rule =
  | { readonly may: 'moderators' | 'owners'; readonly call: (ports: DeskPorts) => Promise<unknown> }
  | { readonly anybody: string };

type RulesOf<Port> = {
  readonly [Method in keyof Port as Port[Method] extends (...given: never[]) => unknown
    ? Method
    : never]: Rule;
};

const anybody = (why: string): Rule => ({ anybody: why });
const moderators = (call: (ports: DeskPorts) => Promise<unknown>): Rule => ({ may: 'moderators', call });
const owners = (call: (ports: DeskPorts) => Promise<unknown>): Rule => ({ may: 'owners', call });

const own = anybody('the caller’s own');
const harmless = anybody('changes nothing, and shows what everybody may see');
const judgedHere = anybody(
  'it is refused outside of an owner’s direct chat, which `permissions.test.ts` tests',
);
const judged = anybody('the desk checks each press against the job (`judgePress`)');

const rules = {
  commands: {
    isModerator: harmless,
    reference: harmless,
    price: harmless,
  } satisfies RulesOf<DeskPorts>,
  newJobs: { begun: own, make: own, cost: harmless } satisfies RulesOf<DeskPorts['newJobs']>,
  catalog: {
    list: harmless,
    known: harmless,
    order: own,
    sheet: harmless,
  } satisfies RulesOf<DeskPorts['catalog']>,
  jobs: { mine: own, find: judged, takeDown: judged } satisfies RulesOf<DeskPorts['jobs']>,
  usage: {
    mine: own,
    community: moderators(({ usage }) => usage.community()),
    month: anybody('there is nothing for anybody but owners, which is tested with what they get'),
  } satisfies RulesOf<DeskPorts['usage']>,
  aliases: {
    create: moderators(({ aliases }) => aliases.create('halloween', core.filter)),
    list: moderators(({ aliases }) => aliases.list()),
    show: moderators(({ aliases }) => aliases.show('halloween')),
    repoint: moderators(({ aliases }) => aliases.repoint('halloween', core.filter)),
    schedule: moderators(({ aliases }) => aliases.schedule('halloween', core.filter, '2999-01-01')),
    unschedule: moderators(({ aliases }) => aliases.unschedule('halloween')),
    delete: moderators(({ aliases }) => aliases.delete('halloween')),
  } satisfies RulesOf<DeskPorts['aliases']>,
  faces: { list: own, find: own, save: own, delete: own, setDefault: own } satisfies RulesOf<
    DeskPorts['faces']
  >,
  faceCheck: { check: own, count: harmless, prepare: harmless } satisfies RulesOf<DeskPorts['faceCheck']>,
  settings: {
    show: moderators(({ settings }) => settings.show()),
    timeZone: harmless,
    setCredits: moderators(({ settings }) => settings.setCredits(5)),
    setAllowance: moderators(({ settings }) => settings.setAllowance('77', 5)),
    grant: moderators(({ settings }) => settings.grant('77', 5, 'won')),
    block: moderators(({ settings }) => settings.block('77', 'spam')),
    unblock: moderators(({ settings }) => settings.unblock('77')),
    pause: moderators(({ settings }) => settings.pause('later')),
    resume: moderators(({ settings }) => settings.resume()),
    setLog: moderators(({ settings }) => settings.setLog(true)),
    setChannels: moderators(({ settings }) => settings.setChannels('here')),
    set: moderators(({ settings }) => settings.set('timeZone', 'Europe/Berlin')),
    banWord: moderators(({ settings }) => settings.banWord('grue')),
    allowWord: moderators(({ settings }) => settings.allowWord('grue')),
    nameOf: moderators(async ({ settings }) => (await settings.nameOf('77')) ?? nobody()),
    recent: moderators(({ settings }) => settings.recent(5)),
  } satisfies RulesOf<DeskPorts['settings']>,
  privacy: { eraseMe: own, consented: own, consent: own } satisfies RulesOf<DeskPorts['privacy']>,
  held: {
    look: moderators(({ held }) => held.look('none')),
    decide: moderators(({ held }) => held.decide('none', 'show')),
  } satisfies RulesOf<DeskPorts['held']>,
  reports: {
    decide: moderators(({ reports }) => reports.decide('none', 'dismiss')),
  } satisfies RulesOf<DeskPorts['reports']>,
  removals: {
    remove: moderators(({ removals }) => removals.remove('none', '')),
  } satisfies RulesOf<DeskPorts['removals']>,
  requests: {
    decide: owners(({ requests }) => requests.decide('none', 'nothing')),
  } satisfies RulesOf<DeskPorts['requests']>,
  overview: {
    show: anybody(
      'there is nothing for anybody but owners in a direct chat, which is tested with what they get',
    ),
    back: judgedHere,
    entry: judgedHere,
  } satisfies RulesOf<DeskPorts['overview']>,
  stats: {
    read: moderators(({ stats }) => stats.read()),
    draw: harmless,
  } satisfies RulesOf<DeskPorts['stats']>,
  approvals: {
    isOpen: harmless,
    approve: owners(({ approvals }) => approvals.approve()),
    revoke: owners(({ approvals }) => approvals.revoke()),
    decide: owners(({ approvals }) => approvals.decide('none', 'approve')),
  } satisfies RulesOf<DeskPorts['approvals']>,
} satisfies Readonly<Record<Port | 'commands', unknown>>;

/** Names of the ports that are not one function. */
type Port = {
  [Name in keyof DeskPorts]: DeskPorts[Name] extends (...given: never[]) => unknown ? never : Name;
}[keyof DeskPorts];

const nobody = (): never => {
  throw new CommunityError({ code: 'not-moderator' });
};

const words = wordsFor('en');
const refusals: readonly string[] = [words.gate.moderatorsOnly, words.approval.ownersOnly];

const noteIn = (answer: unknown): string =>
  typeof answer === 'object' && answer !== null && 'text' in answer ? String(answer.text) : '';

/** Whether the caller was told that they may not; other errors mean that they may. */
const isRefused = async (call: () => Promise<unknown>): Promise<boolean> => {
  try {
    return refusals.includes(noteIn(await call()));
  } catch (error) {
    if (!(error instanceof CommunityError)) throw error;
    return ['not-moderator', 'not-owner'].includes(error.reason.code);
  }
};

let core: TestCore;

beforeAll(async () => {
  core = await createTestCore({
    owners: ['discord:3'],
    isModerator,
    personName: async () => 'Ann',
    say: async () => ({ state: 'drawn' }),
  });
});

afterAll(() => core.close());

let events = 0;

const portsOf = (kind: Kind): DeskPorts => {
  events += 1;
  const caller = callers[kind];
  return core.portsFor({ event: `event-${events}`, caller, place: placeOf('the server', caller) });
};

const community = `discord:${home}`;

const guarded = Object.entries(rules).flatMap(([port, methods]) =>
  Object.entries<Rule>(methods).flatMap(([method, rule]) =>
    'call' in rule ? [{ name: `${port}.${method}`, ...rule }] : [],
  ),
);

describe.each(guarded)('the port $name, for $may', ({ name, may, call }) => {
  const refused: readonly Kind[] = ['member', 'moderator of another community', 'demoted moderator'];

  it.each(may === 'owners' ? [...refused, 'moderator' as const] : refused)(
    `the port ${name} refuses a %s, and nothing is changed or written`,
    async (kind) => {
      const before = await core.state([community]);
      expect(await isRefused(() => call(portsOf(kind)))).toBe(true);
      expect(await core.state([community])).toBe(before);
    },
  );

  it.each(may === 'owners' ? ['owner' as const] : ['moderator' as const, 'owner' as const])(
    `the port ${name} refuses no %s`,
    async (kind) => expect(await isRefused(() => call(portsOf(kind)))).toBe(false),
  );
});
