import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lognormalDensity } from '../../../../src/orchestrator/schedule/density.ts';
import {
  type DurationModel,
  durationTables,
  emptyModel,
  observe,
} from '../../../../src/orchestrator/schedule/durations.ts';
import { type Hazard, hazardOf } from '../../../../src/orchestrator/schedule/hazard.ts';
import { planFor } from '../../../../src/orchestrator/schedule/plan.ts';
import { progress } from '../../../../src/orchestrator/schedule/progress.ts';
import {
  afterFailedPoll,
  nextPoll,
  type PollInput,
  pollPrice,
  postponed,
} from '../../../../src/orchestrator/schedule/schedule.ts';
import { expectWithin, modelOf, modelOfArrays, spreadAround } from '../../../fakes/duration-models.ts';
import { standardTimes } from '../../../fakes/job-ports.ts';

const floors = standardTimes.floorsMs;
const durations = spreadAround(8_000, 0.35, 200);
const image = modelOf('image', durations);
const video = modelOf('video', spreadAround(100_000, 0.25, 200));
/** A poll of a job that was submitted at 0, with the least time between polls that the settings have at first. */
const at = (more: Partial<PollInput>): PollInput => ({
  model: image,
  submittedAt: 0,
  now: 0,
  price: 500,
  floorMs: floors.image,
  ...more,
});

function looks(model: DurationModel, { price = 50, floorMs = 0, until = 60_000 } = {}): number[] {
  const times: number[] = [];
  let lastLookAt: number | undefined;
  while ((lastLookAt ?? 0) < until && times.length < 10_000) {
    lastLookAt = nextPoll({ model, submittedAt: 0, now: lastLookAt ?? 0, lastLookAt, price, floorMs });
    times.push(lastLookAt);
  }
  return times;
}

const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, i) => time - (times[i] ?? 0));

describe('nextPoll', () => {
  it('nextPoll does not poll while completion is impossible, and polls most often where it is likely', () => {
    const times = looks(image);
    expectWithin(times[0], 2_500, 6_000);

    const around = (from: number, to: number) =>
      times.filter((time) => time >= from && time < to).length / (to - from);
    expect(around(6_000, 10_000)).toBeGreaterThan(2 * around(0, 4_000));
    expect(around(6_000, 10_000)).toBeGreaterThan(2 * around(30_000, 60_000));
  });

  it('nextPoll does not poll between two peaks', () => {
    const model = modelOf('image', [...spreadAround(4_000, 0.1, 120), ...spreadAround(20_000, 0.1, 80)]);
    const times = looks(model, { price: 20, until: 40_000 });

    expect(times.filter((time) => time > 6_500 && time < 14_000).length).toBeLessThanOrEqual(2);
    expect(times.filter((time) => time > 16_000 && time < 24_000).length).toBeGreaterThanOrEqual(6);
  });

  it('nextPoll polls a job older than all others at growing but bounded intervals', () => {
    const times = looks(image, { price: 150, until: 6 * 3_600_000 });
    const intervals = gaps(times);
    const gapAfter = (age: number) => intervals[times.findIndex((time) => time >= age)] ?? 0;

    expect(gapAfter(60_000)).toBeGreaterThan(gapAfter(20_000));
    expect(Math.max(...intervals)).toBeLessThan(60_000);
    expect(times.at(-1)).toBeGreaterThan(6 * 3_600_000 - 1);
  });

  it('nextPoll polls an unknown kind by its output only', () => {
    const first = nextPoll(at({ model: emptyModel('new', 'video'), floorMs: floors.video }));
    expectWithin(first, 8_000, 30_000);
  });

  it('nextPoll polls the jobs it learns from more often: all at first, then one in a hundred', () => {
    const look = (model: DurationModel, submittedAt: number) =>
      nextPoll(at({ model, submittedAt, now: submittedAt, price: 2_000 })) - submittedAt;
    const young = modelOf('image', spreadAround(8_000, 0.35, 90));

    expect(look(young, 1_000)).toBeLessThan(look(image, 1_000));

    const early = Array.from({ length: 10_000 }, (_, i) => look(image, i * 977)).filter(
      (age) => age < look(image, 1_000) - 500,
    );
    expectWithin(early.length, 50, 200);
  });

  it('nextPoll postpones a poll that is clearly too early when it is due, and no other', () => {
    const slower = modelOf('image', spreadAround(24_000, 0.35, 200));
    for (const random of [0, 0.5, 0.99]) {
      const due = nextPoll(at({ random }));
      expect(postponed(at({ now: due }))).toBeUndefined();
      expect(postponed(at({ model: slower, now: due }))).toBeGreaterThan(1.5 * due);
    }
  });

  it('nextPoll keeps the floor of the output unless told another', () => {
    const floored = gaps(looks(video, { price: 5, floorMs: floors.video, until: 200_000 }));
    expect(Math.min(...floored)).toBeGreaterThanOrEqual(5_000 - 1e-6);
    expect(Math.min(...gaps(looks(video, { price: 5, until: 110_000 })))).toBeLessThan(1_000);
  });

  it('nextPoll spreads the first polls of jobs submitted together around the same mean', () => {
    const [early, middle, late] = [0.1, 0.5, 0.9].map((random) => nextPoll(at({ random })));
    expectWithin(middle, early ?? 0, late ?? 0);
    expect(((early ?? 0) + (late ?? 0)) / 2).toBeCloseTo(middle ?? 0, 0);
  });

  it('nextPoll is finite, not in the past, not below the floor, the same for the same input, and not earlier when asked later', () => {
    const inputs = fc
      .record({
        model: modelOfArrays(),
        submittedAt: fc.integer({ min: 0, max: 2_000_000_000_000 }),
        sinceLook: fc.option(fc.integer({ min: 0, max: 50_000_000 })),
        lateBy: fc.integer({ min: 0, max: 10_000_000 }),
        lastStatus: fc.constantFrom('waiting' as const, 'running' as const, undefined),
        price: fc.double({ min: 0, max: 1e7, noNaN: true }),
        floorMs: fc.integer({ min: 0, max: 60_000 }),
        random: fc.double({ min: 0, max: 0.999, noNaN: true }),
      })
      .map(({ sinceLook, lateBy, ...rest }) => {
        const lastLookAt = sinceLook === null ? undefined : rest.submittedAt + sinceLook;
        return { ...rest, lastLookAt, now: (lastLookAt ?? rest.submittedAt) + lateBy };
      });
    fc.assert(
      fc.property(inputs, fc.integer({ min: 0, max: 1_000_000 }), (look, later) => {
        const due = nextPoll(look);
        expect(Number.isFinite(due)).toBe(true);
        expect(due).toBeGreaterThanOrEqual(look.now);
        expect(due).toBeGreaterThanOrEqual((look.lastLookAt ?? look.submittedAt) + look.floorMs - 1e-3);
        const copy: DurationModel = JSON.parse(JSON.stringify(look.model));
        expect(nextPoll({ ...look, model: copy })).toBe(due);
        expect(nextPoll({ ...look, now: look.now + later })).toBeGreaterThanOrEqual(due);
      }),
      { numRuns: 100 },
    );
  });
});

