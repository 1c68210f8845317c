/** Messages to owners about communities that ask, and to the log channel of a community. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  approvalNoticeRecordRules,
  createApprovalNotices,
} from '../../../../src/app/notices/approval-notices.ts';
import { createLogChannel } from '../../../../src/app/notices/log-channel.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import type { Caller, Place } from '../../../../src/command/place.ts';
import type { View } from '../../../../src/command/view.ts';
import { approvalRecordRules, createApprovals } from '../../../../src/community/approvals/approvals.ts';
import { createLog } from '../../../../src/log/log.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { languages } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { viewText } from '../../../fakes/call.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const olga: Caller = { platform: 'telegram', id: '1', name: 'telegram:1', locale: 'en' };
const otto: Caller = { ...olga, id: '2' };
const log = createLog({ level: 'silent', secrets: [] });
let store: Store;

beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:', keys: [] });
});

afterEach(() => store.close());

/** An asker whom the platform does not name. */
const nobody = 'nobody';

interface Said {
  readonly who: string;
  readonly text: string;
}

/** A process with all that the owners were told, and how often the platform was asked about a community. */
const start = (clock = createFakeClock(), said: Said[] = []) => {
  let lookups = 0;
  const telegram = {
    ...idleAdapter,
    platform: 'telegram' as const,
    communityInfo: async () => {
      lookups += 1;
      return { name: 'Photo\n club', members: 12 };
    },
    say: async (to: object, view: Parameters<typeof viewText>[0]) => {
      const who = 'caller' in to ? (to.caller as Caller).id : '';
      said.push({ who, text: viewText(view) });
      if (who === otto.id) throw new Error('has never written to the bot');
      return { state: 'drawn' as const };
    },
  };
  let ids = 0;
  const approvals = createApprovals(store.keyv('approvals', approvalRecordRules), clock.now, () => {
    ids += 1;
    return `id-${ids}`;
  });
  const platforms = createPlatformRegistry([telegram]);
  const ask = createApprovalNotices(
    { platforms, owners: { people: [otto, olga], words: languages.en }, clock, log },
    approvals,
    store.keyv('approval-notices', approvalNoticeRecordRules),
  );
  /** A person asks for a community; each community has its own asker, unless another one is named, or `nobody`. */
  const asks = (chat: number, { person = 'Ann', asker = `telegram:${chat}` } = {}) =>
    ask({
      ...(asker === nobody ? {} : { asker }),
      place: { platform: 'telegram', community: `telegram:-${chat}`, channel: `-${chat}`, direct: false },
      locale: 'en',
      person,
    });
  const to = (who: Caller) => said.filter((each) => each.who === who.id).map(({ text }) => text);
  return { clock, said, asks, to, ask, approvals, lookups: () => lookups };
};

it('a notice has all that is known, and an owner who cannot be reached stops no other', async () => {
  const { asks, to } = start();

  asks(5);
  const [notice = ''] = await eventually(() => to(olga).length === 1 && to(olga), 'the notice');

  for (const words of ['Photo club', 'telegram:-5', 'Members: 12', 'Used first by Ann'])
    expect(notice).toContain(words);
  expect(to(otto)).toHaveLength(1);
});

it('the notice of a community whose request could not be stored comes with its next event', async () => {
  const { asks, to, approvals } = start();
  const { ask } = approvals;
  const failed = Promise.withResolvers<void>();

  approvals.ask = async () => {
    approvals.ask = ask;
    failed.resolve();
    throw new Error('the disk is full');
  };
  asks(5);
  await failed.promise;
  await eventually(() => {
    asks(5);
    return to(olga).length === 1;
  }, 'the notice');
});

it('the notice of one community comes once a day, also after a restart', async () => {
  const first = start();

  for (let times = 0; times < 5; times += 1) first.asks(5);
  await eventually(() => first.to(olga).length === 1, 'the notice');
  const next = start(first.clock, first.said);
  next.asks(5);
  next.asks(6);
  await eventually(() => next.to(olga).length === 2, 'the notice of the other');
  next.clock.leap(86_400_000);
  next.asks(5);
  await eventually(() => next.to(olga).length === 3, 'the notice of the next day');

  expect(next.to(olga)[2]).toContain('telegram:-5');
});

