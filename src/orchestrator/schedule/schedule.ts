import type { RunningJob } from '../job/job.ts';
import { type DurationModel, type DurationTables, durationTables, isScout, isYoung } from './durations.ts';
import { type Plan, planFor } from './plan.ts';
import { type StageSeen, stagedPoll } from './two-stage.ts';

/** The fields of a running job that its polls have filled. */
export type Watched = Pick<RunningJob, 'submittedAt'> & {
  [Seen in 'lastLookAt' | 'lastStatus' | 'statusSince' | 'waitingUntil']?: RunningJob[Seen] | undefined;
};

/**
 * Input of `nextPoll`. With hazard h and price c (the delay that one poll is worth), the expected delay plus the price of all
 * polls is least when polls come at the rate sqrt(h / 2c): the next one is due when the integral of that rate since the last
 * one reaches 1. Where polls are few, `plan.ts` computes the best ages exactly. One price for all jobs puts every poll where it
 * saves most.
 */
export type PollInput = Watched & {
  model: DurationModel;
  now: number;
  /** How many milliseconds of delay one poll is worth, see `pollPrice`. */
  price: number;
  /** Minimum interval between two polls of one job. */
  floorMs: number;
  /** A number in [0, 1) that spreads the polls of jobs submitted together. */
  random?: number | undefined;
};

const CHEAPEST_POLL_MS = 5;
const DEAREST_POLL_MS = 600_000;
/** A poll of a scout improves the model as well, so it is worth this many times what it saves in delay. */
const SCOUT_POLLS_WORTH = 8;
/** How far `random` moves the first poll, in either direction, as a part of the intervals around it. */
const FIRST_POLL_SPREAD = 0.1;
/** A due poll is postponed if it is early by more than this part of the interval; more than `random` moves a poll. */
const TOO_EARLY = 0.25;
/** Minimum step between polls where `floorMs` is 0. */
const LEAST_STEP_MS = 1;

/** When to poll a job next, in ms since the epoch. */
export function nextPoll(input: PollInput): number {
  const { submittedAt, now, lastLookAt, random = 0.5 } = input;
  const floorMs = Math.max(0, input.floorMs);
  const worth = isScout(input.model, submittedAt) ? input.price / SCOUT_POLLS_WORTH : input.price;
  const price = Math.min(DEAREST_POLL_MS, Math.max(CHEAPEST_POLL_MS, worth));
  const from = Math.max(0, (lastLookAt ?? submittedAt) - submittedAt);
  const due = dueAge(durationTables(input.model), input, price, floorMs);
  // The random shift spreads the jobs, and it improves the model: polls always at the same ages could not tell what lies
  // between.
  const age = due(from, random);
  return Math.max(now, submittedAt + Math.max(age, from + Math.max(LEAST_STEP_MS, floorMs)));
}

/**
 * A later time for a poll that is due, if it now seems clearly too early. It was planned at the previous poll, and the model or
 * the load may have changed: nothing finishes in the usual time once all jobs have become slower.
 */
export function postponed(input: Omit<PollInput, 'random'>): number | undefined {
  const due = nextPoll(input);
  const interval = due - (input.lastLookAt ?? input.submittedAt);
  return due - input.now > TOO_EARLY * interval ? due : undefined;
}

function dueAge({ total, staged }: DurationTables, input: PollInput, price: number, floorMs: number): Plan {
  if (staged === undefined) return planFor(total, price, floorMs);
  const poll: Plan = (from) => stagedPoll(staged, stageSeen(input, from), from, price);
  if (input.lastLookAt !== undefined) return poll;
  return (from, random = 0.5) => {
    const age = poll(from);
    return age + FIRST_POLL_SPREAD * (2 * random - 1) * Math.min(age - from, poll(age) - age);
  };
}

/** The job's stage as of the last poll; ages in ms since submission. */
export function stageSeen(job: Watched, from: number): StageSeen {
  const { submittedAt, lastStatus, statusSince, waitingUntil } = job;
  if (lastStatus === undefined) return { running: false, waitingUntil: 0 };
  if (lastStatus === 'waiting') return { running: false, waitingUntil: from };
  const runningBy = Math.min(from, Math.max(0, (statusSince ?? submittedAt + from) - submittedAt));
  const waited = Math.max(0, (waitingUntil ?? submittedAt) - submittedAt);
  return { running: true, waitingUntil: Math.min(runningBy, waited), runningBy };
}

type Load = {
  /** The number of jobs at the service, by kind. */
  running: readonly { model: DurationModel; jobs: number }[];
  callsPerSecond: number;
};

/** The part of the calls that polls may use; submissions, catalogs and moderators share the rest. */
const SHARE_FOR_POLLS = 0.7;

/**
 * The price of a poll at which the expected polls of all running jobs fit the budget of calls. A job of mean duration m costs A
 * / sqrt(2 price) + 1/2 polls over its life, so the total rate is a sum that is solved for the price.
 */
export function pollPrice({ running, callsPerSecond }: Load): number {
  const budget = (callsPerSecond * SHARE_FOR_POLLS) / 1000;
  let slope = 0;
  let least = 0;
  for (const { model, jobs } of running) {
    const { total } = durationTables(model);
    const closer = isYoung(model) ? Math.sqrt(SCOUT_POLLS_WORTH) : 1;
    slope += (closer * jobs * total.pollsPerJob) / total.meanMs;
    least += jobs / (2 * total.meanMs);
  }
  // Even one poll of each job may exceed the budget; then polls wait for the limit of calls per second.
  if (!(budget > least)) return running.length === 0 ? CHEAPEST_POLL_MS : DEAREST_POLL_MS;
  const price = (slope / (budget - least)) ** 2 / 2;
  return Math.min(DEAREST_POLL_MS, Math.max(CHEAPEST_POLL_MS, price));
}

type FailedPoll = Pick<PollInput, 'floorMs' | 'now'> & {
  /** The number of failed polls in a row, including this one. */
  attempt: number;
  /** A number in [0, 1). */
  random: number;
  /** The wait that the service asked for in its answer, if any. */
  retryAfterMs?: number | undefined;
  /** The time to the next poll if this one had succeeded. */
  normalInterval: number;
};

const LONGEST_RETRY_AFTER_MS = 60_000;
/**
 * Upper bound of the wait after a failed poll, in floors: a job past its usual time is polled rarely, but not one that may have
 * finished in an outage.
 */
const MOST_FLOORS = 5;

/**
 * When to retry a failed poll. The wait doubles with each failure, up to the normal interval or five floors, whichever is less
 * (at least two floors), so that a result is seen soon after an outage. It is drawn evenly from the whole range, so that jobs
 * that failed together do not retry together.
 */
export function afterFailedPoll(failed: FailedPoll): number {
  const { attempt, floorMs, now, random, retryAfterMs = 0, normalInterval } = failed;
  const doubled = floorMs * 2 ** Math.min(20, Math.max(1, attempt));
  const longest = Math.max(2 * floorMs, Math.min(normalInterval, doubled, MOST_FLOORS * floorMs));
  const asked = Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, retryAfterMs));
  const from = Math.max(floorMs, asked);
  return now + from + random * Math.max(longest - from, asked > 0 ? floorMs : 0);
}
