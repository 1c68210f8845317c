import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunningJob } from '../../../../src/orchestrator/job/job.ts';
import {
  type DurationModel,
  emptyModel,
  learned,
  observe,
} from '../../../../src/orchestrator/schedule/durations.ts';
import { merge } from '../../../../src/orchestrator/schedule/merge.ts';
import { createTiming, durationRecords } from '../../../../src/orchestrator/schedule/timing.ts';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import { standardTimes } from '../../../fakes/job-ports.ts';
import { interleaved } from '../../../fakes/records.ts';
import { orderOf } from '../world.ts';
import { lived, modelOf, spreadAround } from './duration-models.ts';

const { dailyCredits: _, answer: __, ...order } = orderOf('ann');
const submitted = (submittedAt: number): RunningJob => ({
  ...order,
  id: `job-${submittedAt}`,
  state: 'running',
  day: '2026-01-05',
  charge: 'spent',
  createdAt: submittedAt,
  submittedAt,
  serviceId: `service-${submittedAt}`,
  looks: 0,
  attempts: 0,
  shownProgress: 0,
  settled: false,
  version: 1,
});

const kind = order.request.kind;
const model = modelOf('image', spreadAround(8_000, 0.3, 200));
type Options = Parameters<typeof createTiming>[0];
const create = (more: Partial<Options> = {}) =>
  createTiming({
    models: { get: async () => model, update: async () => undefined },
    callsPerSecond: 20,
    floorsMs: standardTimes.floorsMs,
    random: () => 0.5,
    ...more,
  });

it('planned polls are postponed once other jobs were unfinished for too long', async () => {
  const timing = create();
  await timing.load();
  for (let i = 0; i < 60; i++) timing.began(kind);
  const planned = submitted(50_000);
  const due = timing.nextPoll(planned, 50_000);
  expect(timing.postponed(planned, due)).toBeUndefined();
  for (let at = 40_000; at < 52_000; at += 500) timing.sawUnfinished(submitted(at), at + 13_000);
  expect(timing.postponed(planned, due)).toBeGreaterThan(due + 1_000);
  expect(timing.postponed({ ...planned, attempts: 1 }, due)).toBeUndefined();
});

it.each([0, 1, 160, 640])('the price of a poll is that of all jobs, of which this process runs %i', (own) => {
  const nextPoll = (began: number, inAll?: number): number => {
    const timing = create();
    for (let i = 0; i < began; i++) timing.began(kind);
    if (inAll !== undefined) timing.runningInAll(inAll);
    return timing.nextPoll({ ...submitted(0), lastLookAt: 8_000 }, 8_000);
  };
  const alone = nextPoll(160);
  expect(nextPoll(own, 160)).toBe(alone);
  expect(nextPoll(own, 640)).toBeGreaterThan(alone);
  expect(nextPoll(own, 40)).toBeLessThan(alone);
});

describe('what several processes learn', () => {
  const start = async (models: ReturnType<typeof interleaved>) => {
    const timing = create({ models, shared: true });
    await timing.load();
    return timing;
  };
  const open = async () => {
    const store = await openStore({ path: ':memory:', keys: [] });
    onTestFinished(() => store.close());
    return store.keyv('durations', durationRecords);
  };
  const seenIn = (model: DurationModel | undefined) =>
    [...(model?.scouts ?? []), ...(model?.seen ?? [])].map(([, by]) => by).toSorted((a, b) => a - b);

  it.each([1, 2, 3])('is stored once each, and known to all (seed %i)', async (seed) => {
    const models = await open();
    const timings = await Promise.all(
      [1, 2, 3].map((process) => start(interleaved(models, seed + process * 100))),
    );
    const durations: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        timings.map(async (timing, process) => {
          const by = 5_000 + 100 * round + process;
          durations.push(by);
          const saving = round % 4 === process ? timing.save() : undefined;
          timing.sawFinished(submitted(round * 1_000), round * 1_000 + by);
          await saving;
        }),
      );
    }
    for (const timing of timings) await timing.save();
    const stored = await models.get<DurationModel>(kind);
    expect(seenIn(stored)).toEqual(durations.toSorted((a, b) => a - b));
    expect(stored?.scouts).toHaveLength(60);
    expect(stored?.scoutsWanted).toBe(40);
    for (const timing of timings.slice(0, 2)) await timing.save();
    const at = timings.map((timing) => timing.nextPoll(submitted(1e6), 1e6));
    expect(new Set(at).size).toBe(1);
  });

  it('is as much as one process would know that saw everything', () => {
    const stored = modelOf('image', spreadAround(8_000, 0.3, 120));
    const more = spreadAround(9_000, 0.4, 40);
    const learn = (model: DurationModel, durations: readonly number[]) =>
      durations.reduce((before, each) => observe(before, { notBefore: each * 0.97, by: each * 1.03 }), model);
    const alone = learn(stored, more);
    const others = learn(stored, more.slice(0, 20));
    const both = merge(others, stored, learn(stored, more.slice(20)));
    expect(seenIn(both)).toEqual(seenIn(alone));
    expect(learned(both).total.medianMs / learned(alone).total.medianMs).toBeCloseTo(1, 1);
    // Nobody else has learned anything.
    const same = merge(stored, stored, alone);
    expect(same.seen).toEqual(alone.seen);
    for (const [shape, score] of same.beliefs.total.scores.entries())
      expect(score).toBeCloseTo(alone.beliefs.total.scores[shape] ?? Number.NaN, 9);
    expect(merge(undefined, emptyModel('test', 'image'), alone)).toBe(alone);
  });

  it('follows a change of all durations once, whoever notices it', () => {
    const base = modelOf('image', spreadAround(8_000, 0.3, 200));
    const slower = (from: number): DurationModel => {
      let model = base;
      for (const [index, each] of spreadAround(16_000, 0.3, 40).entries())
        model = lived(model, each, from + index * 20_000);
      return model;
    };
    const [one, two] = [slower(1e6), slower(2e6)];
    expect([one.moves, two.moves]).toEqual([1, 1]);
    const first = merge(base, base, one);
    expect(first).toBe(one);
    const second = merge(first, base, two);
    expect(second.moves).toBe(1);
    expect(learned(second).total.medianMs / 16_000).toBeCloseTo(1, 0);
  });
});