it('of a flood of communities there are twenty notices a day, then their number, and the platform is asked as seldom', async () => {
  const process = start();
  const all = (from: number, count: number) => {
    for (let chat = from; chat < from + count; chat += 1) process.asks(chat);
  };

  all(100, 900);
  const last = '512 more ask to use this bot today';
  await eventually(() => process.to(olga).at(-1)?.includes(last), last);
  // Communities that do not fit are dropped, and ask again at their next event.
  all(1000, 3000);

  expect(process.to(olga).length).toBeLessThanOrEqual(20 + 12);
  expect(process.lookups()).toBe(20);
  expect((await process.approvals.waiting()).count).toBeGreaterThan(20);
});

it('of more communities than may wait, those that are left out are told of with their next event', async () => {
  const process = start();
  const asked: string[] = [];

  process.approvals.ask = async (community) => {
    asked.push(community);
    return undefined;
  };
  for (let chat = 1; chat <= 1_100; chat += 1) process.asks(chat);
  await eventually(() => asked.includes('telegram:-1000'), 'the last that may wait');
  process.asks(1_100);
  await eventually(() => asked.includes('telegram:-1100'), 'its next event');

  expect(asked).toHaveLength(1_001);
});

it.each([
  { what: 'one person', asker: 'telegram:66', most: 3 },
  { what: 'whoever the platform does not name', asker: nobody, most: 10 },
])(
  'of communities that $what asked for there are a few notices a day, and others have the rest',
  async ({ asker, most }) => {
    const process = start();

    for (let chat = 100; chat < 140; chat += 1) process.asks(chat, { person: 'Mallory', asker });
    await eventually(() => process.to(olga).at(-1)?.includes('more ask to use this bot today'), 'the number');
    for (let chat = 200; chat < 205; chat += 1) process.asks(chat);
    await eventually(() => process.to(olga).some((text) => text.includes('telegram:-204')), 'the last');
    const notices = (name: string) => process.to(olga).filter((text) => text.includes(`by ${name}`)).length;

    expect(notices('Mallory')).toBe(most);
    expect(notices('Ann')).toBe(5);

    // A restart does not begin anew, and who asked cannot be read.
    const again = start(process.clock, process.said);
    again.asks(300, { person: 'Mallory', asker });
    again.asks(301);
    await eventually(() => again.to(olga).some((text) => text.includes('telegram:-301')), 'the one after it');

    expect(notices('Mallory')).toBe(most);
  },
);

const place: Place = { platform: 'web', community: 'web:room', channel: 'log', direct: false };
const line = (at: number) => ({ at, community: 'web:room', actor: 'web:ann', action: 'job', detail: { at } });

type Outcome = { state: 'drawn' } | { state: 'gone' } | { state: 'later'; afterMs: number };

/** A log channel: `say` is what the platform answers, `logPlace` where the channel is, and `said` what was shown, and where. */
const open = ({
  say = () => ({ state: 'drawn' }),
  logPlace = async () => place,
}: {
  readonly say?: (view: View) => Outcome | Promise<Outcome>;
  readonly logPlace?: () => Promise<Place | undefined>;
} = {}) => {
  const clock = createFakeClock();
  const warnings: string[] = [];
  const said: (View & { readonly channel: string })[] = [];
  const log = createLog({ level: 'warn', secrets: [], stream: { write: (text) => warnings.push(text) } });
  const platforms = {
    async say(to: object, view: View) {
      const answer = await say(view);
      if (answer.state === 'drawn')
        said.push({ ...view, channel: 'place' in to ? (to.place as Place).channel : '' });
      return answer;
    },
  };
  const channel = createLogChannel({ logPlace }, platforms, clock, log);
  return { channel, clock, warnings, said };
};

