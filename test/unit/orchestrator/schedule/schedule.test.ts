import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DurationModel,
  emptyModel,
  learned,
  type Output,
  observe,
} from '../../../../src/orchestrator/schedule/durations.ts';
import {
  nextPoll as nextPollOf,
  type PollInput,
  postponed as postponedOf,
} from '../../../../src/orchestrator/schedule/schedule.ts';
import { standardTimes } from '../../../fakes/job-ports.ts';
import { modelOf, modelOfArrays, spreadAround } from './duration-models.ts';

/** With the least time between polls that the settings have at first. */
type AnyInput = Omit<PollInput, 'floorMs'> & { readonly floorMs?: number; readonly output: Output };
const withFloor = ({ output, ...input }: AnyInput): PollInput => ({
  floorMs: standardTimes.floorsMs[output],
  ...input,
});
const nextPoll = (input: AnyInput): number => nextPollOf(withFloor(input));
const postponed = (input: AnyInput): number | undefined => postponedOf(withFloor(input));

const image = modelOf('image', spreadAround(8_000, 0.35, 200));
const video = modelOf('video', spreadAround(100_000, 0.25, 200));

function looks(
  model: DurationModel,
  { price = 50, floorMs = 0, output = 'image' as Output, until = 60_000 } = {},
) {
  const times: number[] = [];
  let lastLookAt: number | undefined;
  while ((lastLookAt ?? 0) < until && times.length < 10_000) {
    lastLookAt = nextPoll({
      model,
      output,
      submittedAt: 0,
      now: lastLookAt ?? 0,
      lastLookAt,
      price,
      floorMs,
    });
    times.push(lastLookAt);
  }
  return times;
}

const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, i) => time - (times[i] ?? 0));

