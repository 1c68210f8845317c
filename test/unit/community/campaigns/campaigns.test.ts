import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { campaignRecordRules } from '../../../../src/community/campaigns/campaign-records.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { allOf } from '../../../all-of.ts';
import { eventually } from '../../../eventually.ts';
import { away, mod, noBegin, openProcess, openService, type Process } from '../../../fakes/campaigns.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { interleaved } from '../../../fakes/records.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

type FilterName = 'usual' | 'pumpkin' | 'winter';

let service: Awaited<ReturnType<typeof openService>>;
let usual: string;
let pumpkin: string;
let winter: string;

beforeAll(async () => {
  service = await openService();
  const [first, second, third] = service.filters;
  if (!first || !second || !third) throw new Error('the service has too few custom filters');
  usual = first;
  pumpkin = second;
  winter = third;
});

afterAll(() => service.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
let runs = 0;
let community: string;
let store: Store;
let clock: FakeClock;

beforeEach(async () => {
  runs += 1;
  community = `discord:${runs}`;
  // 2026-01-05 12:00 UTC
  clock = createFakeClock();
  store = await openSqliteStore({ path: ':memory:', keys: [], now: clock.now });
  onTestFinished(() => store.close());
});

const begin = (more: Partial<Parameters<typeof openProcess>[0]> = {}): Process =>
  openProcess({ store, client: service.client, clock, ...more });

/** Another process whose clock is ahead, and which does not carry campaigns out. */
const beside = (aheadMs: number, more: Partial<Parameters<typeof openProcess>[0]> = {}): Process =>
  begin({
    members: { ...soleMember, isShared: true },
    clock: { ...clock, now: () => clock.now() + aheadMs },
    ...more,
  });

/** Starts a process that stops at the end of its test, if not before. */
const stopping = (process: Process): Process & { stop(): Promise<void> } => {
  const stop = process.start();
  onTestFinished(stop);
  return { ...process, stop };
};

/** A started process, in whose community there is the alias `halloween`; the first one of a test creates it. */
const started = async (more: Parameters<typeof begin>[0] = {}): Promise<ReturnType<typeof stopping>> => {
  const process = begin(more);
  const isThere = (await process.aliases.named(community, 'halloween')) !== undefined;
  if (!isThere) await process.aliases.create(community, 'halloween', usual);
  return stopping(process);
};

/** A long time passes, without the timers on the way. */
const pass = async (ms: number): Promise<void> => {
  clock.leap(ms - 10_000);
  await clock.advance(10_000);
};

/** Time passes, in steps as small as the timer's, until something is so. */
const until = (isSo: () => Promise<boolean>, what: string) =>
  eventually(async () => {
    await clock.advance(10);
    return isSo();
  }, what);

/** The audit lines that campaigns have left, such as `start` and `end`. */
const trailOf = async (process: Process): Promise<readonly string[]> =>
  (await process.trail(community)).map((line) => line.replace('campaign.', ''));

const trailIs = (process: Process, lines: readonly string[]) =>
  until(async () => isDeepStrictEqual(await trailOf(process), lines), `the audit lines ${lines.join(', ')}`);

interface Plan {
  readonly filter: FilterName;
  readonly from: string;
  readonly until?: string;
}

/** Schedules campaigns of the alias `halloween`, which has the usual filter. */
const plan = async (process: Process, ...plans: readonly Plan[]): Promise<void> => {
  const filters = { usual, pumpkin, winter };
  for (const { filter, from, until } of plans)
    await process.schedule(community, 'halloween', filters[filter], from, until);
};

const planned = async (...plans: readonly Plan[]): Promise<ReturnType<typeof stopping>> => {
  const process = await started();
  await plan(process, ...plans);
  return process;
};

/** A process where the pumpkin of the 6th and 7th is running, and `plans` are coming. */
const running = async (...plans: readonly Plan[]): Promise<ReturnType<typeof stopping>> => {
  const process = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-08' }, ...plans);
  await pass(DAY);
  await trailIs(process, ['start']);
  return process;
};

/** A campaign of the 6th that cannot begin until the service is `back`, which then takes as long as `answer`. */
const aLateCampaign = async (answer?: Promise<void>) => {
  let isAway = true;
  const update: typeof service.client.aliases.update = async (id, to) => {
    if (isAway) throw away;
    if (to.filter === pumpkin) await answer;
    return service.client.aliases.update(id, to);
  };
  const process = await started({ service: { update } });
  await plan(process, { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-20' });
  await pass(DAY);
  await trailIs(process, ['delayed']);
  const back = (): void => {
    isAway = false;
  };
  return { process, back };
};

const refused = (work: Promise<unknown>, reason: object) => expect(work).rejects.toMatchObject({ reason });
const pointsTo = (process: Process) => process.pointsTo(community, 'halloween');

/** The filters to which the service was asked to point an alias, by name. */
const callsOf = ({ calls }: Process): readonly (FilterName | undefined)[] => {
  const names = new Map<string, FilterName>([
    [usual, 'usual'],
    [pumpkin, 'pumpkin'],
    [winter, 'winter'],
  ]);
  return calls.map((id) => names.get(id));
};

const isEmpty = async (process: Process) => (await process.campaigns.of(community)).size === 0;

describe('a campaign', () => {
  it('a campaign repoints the alias at its begin and back at its end, each once', async () => {
    const process = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-08' });
    await pass(12 * HOUR - 1000);
    expect(process.calls).toEqual([]);

    await clock.advance(1000);
    await trailIs(process, ['start']);
    expect(await pointsTo(process)).toBe(pumpkin);

    await pass(2 * DAY - MINUTE);
    expect(callsOf(process)).toEqual(['pumpkin']);

    await clock.advance(MINUTE);
    await trailIs(process, ['start', 'end']);
    expect(await pointsTo(process)).toBe(usual);

    await pass(DAY);
    expect(callsOf(process)).toEqual(['pumpkin', 'usual']);
    expect(await isEmpty(process)).toBe(true);
    expect(process.told).toEqual([]);
    expect(process.errors).toEqual([]);
  });

  it('a campaign’s begin and end wait while the community is not approved, and one that was missed is reported', async () => {
    let isUnapproved = true;
    let asked = 0;
    const process = await started({
      isUnapproved: () => {
        asked += 1;
        return isUnapproved;
      },
    });

    await plan(process, { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-08' });
    await pass(12 * HOUR + MINUTE);
    await until(async () => asked > 0, 'the start to wait');
    asked = 0;
    await clock.advance(5 * MINUTE);

    // The campaign asks for the approval now and then, not all the time.
    expect(asked).toBeGreaterThan(4);
    expect(asked).toBeLessThan(20);
    expect(process.calls).toEqual([]);
    expect(await process.trail(community)).toEqual([]);

    isUnapproved = false;
    await clock.advance(MINUTE);
    await trailIs(process, ['start']);
    isUnapproved = true;
    await pass(3 * DAY);
    await plan(process, { filter: 'winter', from: '2026-01-10', until: '2026-01-11' });
    await pass(10 * DAY);

    expect(callsOf(process)).toEqual(['pumpkin']);

    isUnapproved = false;
    await clock.advance(MINUTE);
    await trailIs(process, ['start', 'end', 'missed']);
    expect(callsOf(process)).toEqual(['pumpkin', 'usual']);
    expect(process.errors).toEqual([]);
  });

  it.each<{ title: string; plans: Plan[]; linesAfterEachDay: number[]; calls: FilterName[] }>([
    {
      title: 'a campaign without an end stays, and others follow it',
      plans: [
        { filter: 'pumpkin', from: '2026-01-06' },
        { filter: 'winter', from: '2026-01-07', until: '2026-01-08' },
      ],
      linesAfterEachDay: [1, 2, 3],
      calls: ['pumpkin', 'winter', 'pumpkin'],
    },
    {
      title: 'a campaign takes over when another ends, and the filter from before the first returns',
      plans: [
        { filter: 'winter', from: '2026-01-07', until: '2026-01-08' },
        { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-07' },
        { filter: 'pumpkin', from: '2026-01-08', until: '2026-01-09' },
      ],
      linesAfterEachDay: [1, 3, 5, 6],
      calls: ['pumpkin', 'winter', 'pumpkin', 'usual'],
    },
    {
      title: 'a campaign that takes over and has no end lets nothing return',
      plans: [
        { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-07' },
        { filter: 'pumpkin', from: '2026-01-07' },
      ],
      linesAfterEachDay: [1, 3],
      calls: ['pumpkin'],
    },
  ])('$title', async ({ plans, linesAfterEachDay, calls }) => {
    const process = await planned(...plans);

    for (const count of linesAfterEachDay) {
      await pass(DAY);
      await until(async () => (await process.trail(community)).length === count, `${count} lines`);
    }
    await until(() => isEmpty(process), 'the end of all');

    expect(callsOf(process)).toEqual(calls);
    expect((await trailOf(process)).filter((line) => /missed|failed/.test(line))).toEqual([]);
  });

  it('a campaign whose filter is gone changes nothing and is reported, and the campaign before it ends as usual', async () => {
    let gone = '';
    const process = await started({
      customFilters: async () => (await service.client.customFilters()).filter(({ id }) => id !== gone),
    });

    await plan(
      process,
      { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-07' },
      { filter: 'winter', from: '2026-01-07', until: '2026-01-08' },
    );
    await pass(DAY);
    await trailIs(process, ['start']);
    gone = winter;
    await pass(DAY);
    await trailIs(process, ['start', 'failed filter-unknown', 'end']);

    expect(process.told).toEqual([expect.stringMatching(/^7: .*could not be carried out/)]);

    await pass(5 * DAY);
    expect(callsOf(process)).toEqual(['pumpkin', 'usual']);
  });

  it('a campaign of the current minute begins now', async () => {
    const process = await started();

    await clock.advance(30_000);
    await plan(process, { filter: 'pumpkin', from: '2026-01-05T12:00' });
    await trailIs(process, ['start']);

    expect(await pointsTo(process)).toBe(pumpkin);
  });

  it('a campaign begins at the time of its community’s zone', async () => {
    const process = await started({ zone: 'Europe/Berlin' });

    await plan(process, { filter: 'pumpkin', from: '2026-03-29T02:30' });
    await process.stop();
    clock.leap(Date.parse('2026-03-29T01:00Z') - clock.now() - 1000);
    const next = await started({ zone: 'Europe/Berlin' });
    await clock.advance(900);

    expect(next.calls).toEqual([]);

    await clock.advance(100);
    await trailIs(next, ['start']);
  });
});

it('one person’s many campaigns at the same time do not delay another person’s', async () => {
  const process = begin();
  const { aliases, campaigns } = process;
  const schedule = async (by: string, where: string, name: string, filter: string): Promise<void> => {
    await aliases.create(where, name, usual);
    const wanted = { name, filter, from: '2026-01-06' };
    await campaigns.schedule(where, { ...mod, id: by }, wanted, noBegin);
  };

  for (let group = 0; group < 10; group += 1)
    for (const name of ['one', 'two', 'three']) await schedule('eve', `${community}-${group}`, name, pumpkin);
  await schedule('ann', community, 'halloween', winter);
  const stop = process.start();
  await pass(12 * HOUR);
  await until(async () => process.calls.length === 31, 'all campaigns to begin');

  // Before Ann's call there were as many of Eve's as one person can have under way, and a few that were faster.
  expect(process.calls.indexOf(winter)).toBeLessThanOrEqual(12);

  await stop();
});

describe('a campaign that is refused', () => {
  it.each<{ what: string; wanted: Plan; code: string }>([
    {
      what: 'it begins a minute ago',
      wanted: { filter: 'pumpkin', from: '2026-01-05T11:59' },
      code: 'campaign-past',
    },
    {
      what: 'it ends when it begins',
      wanted: { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-06' },
      code: 'campaign-order',
    },
    {
      what: 'it ends before it begins',
      wanted: { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-05T18:00' },
      code: 'campaign-order',
    },
  ])('a campaign with times that make no sense is refused ($what): $code', async ({ wanted, code }) => {
    const process = await started();

    await refused(plan(process, wanted), { code });

    expect(await isEmpty(process)).toBe(true);
  });

  it.each<{ what: string; from: string; until?: string }>([
    { what: 'its end is in the other', from: '2026-01-09', until: '2026-01-11' },
    { what: 'it is within the other', from: '2026-01-11', until: '2026-01-12' },
    { what: 'the other is within it', from: '2026-01-06', until: '2026-01-30' },
    { what: 'it begins in the other and has no end', from: '2026-01-15' },
  ])('a campaign that overlaps another one of the alias is refused: $what', async ({ what: _, ...days }) => {
    const process = await planned({ filter: 'pumpkin', from: '2026-01-10', until: '2026-01-20' });

    const overlapping = plan(process, { filter: 'winter', ...days });
    await refused(overlapping, {
      code: 'campaign-overlap',
      from: '2026-01-10 00:00',
      until: '2026-01-20 00:00',
    });

    // Campaigns of another alias may overlap it.
    await process.aliases.create(community, 'other', usual);
    await process.schedule(community, 'other', winter, '2026-01-15');
    expect((await process.campaigns.of(community)).get('other')).toHaveLength(1);
  });

  it.each([1, 2, 3])(
    'of campaigns that overlap and are stored at the same moment, one is refused (%i)',
    async (seed) => {
      const mine = (more: number): Store => ({
        ...store,
        keyv: (...args) => interleaved(store.keyv(...args), seed + more),
      });

      const one = await started({ store: mine(0) });
      const two = begin({ store: mine(9) });

      const tried = await Promise.allSettled([
        plan(one, { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-10' }),
        plan(two, { filter: 'usual', from: '2026-01-07', until: '2026-01-08' }),
        plan(two, { filter: 'usual', from: '2026-01-09', until: '2026-01-11' }),
        plan(two, { filter: 'usual', from: '2026-01-13', until: '2026-01-14' }),
      ]);
      const stored = (await one.campaigns.of(community)).get('halloween') ?? [];

      const accepted = tried.filter(({ status }) => status === 'fulfilled');
      expect(accepted.length).toBeLessThan(tried.length);
      expect(stored).toHaveLength(accepted.length);
      for (const [index, next] of stored.slice(1).entries())
        expect(stored[index]?.until).toBeLessThanOrEqual(next.from);
    },
  );

  it('a campaign is refused where a repoint would be refused', async () => {
    const process = await started();
    const filters = await service.client.customFilters();
    const group = filters.find(({ model }) => model === 'group');
    if (group === undefined) throw new Error('the service has no filter for groups');
    const schedule = (name: string, filter: string) =>
      process.schedule(community, name, filter, '2026-02-10');

    await refused(schedule('nothing', pumpkin), { code: 'alias-unknown' });
    await refused(schedule('halloween', 'no such filter'), { code: 'filter-unknown' });
    await refused(schedule('halloween', '12'), { code: 'filter-is-number' });
    await refused(schedule('halloween', group.id), { code: 'wrong-model' });
  });

  it('more than 20 campaigns of an alias are refused', async () => {
    const process = await started();
    for (let minute = 10; minute < 30; minute += 1)
      await plan(process, { filter: 'pumpkin', from: `2026-02-10T00:${minute}` });

    await refused(plan(process, { filter: 'pumpkin', from: '2026-02-11' }), {
      code: 'campaign-limit',
      limit: 20,
    });
  });

  it('the same schedule command again makes no other campaign', async () => {
    const process = await started();
    let begun = 0;
    const wanted = { name: 'halloween', filter: pumpkin, from: '2026-02-10' };

    for (let times = 0; times < 2; times += 1)
      await process.campaigns.schedule(community, mod, wanted, async () => {
        begun += 1;
      });
    expect(begun).toBe(1);
    expect((await process.campaigns.of(community)).get('halloween')).toHaveLength(1);
  });
});

it('campaigns are carried out once although two processes believe that they alone do so', async () => {
  const one = await started();
  const two = await started();

  await plan(
    one,
    { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-07' },
    { filter: 'winter', from: '2026-01-07', until: '2026-01-08' },
  );
  await pass(DAY);
  await trailIs(two, ['start']);
  await pass(DAY);
  await trailIs(two, ['start', 'end', 'start']);
  await pass(DAY);
  await trailIs(two, ['start', 'end', 'start', 'end']);

  expect((await one.aliases.show(community, 'halloween')).history).toHaveLength(3);
});

describe.each([
  { where: 'ahead', aheadMs: 5_000 },
  { where: 'behind', aheadMs: -5_000 },
])('where the clock of the process that schedules them is $where', ({ where, aheadMs }) => {
  it(`campaigns begin and end once, within a minute of their times, where the scheduling clock is ${where}`, async () => {
    const process = await started();

    await plan(
      beside(aheadMs),
      { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-07' },
      { filter: 'winter', from: '2026-01-07', until: '2026-01-08' },
    );
    await pass(12 * HOUR - 1_000);

    expect(process.calls).toEqual([]);

    await pass(MINUTE);
    await trailIs(process, ['start']);
    await pass(DAY);
    await trailIs(process, ['start', 'end', 'start']);
    await pass(DAY);
    await trailIs(process, ['start', 'end', 'start', 'end']);
    expect(callsOf(process)).toEqual(['pumpkin', 'winter', 'usual']);
  });

  it(`campaigns begin and end once when a process whose clock is ${where} takes them over`, async () => {
    const before = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-07' });
    await pass(12 * HOUR);
    await trailIs(before, ['start']);
    await before.stop();
    const after = stopping(beside(aheadMs));
    await pass(DAY + MINUTE);
    await trailIs(after, ['start', 'end']);

    expect(callsOf(before)).toEqual(['pumpkin']);
    expect(callsOf(after)).toEqual(['usual']);
  });

  it(`a campaign of the current minute begins now, and ends when unscheduled, where the scheduling clock is ${where}`, async () => {
    const process = await started();
    const other = beside(aheadMs);

    await plan(other, { filter: 'pumpkin', from: '2026-01-05T12:00', until: '2026-01-08' });
    await pass(MINUTE);
    await trailIs(process, ['start']);
    await other.campaigns.unschedule(community, 'halloween', noBegin);
    await pass(MINUTE);
    await trailIs(process, ['start', 'end']);

    expect(await pointsTo(process)).toBe(usual);
  });
});

describe('while no process runs', () => {
  it('a campaign whose end is still ahead begins at the next start, although the index of due campaigns was lost', async () => {
    const before = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-20' });
    await before.stop();
    await store.keyv('campaigns', campaignRecordRules).delete('*due');
    clock.leap(3 * DAY);
    const process = await started();
    await trailIs(process, ['start']);

    expect(await pointsTo(process)).toBe(pumpkin);
  });

  it('the next start ends the campaign that was running, reports those that were missed, and begins the current one', async () => {
    const before = await running(
      { filter: 'winter', from: '2026-01-08', until: '2026-01-10' },
      { filter: 'winter', from: '2026-01-10' },
    );
    await before.stop();
    clock.leap(10 * DAY);

    const process = await started();
    await trailIs(process, ['start', 'missed', 'end', 'start']);

    expect(callsOf(process)).toEqual(['usual', 'winter']);
    expect(process.told).toEqual([expect.stringMatching(/^7: .*was missed as a whole/)]);
  });
});

describe('what moderators do by hand', () => {
  it('unschedule takes back what is coming and ends what is running', async () => {
    const process = await running({ filter: 'winter', from: '2026-01-08' });
    const done = process.campaigns.unschedule(community, 'halloween', noBegin);
    await clock.advance(0);

    expect(await done).toEqual({ taken: 1, ended: true });

    await trailIs(process, ['start', 'end']);
    expect(await pointsTo(process)).toBe(usual);

    await pass(10 * DAY);
    expect(callsOf(process)).toEqual(['pumpkin', 'usual']);

    await refused(process.campaigns.unschedule(community, 'halloween', noBegin), { code: 'campaign-none' });
  });

  it('of two people who unschedule a campaign at the same time, one has taken it back', async () => {
    const process = await planned({ filter: 'pumpkin', from: '2026-01-06' });
    const faster = () => process.campaigns.unschedule(community, 'halloween', noBegin);

    const slower = process.campaigns.unschedule(community, 'halloween', async () => {
      expect(await faster()).toMatchObject({ taken: 1 });
    });

    await refused(slower, { code: 'campaign-none' });
  });

  it('a repoint ends the campaign that is running and keeps what is coming', async () => {
    const process = await running({ filter: 'winter', from: '2026-01-09' });

    // It repoints to the campaign’s own filter, which then stays when the campaign would have ended.
    await process.aliases.repoint(community, 'halloween', pumpkin, undefined, () =>
      process.campaigns.replaced(community, 'halloween'),
    );
    await pass(2 * DAY);

    expect(await pointsTo(process)).toBe(pumpkin);

    await pass(DAY);
    await trailIs(process, ['start', 'start']);
    expect(await pointsTo(process)).toBe(winter);
  });

  /** Repoints the alias to winter, as a moderator does it. */
  const repoint = ({ aliases, campaigns }: Process, begin = noBegin) =>
    aliases.repoint(
      community,
      'halloween',
      winter,
      () => begin().then(() => campaigns.hold(community, 'halloween')),
      () => campaigns.replaced(community, 'halloween'),
    );

  it('a repoint is not undone by a campaign that waits for its next try', async () => {
    const { process, back } = await aLateCampaign();
    back();
    const repointing = repoint(process, () => clock.advance(MINUTE));
    const isDone = async () => (await pointsTo(process)) === winter;
    await until(() => clock.advance(500).then(isDone), 'the repoint');
    await repointing;
    // The list comes after everything that waited for the alias.
    await process.aliases.list(community);

    expect(callsOf(process).at(-1)).toBe('winter');
  });

  it.each([
    { ms: 500, aheadMs: 0 },
    { ms: 30_000, aheadMs: 0 },
    { ms: 30_000, aheadMs: 5_000 },
    { ms: 30_000, aheadMs: -5_000 },
  ])(
    'a repoint waits for another process’s campaign that takes $ms ms (clock ahead by $aheadMs)',
    async ({ ms, aheadMs }) => {
      const answer = Promise.withResolvers<void>();

      const { process, back } = await aLateCampaign(answer.promise);
      const triesBefore = process.calls.length;
      back();
      await eventually(async () => {
        await clock.advance(100);
        return process.calls.length > triesBefore;
      }, 'the next try');
      const other = beside(aheadMs);
      const repointing = repoint(other);
      await clock.advance(ms);

      expect(other.calls).toEqual([]);

      answer.resolve();
      await until(async () => other.calls.length > 0, 'the repoint');
      await repointing;
      expect(await pointsTo(process)).toBe(winter);

      const stored = { filter: winter, pointed: winter };
      expect(await other.aliases.named(community, 'halloween')).toMatchObject(stored);
    },
  );

  it.each([
    { what: 'the same', aheadMs: 0 },
    { what: 'ahead', aheadMs: 5_000 },
    { what: 'behind', aheadMs: -5_000 },
  ])(
    'a repoint that another process makes when a campaign ends is not undone: its clock is $what',
    async ({ aheadMs }) => {
      const process = await running({ filter: 'usual', from: '2026-01-08', until: '2026-01-09' });
      await pass(2 * DAY - 12 * HOUR - 20_000);
      const isAsked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<void>();
      const other = beside(aheadMs, {
        service: {
          update: async (id, to) => {
            isAsked.resolve();
            await answer.promise;
            return service.client.aliases.update(id, to);
          },
        },
      });
      const repointing = repoint(other);
      await isAsked.promise;
      await clock.advance(28_000);

      expect(callsOf(process)).toEqual(['pumpkin']);

      answer.resolve();
      await repointing;
      expect(await trailOf(process)).toEqual(['start']);

      // The campaign that was coming stays, and returns to the filter that was set by hand.
      await pass(MINUTE);
      await trailIs(process, ['start', 'start']);
      await pass(DAY);
      await trailIs(process, ['start', 'start', 'end']);

      expect(await pointsTo(process)).toBe(winter);
      expect(callsOf(process)).toEqual(['pumpkin', 'usual', 'winter']);
    },
  );

  it('a repoint that fails leaves the campaign as it is', async () => {
    const process = await running();

    await process.campaigns.hold(community, 'halloween');
    await pass(2 * DAY);
    await trailIs(process, ['start', 'end']);

    expect(process.told).toEqual([]);
  });

  it('a repoint at the service, not through us, is left as it is', async () => {
    const process = await running();
    const { id } = await process.aliases.show(community, 'halloween');
    await service.client.aliases.update(id, { filter: winter, project: community });
    await plan(process, { filter: 'usual', from: '2026-01-08', until: '2026-01-09' });
    await pass(2 * DAY);
    await trailIs(process, ['start', 'replaced', 'start']);
    await pass(DAY);
    await trailIs(process, ['start', 'replaced', 'start', 'end']);

    expect(await pointsTo(process)).toBe(winter);
  });

  it('a deleted alias has no campaigns', async () => {
    const process = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-08' });
    await process.campaigns.forget(community, 'halloween');
    await pass(3 * DAY);

    expect(process.calls).toEqual([]);
  });

  it('a group that becomes a supergroup keeps its campaigns, under the new name of the alias', async () => {
    const process = await started();
    const moved = `${community}-moved`;

    await process.aliases.create(moved, 'halloween', usual);
    await plan(process, { filter: 'pumpkin', from: '2026-01-06' });
    for (let times = 0; times < 2; times += 1) {
      await process.aliases.move(community, moved);
      await process.campaigns.move(community, moved, (id) => process.aliases.nameOf(moved, id));
    }

    expect([...(await process.campaigns.of(moved)).keys()]).toEqual(['halloween-2']);
    for (const namespace of ['aliases', 'campaigns'])
      expect((await allOf(store.keyv(namespace).iterator())).map(([key]) => key)).not.toContain(community);

    await pass(DAY);
    await until(async () => (await process.pointsTo(moved, 'halloween-2')) === pumpkin, 'the campaign');
    expect(await process.pointsTo(moved, 'halloween')).toBe(usual);
  });
});

describe('a service that is away when a campaign is due', () => {
  /** Waits in steps of ten seconds, because a campaign's tries are at least that far apart. */
  const later = (isSo: () => Promise<boolean>, what: string) =>
    until(() => clock.advance(10_000).then(isSo), what);

  it('a campaign is tried again until the service is back, and reported once as late', async () => {
    const { process, back } = await aLateCampaign();
    const triesBefore = process.calls.length;
    await later(async () => process.calls.length > triesBefore + 5, 'more tries');
    back();
    await later(async () => (await trailOf(process)).includes('start'), 'the start');

    expect(await trailOf(process)).toEqual(['delayed', 'start']);
    expect(process.told).toEqual([expect.stringMatching(/is late/)]);
  });

  it('a campaign for whose whole time the service was away is reported as missed', async () => {
    const before = begin();
    await before.aliases.create(community, 'halloween', usual);
    const process = await started({ customFilters: () => Promise.reject(away) });

    await plan(before, { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-06T00:30' });
    await pass(12 * HOUR);
    await trailIs(process, ['delayed']);
    await pass(HOUR);
    await later(async () => (await trailOf(process)).includes('missed'), 'the end');

    expect(await trailOf(process)).toEqual(['delayed', 'missed']);
  });
});

describe('a restore to a time before the begin of a campaign', () => {
  const namespaces = ['aliases', 'campaigns'] as const;

  /** The store's records as they are now; the returned function puts them back. What the service has stays. */
  const backUp = async (): Promise<() => Promise<void>> => {
    const kept = await Promise.all(namespaces.map((name) => store.keyv(name).get(community)));
    return async () => {
      for (const [index, name] of namespaces.entries()) await store.keyv(name).set(community, kept[index]);
    };
  };

  /** The campaign begins after the backup; then the process ends, time passes and the backup is restored. */
  const restored = async (before: ReturnType<typeof stopping>, hasBegun: () => Promise<unknown>, ms = 0) => {
    const restore = await backUp();
    await pass(DAY);
    await hasBegun();
    await before.stop();
    clock.leap(ms);
    await restore();
    const process = begin();
    // Every start of the program reconciles aliases.
    await process.aliases.reconcile();
    return stopping(process);
  };

  it('after a restore, while a campaign runs, to a time before it, the campaign goes on and the alias returns to its former filter', async () => {
    const before = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-08' });

    const process = await restored(before, () => trailIs(before, ['start']));
    await trailIs(process, ['start', 'start']);
    await pass(2 * DAY);
    await trailIs(process, ['start', 'start', 'end']);

    expect(callsOf(process)).toEqual(['usual']);
    expect(await pointsTo(process)).toBe(usual);
  });

  it('after a restore, when a campaign is over, to a time before it, the alias returns to its former filter', async () => {
    const before = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-08' });

    const process = await restored(before, () => trailIs(before, ['start']), 3 * DAY);
    await trailIs(process, ['start', 'start', 'end']);

    expect(callsOf(process)).toEqual(['usual']);
    expect(await pointsTo(process)).toBe(usual);
  });

  it('after a restore, an alias returns to the filter from before the first of two adjoining campaigns', async () => {
    const before = await planned(
      { filter: 'pumpkin', from: '2026-01-06', until: '2026-01-07' },
      { filter: 'winter', from: '2026-01-07', until: '2026-01-09' },
    );
    await pass(13 * HOUR);
    await trailIs(before, ['start']);
    const isSecond = async () => (await pointsTo(before)) === winter;
    const process = await restored(before, () => until(isSecond, 'the second'));
    await pass(3 * DAY);
    await until(() => isEmpty(process), 'its end');

    expect(await pointsTo(process)).toBe(usual);
  });

  it('after a restore, an alias keeps the campaign’s filter if a moderator had pointed it there before', async () => {
    const before = await planned({ filter: 'pumpkin', from: '2026-01-06', until: '2026-01-08' });
    await before.aliases.repoint(community, 'halloween', pumpkin);
    const process = await restored(before, () => trailIs(before, ['start']));
    await pass(3 * DAY);
    await until(() => isEmpty(process), 'its end');

    expect(await pointsTo(process)).toBe(pumpkin);
  });
});