it('a log channel gets a burst of lines as one message', async () => {
  const { channel, clock, said } = open();

  for (let at = 0; at < 10_000; at += 1) channel.tell(line(at));
  await clock.advance(3_000);

  expect(said).toHaveLength(1);
  expect(said[0]?.lines).toHaveLength(16);
  expect(said[0]?.lines.at(-1)).toBe('… +9985');
});

it('log lines continue after a channel is deleted or fails, and are tried again with the next line', async () => {
  let tries = 0;
  const { channel, clock, warnings } = open({
    say: async () => {
      tries += 1;
      if (tries === 1) throw new Error('no such channel');
      return { state: 'gone' };
    },
  });

  channel.tell(line(1));
  await clock.advance(3_000);

  expect(warnings).toHaveLength(1);

  channel.tell(line(2));
  await clock.advance(60_000);
  expect(tries).toBe(2);
  expect(clock.pending).toBe(0);

  channel.tell(line(3));
  await clock.advance(60_000);
  // A warning that the channel has gone is logged once an hour.
  expect(warnings).toHaveLength(2);
  expect(warnings[1]).toContain('no longer accepts messages');
});

it.each([
  { what: 'is taken away', before: place, after: undefined, told: ['log'] },
  { what: 'is moved', before: place, after: { ...place, channel: 'elsewhere' }, told: ['elsewhere', 'log'] },
  { what: 'is made', before: undefined, after: place, told: ['log'] },
  { what: 'stays', before: place, after: { ...place }, told: ['log'] },
])(
  'when the log channel $what, the channels of before and after are told',
  async ({ before, after, told }) => {
    let now: Place | undefined = before;
    const { channel, clock, said } = open({ logPlace: async () => now });

    channel.tell(line(1));
    await clock.advance(1_000);
    now = after;
    await clock.advance(3_000);

    expect(said.map((view) => view.channel).sort()).toEqual(told);
  },
);

it('a slow log channel gets one message at a time, and later lines are combined', async () => {
  const slow = Promise.withResolvers<void>();
  const { channel, clock, said } = open({
    say: async () => {
      await slow.promise;
      return { state: 'drawn' };
    },
  });

  for (let minute = 0; minute < 100; minute += 1) {
    for (let at = 0; at < 100; at += 1) channel.tell(line(at));
    await clock.advance(60_000);
  }
  slow.resolve();
  await clock.advance(3_000);

  expect(said).toHaveLength(2);
  expect(said[1]?.lines).toHaveLength(16);
  expect(said[1]?.lines.at(-1)).toBe('… +9885');
  expect(clock.pending).toBe(0);
});

it.each([
  { what: 'cannot accept now', refuse: (): Outcome => ({ state: 'later', afterMs: 20_000 }) },
  { what: 'does not get', refuse: () => Promise.reject(new Error('no answer')) },
])('lines that a log channel $what are sent later, with a count of the dropped ones', async ({ refuse }) => {
  let full = true;
  const { channel, clock, said } = open({ say: () => (full ? refuse() : { state: 'drawn' }) });

  channel.tell(line(1));
  await clock.advance(5_000);
  for (let at = 2; at <= 30; at += 1) channel.tell(line(at));
  await clock.advance(30_000);
  full = false;
  await clock.advance(60_000);

  expect(said).toHaveLength(1);
  expect(said[0]?.lines[0]).toEqual([{ person: 'ann' }, ' job at=1']);
  expect(said[0]?.lines.at(-1)).toBe('… +15');
  expect(clock.pending).toBe(0);
});

it('after many failures the lines for a log channel are dropped, and the next line tries again', async () => {
  let tries = 0;
  const { channel, clock } = open({
    say: async () => {
      tries += 1;
      return { state: 'later', afterMs: 1_000 };
    },
  });

  channel.tell(line(1));
  await clock.advance(24 * 3_600_000);

  expect(tries).toBe(8);
  expect(clock.pending).toBe(0);

  channel.tell(line(2));
  await clock.advance(3_000);
  expect(tries).toBe(9);
});
