import { describe, expect, it } from 'vitest';
import { emptyModel, learned, observe } from '../../../src/orchestrator/durations.ts';
import { modelOf, spreadAround } from './duration-models.ts';

const median = (model: Parameters<typeof learned>[0]): number => learned(model).total.medianMs;

describe('the learned model', () => {
  it('moves from its prior to what is seen', () => {
    expect(median(emptyModel('new', 'image'))).toBeGreaterThan(7_000);
    expect(median(emptyModel('new', 'image'))).toBeLessThan(9_500);
    expect(median(modelOf('image', spreadAround(2_000, 0.3, 30)))).toBeLessThan(2_300);
    expect(median(modelOf('image', spreadAround(40_000, 0.3, 30)))).toBeGreaterThan(34_000);
  });

  it('learns from wide intervals without taking their ends for the truth', () => {
    // Looks at 6, 9 and 14 s only: the counts in between say that the median is near 8 s.
    const bounds = [0, 6_000, 9_000, 14_000, 40_000];
    const model = spreadAround(8_000, 0.35, 200).reduce(
      (soFar, duration) => {
        const by = bounds.findIndex((bound) => bound >= duration);
        return observe(soFar, { notBefore: bounds[by - 1] ?? 0, by: bounds[by] ?? 0 });
      },
      emptyModel('wide', 'image', { medianMs: 20_000, sigma: 0.5 }),
    );
    expect(median(model)).toBeGreaterThan(7_300);
    expect(median(model)).toBeLessThan(8_700);
  });

  it('is plain data of bounded size', () => {
    const durations = spreadAround(100_000, 0.4, 900);
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
    expect(json.length).toBeLessThan(16_000);
    expect(JSON.parse(json)).toEqual(model);
    expect(model.seen.length).toBeLessThanOrEqual(300);
  });

  it('ignores what cannot be an observation', () => {
    const model = emptyModel('new', 'image');
    expect(observe(model, { notBefore: Number.NaN, by: 5 })).toBe(model);
    expect(observe(model, { notBefore: 5, by: Number.NaN })).toBe(model);
  });

  it.each([
    ['slower', 30_000],
    ['faster', 2_500],
  ])('notices within a dozen jobs that all have become %s', (_, after) => {
    const before = modelOf('image', spreadAround(8_000, 0.3, 300));
    const model = spreadAround(after, 0.3, 12).reduce(
      (soFar, duration, i) =>
        observe(soFar, { notBefore: duration * 0.97, by: duration * 1.03, submittedAt: i * 10_000 }),
      before,
    );
    expect(model.seen.length).toBeLessThanOrEqual(12);
    expect(median(model) / after).toBeGreaterThan(0.75);
    expect(median(model) / after).toBeLessThan(1.33);
  });

  it('does not take the quick jobs of a batch, which finish first, for a shift', () => {
    const before = modelOf('image', spreadAround(8_000, 0.35, 200));
    const batch = spreadAround(8_000, 0.35, 100).toSorted((a, b) => a - b);
    const model = batch.reduce(
      (soFar, duration, i) =>
        observe(soFar, { notBefore: duration * 0.97, by: duration * 1.03, submittedAt: i }),
      before,
    );
    expect(model.seen.length).toBe(300);
  });

  it('does not tell stages apart for a kind that says it is waiting until it is finished', () => {
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

  it('keeps its memory while nothing changes, whatever the shape', () => {
    const two = spreadAround(4_000, 0.15, 300).map((duration, i) => (i % 5 < 3 ? duration : duration * 4));
    expect(modelOf('image', two).seen.length).toBeGreaterThan(250);
  });
});
