import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFigureCounts, type FigureCounts } from '../../../../src/app/figures/counts.ts';
import { createFigures, type Figures } from '../../../../src/app/figures/figures.ts';
import type { Failing } from '../../../../src/app/figures/outage-watch.ts';
import { RANGES } from '../../../../src/console/pages/shown-figures.ts';
import type { FinalJob } from '../../../../src/orchestrator/job/job.ts';
import { openSqliteStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { FigureBatch } from '../../../../src/store/tables/figures.ts';
import { orderOf } from '../../../contract/store/suite/driver.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { soleMember } from '../../../fakes/sole-member.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let clock: FakeClock;
let store: SqliteStore;
let failing: Failing[];
let isAway: 'no' | 'before' | 'after';
let batches: FigureBatch[];
type Process = Figures & FigureCounts;
let started: Process[];
let figures: Process;

beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 0, 5, 12));
  store = await openSqliteStore({ path: ':memory:', keys: [], now: clock.now });
  failing = [];
  isAway = 'no';
  batches = [];
  started = [];
  figures = start('one');
});

afterEach(async () => {
  for (const each of started) await each.stop();
  store.close();
});

/** The figures of one process. */
const start = (writer: string, members: { count(): number } = soleMember): Process => {
  const away = new Error('the store is away');
  const records = {
    ...store.figures,
    async add(batch: FigureBatch) {
      batches.push(batch);
      if (isAway === 'before') throw away;
      await store.figures.add(batch);
      if (isAway === 'after') throw away;
    },
  };
  const log = { warn: () => undefined };
  const counts = createFigureCounts(clock);
  const parts = { counts, records, usage: store.usage, clock, log, writer, members };
  const created = { ...counts, ...createFigures(parts) };
  created.start(() => failing);
  started.push(created);
  return created;
};

const ended = (more: JobFields = {}): FinalJob => {
  const now = clock.now();
  const job = jobWith({
    ...sampleJob({ createdAt: now - 20_000, day: new Date(now).toISOString().slice(0, 10) }),
    submittedAt: now - 19_000,
    finishedAt: now,
    lastLookAt: now - 2_000,
    looks: 3,
    serviceId: 'x',
    charge: 'spent',
    credits: 3,
    ...more,
    state: more.state ?? 'done',
  });
  return job as FinalJob;
};

describe('figures', () => {
  it.each(RANGES)(
    'figures of jobs are read by the range %s after ten seconds, and outlive the process',
    async (range) => {
      figures.finished(ended());
      figures.finished(ended({ lastLookAt: clock.now() - 10_000 }));
      figures.finished(ended({ state: 'failed', failure: { code: 'deadline' }, charge: 'returned' }));
      for (const state of ['uncertain', 'cancelled'] as const) figures.finished(ended({ state }));
      for (const platform of ['discord', 'telegram', 'telegram']) figures.refused(platform);
      for (const event of ['several', 'several', 'everybody'] as const) figures.faceChecked(event);

      await clock.advance(10_000);
      await figures.stop();

      const next = start('two');
      const { total, points, from, until, stepMs } = await next.read(range);

      expect(total).toMatchObject({ done: 2, failed: 2, cancelled: 1, statusCallsPerJob: 3 });
      expect(total.kinds).toEqual([{ kind: ended().request.kind, done: 2, failed: 2 }]);
      expect(total.reasons).toEqual([
        { reason: 'deadline', count: 1 },
        { reason: 'uncertain', count: 1 },
      ]);
      expect(total.refused).toEqual([
        { what: 'telegram', count: 2 },
        { what: 'discord', count: 1 },
      ]);
      expect(total.faceChecks).toEqual([
        { what: 'several', count: 2 },
        { what: 'everybody', count: 1 },
      ]);

      expect(total.tookMs?.p50).toBeGreaterThan(16_000);
      expect(total.tookMs?.p95).toBeLessThan(24_000);
      expect(total.unseenMs?.p50).toBeLessThan(2_400);
      expect(total.unseenMs?.p95).toBeGreaterThan(8_000);

      expect(points.at(-1)).toEqual(total);
      expect(points.slice(0, -1).every(({ done, tookMs }) => done === 0 && tookMs === undefined)).toBe(true);
      expect(points.length * stepMs).toBe(until - from);
    },
  );

  it.each(['before', 'after'] as const)(
    'figures count once if the store fails %s it has them',
    async (when) => {
      await clock.advance(MINUTE);

      isAway = when;
      figures.finished(ended());
      await clock.advance(30_000);
      figures.finished(ended());

      isAway = 'no';
      await clock.advance(10_000);

      expect((await figures.read('hour')).total.done).toBe(2);
      expect(new Set(batches.map(({ number }) => number)).size).toBeLessThan(batches.length);
    },
  );

  it('figures take a bounded amount of memory while the store is away', async () => {
    isAway = 'before';
    for (let minute = 0; minute < 3 * 24 * 60; minute += 30) {
      figures.finished(ended());
      clock.leap(30 * MINUTE - 11_000);
      await clock.advance(11_000);
    }

    isAway = 'no';
    await figures.stop();

    expect(Math.max(...batches.map(({ additions }) => additions.length))).toBeLessThan(150);
    expect((await figures.read('year')).total.done).toBe(144);
  });
});