describe('nextPoll where waiting and running are distinguished', () => {
  /** Queues for 5 to 60 s, then runs for 8 s or so. */
  const staged = Array.from({ length: 120 }, (_, i) => 5_000 + ((i * 37) % 110) * 500).reduce(
    (model, queue, i) => {
      const finish = queue + 7_000 + (i % 20) * 100;
      const queuedUntil = { notBefore: queue - 300, by: queue + 300 };
      return observe(model, { notBefore: finish - 300, by: finish + 300, queuedUntil });
    },
    emptyModel('staged', 'image'),
  );

  it('nextPoll where waiting and running are distinguished waits for the running time once a job has begun to run', () => {
    const seen = (since: number) =>
      nextPoll(
        at({
          model: staged,
          now: 30_000,
          lastLookAt: 30_000,
          price: 50,
          lastStatus: 'running',
          statusSince: since,
          waitingUntil: since - 500,
        }),
      );
    expectWithin(seen(30_000), 34_500, 38_500);
    expect(seen(23_000)).toBeLessThan(32_000);
  });

  it('nextPoll where waiting and running are distinguished knows that a job seen waiting cannot finish before its running time', () => {
    expect(durationTables(staged).staged).toBeDefined();
    const times = { now: 59_000, lastLookAt: 59_000, price: 2_000 };
    expect(nextPoll(at({ model: staged, ...times, lastStatus: 'waiting' }))).toBeGreaterThan(60_000);
  });
});

it('the plan is the exact optimum for a lognormal, as computed elsewhere by dynamic programming', () => {
  /** Expected calls and delay of a plan for jobs that are truly so distributed. */
  const expected = (hazard: Hazard, price: number): { calls: number; delay: number } => {
    const plan = planFor(hazard, price, 0);
    let calls = 0;
    let detected = 0;
    for (let last = 0; hazard.survival(last) > 1e-6; ) {
      const next = plan(last);
      calls += hazard.survival(last);
      detected += next * (hazard.survival(last) - hazard.survival(next));
      last = next;
    }
    return { calls, delay: detected - hazard.meanMs };
  };
  // Mean 10 s, sigma .35; delay in seconds by calls.
  const hazard = hazardOf(lognormalDensity({ medianMs: 10_000 * Math.exp(-(0.35 ** 2) / 2), sigma: 0.35 }));
  for (const [calls, delay] of Object.entries({ 3: 1.01, 5: 0.583, 8: 0.357 })) {
    let low = 1;
    let high = 10_000;
    for (let round = 0; round < 30; round++) {
      const middle = Math.sqrt(low * high);
      if (expected(hazard, middle).calls > Number(calls)) low = middle;
      else high = middle;
    }
    const reached = expected(hazard, high);
    // Prices come in steps, so that the calls are met nearly: delay times calls is all but constant there.
    expectWithin((reached.delay * reached.calls) / (delay * 1000 * Number(calls)), 0.95, 1.04);
  }
});