describe('nextPoll', () => {
  it('does not poll while completion is impossible, and polls most often where it is likely', () => {
    const times = looks(image);
    expect(times[0]).toBeGreaterThan(2_500);
    expect(times[0]).toBeLessThan(6_000);
    const around = (from: number, to: number) =>
      times.filter((time) => time >= from && time < to).length / (to - from);
    expect(around(6_000, 10_000)).toBeGreaterThan(2 * around(0, 4_000));
    expect(around(6_000, 10_000)).toBeGreaterThan(2 * around(30_000, 60_000));
  });

  it('does not poll between two peaks', () => {
    const model = modelOf('image', [...spreadAround(4_000, 0.1, 120), ...spreadAround(20_000, 0.1, 80)]);
    const times = looks(model, { price: 20, until: 40_000 });
    const inGap = times.filter((time) => time > 6_500 && time < 14_000).length;
    const atSecondPeak = times.filter((time) => time > 16_000 && time < 24_000).length;
    expect(inGap).toBeLessThanOrEqual(2);
    expect(atSecondPeak).toBeGreaterThanOrEqual(6);
  });

  it('polls a job older than all others at growing but bounded intervals', () => {
    const times = looks(image, { price: 150, until: 6 * 3_600_000 });
    const intervals = gaps(times);
    const at = (age: number) => intervals[times.findIndex((time) => time >= age)] ?? 0;
    expect(at(60_000)).toBeGreaterThan(at(20_000));
    expect(Math.max(...intervals)).toBeLessThan(60_000);
    expect(times.at(-1)).toBeGreaterThan(6 * 3_600_000 - 1);
  });

  it('polls an unknown kind by its output only', () => {
    const first = nextPoll({
      model: emptyModel('new', 'video'),
      output: 'video',
      submittedAt: 0,
      now: 0,
      price: 500,
    });
    expect(first).toBeGreaterThan(8_000);
    expect(first).toBeLessThan(30_000);
  });

  it('polls the jobs it learns from more often: all at first, then one in a hundred', () => {
    const look = (model: DurationModel, submittedAt: number) =>
      nextPoll({ model, output: 'image', submittedAt, now: submittedAt, price: 2_000 }) - submittedAt;
    const young = modelOf('image', spreadAround(8_000, 0.35, 90));
    expect(look(young, 1_000)).toBeLessThan(look(image, 1_000));
    const early = Array.from({ length: 10_000 }, (_, i) => look(image, i * 977)).filter(
      (age) => age < look(image, 1_000) - 500,
    );
    expect(early.length).toBeGreaterThan(50);
    expect(early.length).toBeLessThan(200);
  });

  it('postpones a poll that is clearly too early when it is due, and no other', () => {
    const base = { output: 'image' as const, submittedAt: 0, price: 500 };
    const slower = modelOf('image', spreadAround(24_000, 0.35, 200));
    for (const random of [0, 0.5, 0.99]) {
      const due = nextPoll({ ...base, model: image, now: 0, random });
      expect(postponed({ ...base, model: image, now: due })).toBeUndefined();
      expect(postponed({ ...base, model: slower, now: due })).toBeGreaterThan(1.5 * due);
    }
  });

  it('keeps the floor of the output unless told another', () => {
    for (const gap of gaps(
      looks(video, { price: 5, floorMs: standardTimes.floorsMs.video, output: 'video', until: 200_000 }),
    )) {
      expect(gap).toBeGreaterThanOrEqual(5_000 - 1e-6);
    }
    const dense = gaps(looks(video, { price: 5, output: 'video', until: 110_000 }));
    expect(Math.min(...dense)).toBeLessThan(1_000);
  });

  it('spreads the first polls of jobs submitted together around the same mean', () => {
    const at = (random: number) =>
      nextPoll({ model: image, output: 'image', submittedAt: 0, now: 0, price: 500, random });
    expect(at(0.1)).toBeLessThan(at(0.5));
    expect(at(0.9)).toBeGreaterThan(at(0.5));
    expect((at(0.1) + at(0.9)) / 2).toBeCloseTo(at(0.5), 0);
  });

  const inputs = fc.record({
    model: modelOfArrays(),
    output: fc.constantFrom<Output>('image', 'video'),
    submittedAt: fc.integer({ min: 0, max: 2_000_000_000_000 }),
    sinceLook: fc.option(fc.integer({ min: 0, max: 50_000_000 })),
    lateBy: fc.integer({ min: 0, max: 10_000_000 }),
    lastStatus: fc.constantFrom('waiting' as const, 'running' as const, undefined),
    price: fc.double({ min: 0, max: 1e7, noNaN: true }),
    floorMs: fc.integer({ min: 0, max: 60_000 }),
    random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  });
  const asLook = ({
    sinceLook,
    lateBy,
    ...rest
  }: typeof inputs extends fc.Arbitrary<infer T> ? T : never) => {
    const lastLookAt = sinceLook === null ? undefined : rest.submittedAt + sinceLook;
    return { ...rest, lastLookAt, now: (lastLookAt ?? rest.submittedAt) + lateBy };
  };

  it('is finite, not in the past, not below the floor, and the same for the same input', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const look = asLook(input);
        const due = nextPoll(look);
        expect(Number.isFinite(due)).toBe(true);
        expect(due).toBeGreaterThanOrEqual(look.now);
        expect(due).toBeGreaterThanOrEqual((look.lastLookAt ?? look.submittedAt) + look.floorMs - 1e-3);
        const copy: DurationModel = JSON.parse(JSON.stringify(look.model));
        expect(nextPoll({ ...look, model: copy })).toBe(due);
      }),
      { numRuns: 60 },
    );
  });

  it('never comes earlier when asked later', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 0, max: 1_000_000 }), (input, later) => {
        const look = asLook(input);
        expect(nextPoll({ ...look, now: look.now + later })).toBeGreaterThanOrEqual(nextPoll(look));
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on the unit of time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -60, max: 100 }),
        fc.integer({ min: 160, max: 2_000 }),
        (cells, price) => {
          const scale = Math.exp(cells * 0.02);
          const times = spreadAround(8_000, 0.3, 40);
          const scaled = modelOf(
            'image',
            times.map((time) => time * scale),
            { medianMs: 8_000 * scale, sigma: 0.5 },
          );
          const plain = modelOf('image', times, { medianMs: 8_000, sigma: 0.5 });
          const first = looks(plain, { price, until: 1 })[0] ?? 0;
          const firstScaled = looks(scaled, { price: price * scale, until: 1 })[0] ?? 0;
          expect(firstScaled / scale / first).toBeGreaterThan(0.97);
          expect(firstScaled / scale / first).toBeLessThan(1.03);
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('nextPoll where waiting and running are distinguished', () => {
  /** Queues for 5 to 60 s, then runs for 8 s or so. */
  const staged = Array.from({ length: 120 }, (_, i) => 5_000 + ((i * 37) % 110) * 500).reduce(
    (model, queue, i) => {
      const finish = queue + 7_000 + (i % 20) * 100;
      return observe(model, {
        notBefore: finish - 300,
        by: finish + 300,
        queuedUntil: { notBefore: queue - 300, by: queue + 300 },
      });
    },
    emptyModel('staged', 'image'),
  );

  it('waits for the running time once a job has begun to run', () => {
    const base = {
      model: staged,
      output: 'image' as const,
      submittedAt: 0,
      now: 30_000,
      lastLookAt: 30_000,
      price: 50,
    };
    const begun = nextPoll({ ...base, lastStatus: 'running', statusSince: 30_000, waitingUntil: 29_500 });
    expect(begun).toBeGreaterThan(34_500);
    expect(begun).toBeLessThan(38_500);
    const longAgo = nextPoll({ ...base, lastStatus: 'running', statusSince: 23_000, waitingUntil: 22_500 });
    expect(longAgo).toBeLessThan(32_000);
  });

  it('knows that a job seen waiting cannot finish before its running time', () => {
    expect(learned(staged).staged).toBeDefined();
    const due = nextPoll({
      model: staged,
      output: 'image',
      submittedAt: 0,
      now: 59_000,
      lastLookAt: 59_000,
      lastStatus: 'waiting',
      price: 2_000,
    });
    expect(due).toBeGreaterThan(60_000);
  });
});
