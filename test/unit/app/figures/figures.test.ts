import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFigures } from '../../../../src/app/figures/figures.ts';
import type { Failing } from '../../../../src/app/figures/outage-watch.ts';
import { RANGES } from '../../../../src/console/pages/shown-figures.ts';
import type { FinalJob } from '../../../../src/orchestrator/job/job.ts';
import { openStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import type { FigureBatch } from '../../../../src/store/tables/figures.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { soleMember } from '../../../fakes/sole-member.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let clock: FakeClock;
let store: SqliteStore;
let failing: Failing[];
let isAway: 'no' | 'before' | 'after';
let batches: FigureBatch[];
beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 0, 5, 12));
  store = await openStore({ path: ':memory:', keys: [], now: clock.now });
  failing = [];
  isAway = 'no';
  batches = [];
});
afterEach(() => store.close());

const away = new Error('the store is away');
const figuresOf = (writer = 'one', members: { count(): number } = soleMember) => {
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
  const figures = createFigures({
    ...{ records, usage: store.usage, clock, log, writer, members },
    failing: () => failing,
  });
  figures.start();
  return figures;
};
const ended = (more: JobFields = {}): FinalJob => {
  const now = clock.now();
  const job = jobWith({
    ...sampleJob({ createdAt: now - 20_000, day: new Date(now).toISOString().slice(0, 10) }),
    ...{ submittedAt: now - 19_000, finishedAt: now, lastLookAt: now - 2_000, looks: 3, serviceId: 'x' },
    ...{ charge: 'spent', credits: 3, ...more, state: more.state ?? 'done' },
  });
  return job as FinalJob;
};

describe('figures', () => {
  it('of jobs are read after ten seconds, by every range, and outlive the process', async () => {
    const figures = figuresOf();
    figures.finished(ended());
    figures.finished(ended({ lastLookAt: clock.now() - 10_000 }));
    figures.finished(ended({ state: 'failed', failure: { code: 'deadline' }, charge: 'returned' }));
    figures.finished(ended({ state: 'uncertain' }));
    figures.finished(ended({ state: 'cancelled' }));
    for (const platform of ['discord', 'telegram', 'telegram']) figures.refused(platform);
    for (const event of ['several', 'several', 'everybody'] as const) figures.looked(event);
    await clock.advance(10_000);
    await figures.stop();
    const next = figuresOf('two');
    for (const range of RANGES) {
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
      expect(total.looks).toEqual([
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
    }
    await next.stop();
  });

  it.each(['before', 'after'] as const)(
    'are counted once when the store fails %s it has them',
    async (when) => {
      const figures = figuresOf();
      await clock.advance(MINUTE);
      isAway = when;
      figures.finished(ended());
      await clock.advance(30_000);
      figures.finished(ended());
      isAway = 'no';
      await clock.advance(10_000);
      expect((await figures.read('hour')).total.done).toBe(2);
      expect(new Set(batches.map(({ number }) => number)).size).toBeLessThan(batches.length);
      await figures.stop();
    },
  );

  it('take a bounded amount of memory while the store is away', async () => {
    const figures = figuresOf();
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
  const seen = async (figures: ReturnType<typeof figuresOf>) =>
    (await figures.read('day')).outages
      .map(({ what, reason, from, until, isOver }) => ({
        ...{ what, reason, isOver },
        seconds: Math.round((until - from) / 1000),
      }))
      .toSorted((one, other) => (one.what < other.what ? -1 : 1));

  it('last from when they are first seen until they are last seen', async () => {
    const figures = figuresOf();
    failing = [{ what: 'service-key', reason: 'credits' }, { what: 'discord' }];
    await clock.advance(30_000);
    expect((await seen(figures)).map(({ isOver }) => isOver)).toEqual([false, false]);
    failing = [{ what: 'discord' }];
    await clock.advance(60_000);
    failing = [];
    await clock.advance(3 * MINUTE);
    expect(await seen(figures)).toEqual([
      { what: 'discord', reason: undefined, seconds: 89, isOver: true },
      { what: 'service-key', reason: 'credits', seconds: 29, isOver: true },
    ]);
    await figures.stop();
  });

  it('of several processes and after a restart are one; short ones are none', async () => {
    const [one, two] = [figuresOf('one'), figuresOf('two')];
    failing = [{ what: 'telegram' }];
    await clock.advance(40_000);
    await one.stop();
    await two.stop();
    await clock.advance(20_000);
    const next = figuresOf('three');
    await clock.advance(40_000);
    failing = [];
    await clock.advance(5 * MINUTE);
    failing = [{ what: 'web' }];
    await clock.advance(3_000);
    failing = [];
    await clock.advance(MINUTE);
    expect(await seen(next)).toEqual([{ what: 'telegram', reason: undefined, seconds: 99, isOver: true }]);
    await next.stop();
  });

  it('are told before they are written, and are over as soon as nothing is seen of them', async () => {
    const figures = figuresOf();
    failing = [{ what: 'discord' }];
    await clock.advance(8_000);
    expect(await seen(figures)).toMatchObject([{ what: 'discord', seconds: 7, isOver: false }]);
    expect(batches).toEqual([]);
    failing = [];
    await clock.advance(1_000);
    expect(await seen(figures)).toMatchObject([{ what: 'discord', seconds: 7, isOver: true }]);
    await figures.stop();
  });

  it('of another process are over when it has not written for longer than it would', async () => {
    const pair = { count: () => 2 };
    const [one, two] = [figuresOf('one', pair), figuresOf('two', pair)];
    failing = [{ what: 'discord' }];
    await clock.advance(30_000);
    failing = [];
    await clock.advance(10_000);
    expect((await seen(two)).map(({ isOver }) => isOver)).toEqual([false]);
    await clock.advance(10_000);
    expect((await seen(two)).map(({ isOver }) => isOver)).toEqual([true]);
    await one.stop();
    await two.stop();
  });

  it('go on over midnight, and tell of the store', async () => {
    const figures = figuresOf();
    clock.leap(12 * 60 * MINUTE - MINUTE);
    isAway = 'before';
    failing = [{ what: 'store' }];
    await clock.advance(2 * MINUTE);
    isAway = 'no';
    failing = [];
    await clock.advance(3 * MINUTE);
    expect(await seen(figures)).toMatchObject([{ what: 'store', seconds: 119, isOver: true }]);
    expect(await store.figures.read('day', 0, clock.now() + DAY)).toHaveLength(2);
    await figures.stop();
  });
});