it.each([5, 20, 60])('pollPrice keeps the polls of %i running jobs in the budget, and uses it', (jobs) => {
  const price = pollPrice({ running: [{ model: image, jobs }], callsPerSecond: 20 });
  let calls = 0;
  let time = 0;

  // The same number of jobs runs at all times, because each is replaced when it is done.
  for (const duration of durations) {
    const times = looks(image, { price, until: duration });
    calls += times.length;
    time += times.at(-1) ?? 0;
  }

  expectWithin((jobs * calls * 1000) / time, 14 * 0.7, 14 * 1.05);
});

describe('afterFailedPoll', () => {
  it('afterFailedPoll is after the floor, within one normal interval, and soon after any outage', () => {
    const failure = fc.record({
      attempt: fc.integer({ min: 1, max: 1_000 }),
      floorMs: fc.integer({ min: 1, max: 10_000 }),
      now: fc.integer({ min: 0, max: 2_000_000_000_000 }),
      random: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      normalInterval: fc.integer({ min: 0, max: 600_000 }),
    });
    fc.assert(
      fc.property(failure, (failed) => {
        const wait = afterFailedPoll(failed) - failed.now;
        expect(wait).toBeGreaterThanOrEqual(failed.floorMs - 1e-3);
        expect(wait).toBeLessThanOrEqual(Math.max(failed.normalInterval, 2 * failed.floorMs) + 1e-3);
        expect(wait).toBeLessThanOrEqual(5 * failed.floorMs + 1e-3);
      }),
    );
  });

  it('afterFailedPoll waits for Retry-After, up to a minute, with jitter', () => {
    const asked = { attempt: 1, floorMs: 1_000, now: 0, normalInterval: 2_000, retryAfterMs: 20_000 };
    expect(afterFailedPoll({ ...asked, random: 0 })).toBe(20_000);
    expect(afterFailedPoll({ ...asked, random: 0.5 })).toBeGreaterThan(20_000);
    expect(afterFailedPoll({ ...asked, random: 0.5, retryAfterMs: 86_400_000 })).toBeLessThan(62_000);
  });

  it('afterFailedPoll spreads jobs that failed together over the whole range', () => {
    const failed = { attempt: 5, floorMs: 1_000, now: 0, normalInterval: 4_000 };
    const waits = Array.from({ length: 100 }, (_, i) => afterFailedPoll({ ...failed, random: i / 100 }));
    for (const from of [1_000, 2_000, 3_000])
      expect(waits.filter((wait) => wait >= from && wait < from + 1_000).length).toBeGreaterThan(30);
  });
});

describe('progress', () => {
  const running = (now: number, shown = 0) =>
    progress({ model: image, submittedAt: 0, now, lastStatus: 'running', shown });

  it('progress is about half in the middle and late at the usual end', () => {
    expect(running(0).fraction).toBe(0);
    expectWithin(running(4_000).fraction, 0.4, 0.6);
    expectWithin(running(4_000).remainingMs, 3_000, 5_000);
    expect(running(9_000).fraction).toBeGreaterThan(0.75);
  });

  it('progress gives no figure for a job older than nearly all others', () => {
    expect(running(120_000, 0.9).remainingMs).toBeUndefined();
    expect(running(120_000, 0.9).fraction).toBeLessThan(1);
  });

  it('progress never runs backwards, never says 1, and time left never grows, whatever is learned meanwhile', () => {
    const steps = fc.array(fc.tuple(modelOfArrays(), fc.integer({ min: 0, max: 100_000 })), {
      minLength: 2,
      maxLength: 6,
    });
    const status = fc.constantFrom('waiting' as const, 'running' as const, undefined);
    fc.assert(
      fc.property(steps, status, (all, lastStatus) => {
        let shown = 0;
        let now = 1_000;
        let shownRemainingMs: number | undefined;
        for (const [model, passed] of all) {
          now += passed;
          const next = progress({ model, submittedAt: 1_000, now, lastStatus, shown, shownRemainingMs });
          expect(next.fraction).toBeGreaterThanOrEqual(shown);
          expect(next.fraction).toBeLessThan(1);
          if (next.remainingMs !== undefined) {
            expect(next.remainingMs).toBeGreaterThanOrEqual(0);
            expect(next.remainingMs).toBeLessThanOrEqual(shownRemainingMs ?? Number.POSITIVE_INFINITY);
            shownRemainingMs = next.remainingMs;
          }
          shown = next.fraction;
        }
      }),
      { numRuns: 40 },
    );
  });
});