describe('outages', () => {
  /** The outages of the last day in the alphabetical order of what failed. */
  const seen = async (by = figures) => {
    const { outages } = await by.read('day');
    return outages
      .map(({ what, reason, from, until, isOver }) => ({
        what,
        reason,
        seconds: Math.round((until - from) / 1000),
        isOver,
      }))
      .toSorted((one, other) => (one.what < other.what ? -1 : 1));
  };

  const discord = [{ what: 'discord' }] as const;

  it('outages last from when they are first seen until they are last seen', async () => {
    failing = [{ what: 'service-key', reason: 'credits' }, ...discord];
    await clock.advance(30_000);
    expect(await seen()).toMatchObject([{ isOver: false }, { isOver: false }]);

    failing = [...discord];
    await clock.advance(60_000);
    failing = [];
    await clock.advance(3 * MINUTE);

    expect(await seen()).toEqual([
      { what: 'discord', reason: undefined, seconds: 89, isOver: true },
      { what: 'service-key', reason: 'credits', seconds: 29, isOver: true },
    ]);
  });

  it('outages of several processes and after a restart are one, and short ones are none', async () => {
    const two = start('two');

    failing = [{ what: 'telegram' }];
    await clock.advance(40_000);
    for (const each of [figures, two]) await each.stop();
    await clock.advance(20_000);
    const next = start('three');
    await clock.advance(40_000);
    failing = [];
    await clock.advance(5 * MINUTE);

    // An outage of a few seconds is none, such as this one of the playground.
    failing = [{ what: 'web' }];
    await clock.advance(3_000);
    failing = [];
    await clock.advance(MINUTE);

    expect(await seen(next)).toEqual([{ what: 'telegram', reason: undefined, seconds: 99, isOver: true }]);
  });

  it('outages are shown before they are written, and are over as soon as nothing is seen of them', async () => {
    failing = [...discord];
    await clock.advance(8_000);
    expect(await seen()).toEqual([{ what: 'discord', reason: undefined, seconds: 7, isOver: false }]);
    expect(batches).toEqual([]);

    failing = [];
    await clock.advance(1_000);
    expect(await seen()).toEqual([{ what: 'discord', reason: undefined, seconds: 7, isOver: true }]);
  });

  it('an outage of another process is over when that process has not written for longer than it would', async () => {
    await figures.stop();
    const pair = { count: () => 2 };
    start('one', pair);
    const two = start('two', pair);

    failing = [...discord];
    await clock.advance(30_000);
    failing = [];
    await clock.advance(10_000);

    expect(await seen(two)).toMatchObject([{ isOver: false }]);

    await clock.advance(10_000);
    expect(await seen(two)).toMatchObject([{ isOver: true }]);
  });

  it('outages go on over midnight, and those of the store are named', async () => {
    clock.leap(12 * 60 * MINUTE - MINUTE);
    isAway = 'before';
    failing = [{ what: 'store' }];
    await clock.advance(2 * MINUTE);
    isAway = 'no';
    failing = [];
    await clock.advance(3 * MINUTE);

    expect(await seen()).toEqual([{ what: 'store', reason: undefined, seconds: 119, isOver: true }]);
    expect(await store.figures.read('day', 0, clock.now() + DAY)).toHaveLength(2);
  });
});

