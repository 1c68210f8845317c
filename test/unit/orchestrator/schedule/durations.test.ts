import { describe, expect, it } from 'vitest';
import {
  type DurationModel,
  emptyModel,
  learned,
  observe,
  polled,
} from '../../../../src/orchestrator/schedule/durations.ts';
import { expectWithin, lived, modelOf, spreadAround } from './duration-models.ts';

const median = (model: Parameters<typeof learned>[0]): number => learned(model).total.medianMs;

const before = modelOf('image', spreadAround(8_000, 0.3, 300));

describe('the learned model', () => {
  it('moves from its prior to the observations', () => {
    expectWithin(median(emptyModel('new', 'image')), 7_000, 9_500);
    expect(median(modelOf('image', spreadAround(2_000, 0.3, 30)))).toBeLessThan(2_300);
    expect(median(modelOf('image', spreadAround(40_000, 0.3, 30)))).toBeGreaterThan(34_000);
  });

  it('learns from wide intervals without using their ends as values', () => {
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

  it('is plain data of bounded size', () => {
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

  it('ignores impossible observations', () => {
    const model = emptyModel('new', 'image');
    expect(observe(model, { notBefore: Number.NaN, by: 5 })).toBe(model);
    expect(observe(model, { notBefore: 5, by: Number.NaN })).toBe(model);
  });

  it.each([
    ['slower', 30_000],
    ['faster', 2_500],
  ])('detects within a dozen jobs that all have become %s', (_, after) => {
    const model = spreadAround(after, 0.3, 12).reduce(
      (soFar, duration, i) => lived(soFar, duration, i * 10_000),
      before,
    );
    expect(model.seen.length).toBeLessThanOrEqual(12);
    expectWithin(median(model) / after, 0.75, 1.33);
  });

  it('detects that all have become slower before the first slow job is finished', () => {
    const model = Array.from({ length: 10 }, (_, i) => i * 1_000).reduce(
      (soFar, submittedAt) => polled(soFar, { from: 0, to: 12_000, finished: false, submittedAt }),
      before,
    );
    expect(median(model)).toBeGreaterThan(11_000);
  });

  it('does not treat one stuck job or jobs submitted together as a change', () => {
    let stuck = before;
    for (let age = 0; age < 600_000; age += 5_000) {
      stuck = polled(stuck, { from: age, to: age + 5_000, finished: false, submittedAt: 1_000 });
    }
    expect(median(stuck)).toBe(median(before));
    const together = Array.from({ length: 50 }).reduce<DurationModel>(
      (soFar) => polled(soFar, { from: 0, to: 20_000, finished: false, submittedAt: 1_000 }),
      before,
    );
    expect(median(together)).toBe(median(before));
  });

  it('does not treat the quick jobs of a batch, which finish first, as a change', () => {
    let model = modelOf('image', spreadAround(8_000, 0.35, 200));
    const settled = median(model);
    const batch = spreadAround(8_000, 0.35, 100).map((duration, i) => ({ duration, submittedAt: i * 100 }));
    // All are polled every second, side by side.
    for (let now = 1_000; now < 60_000; now += 1_000) {
      for (const { duration, submittedAt } of batch) {
        const [from, to] = [Math.max(0, now - 1_000 - submittedAt), now - submittedAt];
        if (to <= 0 || duration <= from) continue;
        model = polled(model, { from, to, finished: duration <= to, submittedAt });
        if (duration <= to) model = observe(model, { notBefore: from, by: to, submittedAt });
      }
    }
    expect(model.seen.length).toBeGreaterThan(190);
    expectWithin(median(model) / settled, 0.9, 1.1);
  });

  it('keeps the shape learned from the first jobs when later polls are few', () => {
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
    const { survival } = learned(model).total;
    expect(survival(3_000)).toBeGreaterThan(0.95);
    expect(survival(5_500) - survival(11_000)).toBeLessThan(0.1);
  });

  it('continues with what an earlier version stored', () => {
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
    expect([scoutsWanted, drift]).toEqual([0, expect.any(Array)]);
  });

  it('has one stage for a kind that reports waiting until it is finished', () => {
    const model = spreadAround(8_000, 0.3, 60).reduce(
      (soFar, duration) =>
        observe(soFar, {
          notBefore: duration - 300,
          by: duration + 300,
          queuedUntil: { notBefore: duration - 300, by: duration + 300 },
        }),
      emptyModel('always-queued', 'image'),
    );
    expect(learned(model).staged).toBeUndefined();
  });

  it('keeps what it learned while nothing changes, whatever the shape', () => {
    const two = spreadAround(4_000, 0.15, 300).map((duration, i) => (i % 5 < 3 ? duration : duration * 4));
    const model = two.reduce(
      (soFar, duration, i) => lived(soFar, duration, i * 400),
      emptyModel('two', 'image'),
    );
    expect(model.seen.length + (model.scouts?.length ?? 0)).toBe(300);
  });
});
