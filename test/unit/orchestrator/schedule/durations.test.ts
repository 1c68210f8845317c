// @module-tag slow
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunningJob } from '../../../../src/orchestrator/job/job.ts';
import {
  type DurationModel,
  durationTables,
  emptyModel,
  merge,
  observe,
  observePoll,
} from '../../../../src/orchestrator/schedule/durations.ts';
import { createTiming, durationRecordRules } from '../../../../src/orchestrator/schedule/timing.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import { expectWithin, lived, modelOf, spreadAround } from '../../../fakes/duration-models.ts';
import { standardTimes } from '../../../fakes/job-ports.ts';
import { interleaved } from '../../../fakes/records.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

const median = (model: Parameters<typeof durationTables>[0]): number => durationTables(model).total.medianMs;

const before = modelOf('image', spreadAround(8_000, 0.3, 300));

describe('the learned model', () => {
  it('the learned model moves from its prior to the observations', () => {
    expectWithin(median(emptyModel('new', 'image')), 7_000, 9_500);
    expect(median(modelOf('image', spreadAround(2_000, 0.3, 30)))).toBeLessThan(2_300);
    expect(median(modelOf('image', spreadAround(40_000, 0.3, 30)))).toBeGreaterThan(34_000);
  });

  it('the learned model learns from wide intervals without using their ends as values', () => {
    // Looks at 6, 9 and 14 s only: the counts in between say that the median is near 8 s.
    const bounds = [0, 6_000, 9_000, 14_000, 40_000];
    const model = spreadAround(8_000, 0.35, 200).reduce(
      (soFar, duration) => {
        const by = bounds.findIndex((bound) => bound >= duration);
        return observe(soFar, { notBefore: bounds[by - 1] ?? 0, by: bounds[by] ?? 0 });
      },
      emptyModel('wide', 'image', { medianMs: 20_000, sigma: 0.5 }),
    );
    expectWithin(median(model), 7_300, 8_700);
  });

  it('the learned model is plain data of bounded size', () => {
    const durations = spreadAround(100_000, 0.4, 450);
    const model = durations.reduce(
      (soFar, duration) =>
        observe(soFar, {
          notBefore: duration - 2_345,
          by: duration + 2_345,
          queuedUntil: { notBefore: duration / 3, by: duration / 2 },
          submittedAt: 1_800_000_000_000,
        }),
      emptyModel('a-kind-with-a-name', 'video'),
    );
    const json = JSON.stringify(model);

    expect(json.length).toBeLessThan(20_000);
    expect(JSON.parse(json)).toEqual(model);
    expect(model.seen.length + (model.scouts?.length ?? 0)).toBeLessThanOrEqual(400);
  });

  it('the learned model ignores impossible observations', () => {
    const model = emptyModel('new', 'image');
    expect(observe(model, { notBefore: Number.NaN, by: 5 })).toBe(model);
    expect(observe(model, { notBefore: 5, by: Number.NaN })).toBe(model);
  });

  it.each([
    { what: 'slower', after: 30_000 },
    { what: 'faster', after: 2_500 },
  ])('the learned model detects within a dozen jobs that all have become $what', ({ after }) => {
    const model = spreadAround(after, 0.3, 12).reduce(
      (soFar, duration, i) => lived(soFar, duration, i * 10_000),
      before,
    );
    expect(model.seen.length).toBeLessThanOrEqual(12);
    expectWithin(median(model) / after, 0.75, 1.33);
  });

  it('the learned model detects that all have become slower before the first slow job is finished', () => {
    const model = Array.from({ length: 10 }, (_, i) => i * 1_000).reduce(
      (soFar, submittedAt) => observePoll(soFar, { from: 0, to: 12_000, finished: false, submittedAt }),
      before,
    );
    expect(median(model)).toBeGreaterThan(11_000);
  });

  it('the learned model does not treat one stuck job or jobs submitted together as a change', () => {
    let stuck = before;
    for (let age = 0; age < 600_000; age += 5_000) {
      stuck = observePoll(stuck, { from: age, to: age + 5_000, finished: false, submittedAt: 1_000 });
    }

    expect(median(stuck)).toBe(median(before));

    const together = Array.from({ length: 50 }).reduce<DurationModel>(
      (soFar) => observePoll(soFar, { from: 0, to: 20_000, finished: false, submittedAt: 1_000 }),
      before,
    );
    expect(median(together)).toBe(median(before));
  });

  it('the learned model does not treat the quick jobs of a batch, which finish first, as a change', () => {
    let model = modelOf('image', spreadAround(8_000, 0.35, 200));
    const settled = median(model);
    const batch = spreadAround(8_000, 0.35, 100).map((duration, i) => ({ duration, submittedAt: i * 100 }));

    // All jobs of the batch are polled every second, side by side.
    for (let now = 1_000; now < 60_000; now += 1_000) {
      for (const { duration, submittedAt } of batch) {
        const from = Math.max(0, now - 1_000 - submittedAt);
        const to = now - submittedAt;
        if (to <= 0 || duration <= from) continue;
        model = observePoll(model, { from, to, finished: duration <= to, submittedAt });
        if (duration <= to) model = observe(model, { notBefore: from, by: to, submittedAt });
      }
    }

    expect(model.seen.length).toBeGreaterThan(190);
    expectWithin(median(model) / settled, 0.9, 1.1);
  });

  it('the learned model keeps the shape learned from the first jobs when later polls are few', () => {
    // Two sorts of jobs, and after the first hundred only looks at 6 and 20 s.
    const duration = (i: number): number => (i % 5 < 3 ? 4_000 : 14_000) * (0.85 + ((i * 0.618) % 0.3));
    let model = emptyModel('two-sorts', 'image');

    for (let i = 0; i < 100; i++) {
      model = observe(model, { notBefore: duration(i) - 200, by: duration(i) + 200, submittedAt: i });
    }
    for (let i = 100; i < 600; i++) {
      const [notBefore, by] = duration(i) < 6_000 ? [0, 6_000] : [6_000, 20_000];
      model = observe(model, { notBefore, by, submittedAt: i });
    }
    const { survival } = durationTables(model).total;

    expect(survival(3_000)).toBeGreaterThan(0.95);
    expect(survival(5_500) - survival(11_000)).toBeLessThan(0.1);
  });

  it('the learned model continues with what an earlier version stored', () => {
    const { scouts, scoutsWanted, drift, ...now } = modelOf('image', spreadAround(30_000, 0.3, 200));
    const stored = {
      ...now,
      beliefs: { ...now.beliefs, total: { ...now.beliefs.total, scores: [0, -3.2, -7.5] } },
      slower: { sum: 1.2, run: 2, since: 12 },
      faster: { sum: 0, run: 0, since: null },
    };

    expect(now.seen.length).toBe(100);

    const copy: DurationModel = JSON.parse(JSON.stringify(stored));
    expect(median(copy)).toBeGreaterThan(26_000);
    expect(median(lived(copy, 31_000, 1_000))).toBeGreaterThan(26_000);
    expect(scouts?.length).toBe(100);
    expect(scoutsWanted).toBe(0);
    expect(drift).toEqual(expect.any(Array));
  });

  it('the learned model has one stage for a kind that reports waiting until it is finished', () => {
    const model = spreadAround(8_000, 0.3, 60).reduce(
      (soFar, duration) =>
        observe(soFar, {
          notBefore: duration - 300,
          by: duration + 300,
          queuedUntil: { notBefore: duration - 300, by: duration + 300 },
        }),
      emptyModel('always-queued', 'image'),
    );
    expect(durationTables(model).staged).toBeUndefined();
  });

  it('the learned model keeps what it learned while nothing changes, whatever the shape', () => {
    const two = spreadAround(4_000, 0.15, 300).map((duration, i) => (i % 5 < 3 ? duration : duration * 4));
    const model = two.reduce(
      (soFar, duration, i) => lived(soFar, duration, i * 400),
      emptyModel('two', 'image'),
    );
    expect(model.seen.length + (model.scouts?.length ?? 0)).toBe(300);
  });
});