describe('credits', () => {
  const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

  const accept = async (community: string, credits: number, day = dayOf(clock.now())) => {
    const place = { ...sampleJob().place, community };
    const job = sampleJob({ state: 'opening', createdAt: clock.now(), day, credits, place });
    return (await store.jobs.accept(orderOf(job))).job;
  };

  const end = async (community: string, credits: number, day?: string): Promise<void> => {
    const job = await accept(community, credits, day);
    figures.finished(
      jobWith({ ...job, state: 'done', charge: 'spent', finishedAt: clock.now() }) as FinalJob,
    );
  };

  const communities = async () => {
    const { credits } = await figures.read('year');
    return credits.communities.map(({ community, credits }) => ({ community, credits }));
  };

  it('credits in the figures are exact by the day and include reserved ones, whatever was written', async () => {
    await end('discord:1', 5);
    await accept('discord:1', 7);
    await end('discord:2', 3, dayOf(clock.now() - DAY));
    await end('discord:dm:9', 11);
    await clock.advance(10_000);
    const { credits } = await figures.read('hour');

    expect(credits.days).toEqual([{ day: '2026-01-05', credits: 23 }]);
    // The times of an hour are those of the jobs that ended in it.
    expect(credits.total).toBe(19);
    expect(credits.others).toBe(11);
    expect(credits.communities).toEqual([
      { community: 'discord:1', credits: 5, byDay: [12] },
      { community: 'discord:2', credits: 3, byDay: [0] },
    ]);

    const year = (await figures.read('year')).credits;
    expect(year.days.slice(-3).map((each) => each.credits)).toEqual([0, 3, 23]);
    expect(year.days).toHaveLength(365);
    expect(year.total).toBe(26);
    expect(year.others).toBe(11);
    expect(await communities()).toEqual([
      { community: 'discord:1', credits: 12 },
      { community: 'discord:2', credits: 3 },
    ]);
  });

  it('months have the credits of every day, by community and by command, the current one with what is reserved', async () => {
    await end('discord:1', 5);
    await end('discord:dm:9', 11);
    await clock.advance(10_000);
    for (let day = 0; day < 45; day += 1) {
      clock.leap(DAY - 10_000);
      await clock.advance(10_000);
      while (await store.sweep());
    }
    await end('discord:1', 4);
    await accept('discord:1', 7);
    await clock.advance(10_000);

    // It is February 19.
    expect(await figures.months()).toEqual([
      {
        month: '2026-02',
        credits: 11,
        communities: [{ name: 'discord:1', credits: 11 }],
        otherCommunities: 0,
        commands: [{ name: 'faceswap', credits: 4 }],
        otherCommands: 7,
      },
      {
        month: '2026-01',
        credits: 16,
        communities: [{ name: 'discord:1', credits: 5 }],
        otherCommunities: 11,
        commands: [{ name: 'faceswap', credits: 16 }],
        otherCommands: 0,
      },
    ]);
  });

  it('credits in the figures never name a direct chat', async () => {
    for (const platform of ['discord', 'telegram', 'web']) await end(`${platform}:dm:50001`, 2);
    await clock.advance(10_000);
    for (const scale of ['minute', 'hour', 'day'] as const)
      expect(JSON.stringify(await store.figures.read(scale, 0, clock.now() + DAY))).not.toContain('dm');
    expect((await figures.read('day')).credits).toMatchObject({ total: 6, communities: [], others: 6 });
  });

  it('credits in the figures stay exact when the ledger is gone after thirty days', async () => {
    await end('discord:1', 5);
    await accept('discord:1', 7);
    await accept('discord:3', 1);
    await clock.advance(10_000);
    for (let day = 0; day < 60; day += 1) {
      clock.leap(DAY - 10_000);
      await clock.advance(10_000);
      while (await store.sweep());
    }

    expect((await store.usage.totalsOn(['2026-01-05'])).map(({ credits }) => credits)).toEqual([0]);

    const { days, others } = (await figures.read('year')).credits;
    expect(days.find(({ day }) => day === '2026-01-05')).toEqual({ day: '2026-01-05', credits: 13 });
    expect(await communities()).toEqual([{ community: 'discord:1', credits: 12 }]);
    expect(others).toBe(1);
  });
});
