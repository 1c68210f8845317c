import type { ByStage } from './durations.ts';
import type { Hazard } from './hazard.ts';

// The next poll of a job where the service says whether it still waits or runs already: what is left is often clearer then than
// for the whole, because polls narrow down when it began to run.

type Stages = ByStage<Hazard>;
/** What the last poll saw; ages in ms since submission. */
export type StageSeen =
  | { running: false; waitingUntil: number }
  | { running: true; waitingUntil: number; runningBy: number };

const POINTS = 8;
const COST_POINTS = 24;
/** Both costs are estimates, and the one of watching errs on the low side where polls are few. */
const CLEARLY = 0.85;
const MOST_STEPS = 400;

/** Ages, equally likely, at which the job began or will begin to run, given what was seen. */
function starts({ queue }: Stages, seen: StageSeen): number[] {
  const alive = queue.survival(seen.waitingUntil);
  const late = seen.running ? queue.survival(seen.runningBy) : 0;
  return Array.from({ length: POINTS }, (_, i) => {
    const share = (i + 0.5) / POINTS;
    const left = alive - (alive - late) * share;
    // Where the queue's table has nothing left to say, any moment between the two polls is as good.
    if (seen.running && alive - late < 1e-6)
      return seen.waitingUntil + (seen.runningBy - seen.waitingUntil) * share;
    const start = queue.quantileAfter(seen.waitingUntil, Math.max(1e-9, left / Math.max(1e-9, alive)));
    return seen.running ? Math.min(seen.runningBy, start) : start;
  });
}

/** Chance that the job is unfinished at an age, given the last status seen. */
export function stagedSurvival(stages: Stages, seen: StageSeen): (age: number) => number {
  const begins = starts(stages, seen);
  return (age) => {
    let sum = 0;
    for (const start of begins) sum += age <= start ? 1 : stages.run.survival(age - start);
    return sum / POINTS;
  };
}

/** The age at which a poll is worth its price again, after one at `from`: to see the end, or, if that pays, the start before it. */
export function stagedPoll(stages: Stages, seen: StageSeen, from: number, price: number): number {
  const finish = finishPoll(stages, seen, from, price);
  if (seen.running || !worthWatching(stages, price)) return finish;
  return Math.min(finish, startPoll(stages, from, price));
}

/** As `plan.ts` does for many polls: after sqrt(2 price) of the integral of the square root of the hazard, in small steps of age. */
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
 * Not knowing when a job began to run blurs when it will finish. Looking every d while it waits costs price/d,
 * and the blur of d makes the later polls dearer by a factor of (1 + d^2 / 12 s^2)^(1/4), s being the spread
 * of the running time; the best d is near the larger of its two limits (d small and d large against s).
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

/** Whether watching for the start costs less, all in all, than waiting for the finish alone. */
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

/** When the best interval between two polls of a waiting job has passed, which changes with its age: see `watch`. */
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