const submitted = (submittedAt: number): RunningJob =>
  sampleJob({ state: 'running', createdAt: submittedAt, submittedAt, serviceId: `service-${submittedAt}` });

const { kind } = submitted(0).request;
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
    const store = await openSqliteStore({ path: ':memory:', keys: [] });
    onTestFinished(() => store.close());
    return store.keyv('durations', durationRecordRules);
  };
  const seenIn = (model: DurationModel | undefined) =>
    [...(model?.scouts ?? []), ...(model?.seen ?? [])].map(([, by]) => by).toSorted((a, b) => a - b);

  it.each([1, 2, 3])(
    'what several processes learn is stored once each, and known to all (seed %i)',
    async (seed) => {
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
    },
  );

  it('what several processes learn is as much as one process would know that saw everything', () => {
    const stored = modelOf('image', spreadAround(8_000, 0.3, 120));
    const more = spreadAround(9_000, 0.4, 40);
    const learn = (model: DurationModel, durations: readonly number[]) =>
      durations.reduce((before, each) => observe(before, { notBefore: each * 0.97, by: each * 1.03 }), model);
    const alone = learn(stored, more);
    const others = learn(stored, more.slice(0, 20));
    const both = merge(others, stored, learn(stored, more.slice(20)));

    expect(seenIn(both)).toEqual(seenIn(alone));
    expect(durationTables(both).total.medianMs / durationTables(alone).total.medianMs).toBeCloseTo(1, 1);

    // Nobody else has learned anything.
    const same = merge(stored, stored, alone);
    expect(same.seen).toEqual(alone.seen);
    for (const [shape, score] of same.beliefs.total.scores.entries())
      expect(score).toBeCloseTo(alone.beliefs.total.scores[shape] ?? Number.NaN, 9);
    expect(merge(undefined, emptyModel('test', 'image'), alone)).toBe(alone);
  });

  it('what several processes learn follows a change of all durations once, whoever notices it', () => {
    const base = modelOf('image', spreadAround(8_000, 0.3, 200));
    const slower = (from: number): DurationModel => {
      let model = base;
      for (const [index, each] of spreadAround(16_000, 0.3, 40).entries())
        model = lived(model, each, from + index * 20_000);
      return model;
    };
    const one = slower(1e6);
    const two = slower(2e6);

    expect(one.moves).toBe(1);
    expect(two.moves).toBe(1);

    const first = merge(base, base, one);
    expect(first).toBe(one);

    const second = merge(first, base, two);
    expect(second.moves).toBe(1);
    expect(durationTables(second).total.medianMs / 16_000).toBeCloseTo(1, 0);
  });
});
