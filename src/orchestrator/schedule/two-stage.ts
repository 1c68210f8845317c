import type { ByStage } from './durations.ts';
import type { Hazard } from './hazard.ts';

// This file plans the next poll of a job where the service tells waiting from running. The time left is often known better
// then, because polls narrow down when the job began to run.

type Stages = ByStage<Hazard>;
/** A job's stage as of the last poll; ages in ms since submission. */
export type StageSeen =
  | { running: false; waitingUntil: number }
  | { running: true; waitingUntil: number; runningBy: number };

const POINTS = 8;
const COST_POINTS = 24;
/**
 * Watching for the start must be cheaper by this factor: both costs are estimates, and that of watching is too low where polls
 * are few.
 */
const CLEARLY = 0.85;
const MOST_STEPS = 400;

/** Equally likely ages at which the job began or will begin to run, given the last poll. */
function starts({ queue }: Stages, seen: StageSeen): number[] {
  const alive = queue.survival(seen.waitingUntil);
  const late = seen.running ? queue.survival(seen.runningBy) : 0;
  return Array.from({ length: POINTS }, (_, i) => {
    const share = (i + 0.5) / POINTS;
    const left = alive - (alive - late) * share;
    // The table gives no probability to this interval, so the ages are spread evenly between the two polls.
    if (seen.running && alive - late < 1e-6)
      return seen.waitingUntil + (seen.runningBy - seen.waitingUntil) * share;
    const start = queue.quantileAfter(seen.waitingUntil, Math.max(1e-9, left / Math.max(1e-9, alive)));
    return seen.running ? Math.min(seen.runningBy, start) : start;
  });
}

/** The probability that the job is unfinished at an age, given its last seen status. */
export function stagedSurvival(stages: Stages, seen: StageSeen): (age: number) => number {
  const begins = starts(stages, seen);
  return (age) => {
    let sum = 0;
    for (const start of begins) sum += age <= start ? 1 : stages.run.survival(age - start);
    return sum / POINTS;
  };
}

/**
 * The age of the next poll after one at `from`: when a poll to see the end is worth its price, or, if that pays, one to see the
 * start.
 */
export function stagedPoll(stages: Stages, seen: StageSeen, from: number, price: number): number {
  const finish = finishPoll(stages, seen, from, price);
  if (seen.running || !worthWatching(stages, price)) return finish;
  return Math.min(finish, startPoll(stages, from, price));
}

/**
 * The age of a poll that looks for the end: after sqrt(2 price) of the integral of the square root of the hazard, in small
 * steps of age, like `plan.ts` for many polls.
 */
function finishPoll(stages: Stages, seen: StageSeen, from: number, price: number): number {
  const survival = stagedSurvival(stages, seen);
  const earliest = (starts(stages, seen)[0] ?? 0) + stages.run.quantileAfter(0, 0.9999);
  const fine = stages.run.medianMs / 60;
  const goal = Math.sqrt(2 * price);
  let age = Math.max(from, earliest);
  let alive = survival(age);
  let pollIntensity = Math.sqrt(Math.max(0, Math.log(survival(from) / alive)) * (age - from));
  for (let step = 0; step < MOST_STEPS && pollIntensity < goal; step++) {
    const width = Math.max(fine, 0.05 * (age - from));
    const after = survival(age + width);
    const gain = Math.sqrt(Math.max(0, Math.log(alive / after)) * width);
    if (!(pollIntensity + gain < goal)) return age + (width * (goal - pollIntensity)) / gain;
    pollIntensity += gain;
    age += width;
    alive = after;
  }
  return age;
}

/**
 * The cost of watching for the start. Without a known start it is less certain when the job will finish. A poll every d while
 * the job waits costs price/d, and the uncertainty d makes the later polls dearer by a factor of (1 + d^2 / 12 s^2)^(1/4), with
 * s the spread of the running time; the best d is near the larger of its two limits (d small and d large against s).
 */
function watch({ run }: Stages, price: number) {
  const spread = Math.max(1, (run.quantileAfter(0, 0.16) - run.quantileAfter(0, 0.84)) / 2);
  const later = Math.sqrt(2 * price) * run.pollsPerJob;
  return {
    interval: (rate: number): number =>
      Math.max(
        Math.cbrt((24 * price * spread ** 2) / (rate * later)),
        ((2 * price * Math.sqrt(spread * Math.sqrt(12))) / (rate * later)) ** (2 / 3),
      ),
    costAfter: (interval: number): number => later * (1 + interval ** 2 / (12 * spread ** 2)) ** 0.25,
  };
}

/** Whether watching for the start costs less in total than waiting for the end alone. */
function worthWatching(stages: Stages, price: number): boolean {
  const { queue, total } = stages;
  const { interval, costAfter } = watch(stages, price);
  let watched = price;
  for (let share = 0.5; share < COST_POINTS; share++) {
    const from = queue.quantileAfter(0, 1 - (share - 0.5) / COST_POINTS);
    const to = queue.quantileAfter(0, 1 - (share + 0.5) / COST_POINTS || 0.01);
    const every = interval(Math.max(1e-12, queue.rate((from + to) / 2)));
    watched += (price * (1 - share / COST_POINTS) * (to - from)) / every + costAfter(every) / COST_POINTS;
  }
  return watched < CLEARLY * (Math.sqrt(2 * price) * total.pollsPerJob + price / 2);
}

/**
 * The age of a poll that looks for the start: when the best interval between two polls of a waiting job, which changes with its
 * age, has passed (see `watch`).
 */
function startPoll(stages: Stages, from: number, price: number): number {
  const { queue } = stages;
  const { interval } = watch(stages, price);
  let age = from;
  let part = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const width = Math.max(queue.medianMs / 60, 0.05 * (age - from));
    const gain = width / interval(Math.max(1e-12, queue.rate(age + width / 2)));
    if (part + gain >= 1) return age + (width * (1 - part)) / gain;
    part += gain;
    age += width;
  }
  return age;
}
