import { type DurationModel, isScout, type Learned, learned, type Output } from './durations.ts';
import { type Plan, planFor } from './plan.ts';
import { type StageSeen, stagedPoll } from './two-stage.ts';

/**
 * When to poll. With hazard h and a price of c (the delay that one poll is worth) the expected delay plus the
 * price of all polls is least when polls come at the rate sqrt(h / 2c): the next one is due when the integral
 * of that rate since the last one reaches 1. Where polls are few, `plan.ts` computes the best ages exactly. The
 * same price for all jobs puts every poll where it saves most.
 */
export type PollInput = {
  model: DurationModel;
  output: Output;
  submittedAt: number;
  now: number;
  lastLookAt?: number | undefined;
  lastStatus?: 'waiting' | 'running' | undefined;
  /** When the last status was first seen. */
  statusSince?: number | undefined;
  /** When `waiting` was last seen, if it was seen before `running`. */
  waitingUntil?: number | undefined;
  /** Milliseconds of delay that one poll is worth; see `pollPrice`. */
  price: number;
  /** Least time between two polls of one job. */
  floorMs: number;
  /** In [0, 1): spreads the polls of jobs that were submitted together. */
  random?: number | undefined;
};

export const CHEAPEST_POLL_MS = 5;
export const DEAREST_POLL_MS = 600_000;
/** A poll of a scout also teaches: it is worth this many times what it saves in delay. */
export const SCOUT_POLLS_WORTH = 8;
/** How far the first poll is moved, either way, in units of the steps around it. */
const FIRST_POLL_SPREAD = 0.1;
/** In units of the interval between two polls; more than `random` moves a poll. */
const TOO_EARLY = 0.25;
/** Without a floor, polls still move on. */
const LEAST_STEP_MS = 1;

export function nextPoll(input: PollInput): number {
  const { submittedAt, now, lastLookAt, random = 0.5 } = input;
  const floorMs = Math.max(0, input.floorMs);
  const worth = isScout(input.model, submittedAt) ? input.price / SCOUT_POLLS_WORTH : input.price;
  const price = Math.min(DEAREST_POLL_MS, Math.max(CHEAPEST_POLL_MS, worth));
  const from = Math.max(0, (lastLookAt ?? submittedAt) - submittedAt);
  const due = dueAge(learned(input.model), input, price, floorMs);
  // Beyond keeping jobs apart, it teaches: polls at ever the same ages could not tell what lies between.
  const age = due(from, random);
  return Math.max(now, submittedAt + Math.max(age, from + Math.max(LEAST_STEP_MS, floorMs)));
}

/**
 * A poll was planned when its predecessor was made. When it is due, what has been learned since, or the load, may
 * put it clearly later: nothing finishes in the usual time once all have become slower.
 */
export function postponed(input: Omit<PollInput, 'random'>): number | undefined {
  const due = nextPoll(input);
  const interval = due - (input.lastLookAt ?? input.submittedAt);
  return due - input.now > TOO_EARLY * interval ? due : undefined;
}

function dueAge({ total, staged }: Learned, input: PollInput, price: number, floorMs: number): Plan {
  if (staged === undefined) return planFor(total, price, floorMs);
  const poll: Plan = (from) => stagedPoll(staged, stageSeen(input, from), from, price);
  if (input.lastLookAt !== undefined) return poll;
  return (from, random = 0.5) => {
    const age = poll(from);
    return age + FIRST_POLL_SPREAD * (2 * random - 1) * Math.min(age - from, poll(age) - age);
  };
}

export function stageSeen(
  input: Pick<PollInput, 'submittedAt' | 'lastStatus' | 'statusSince' | 'waitingUntil'>,
  from: number,
): StageSeen {
  const { submittedAt, lastStatus, statusSince, waitingUntil } = input;
  if (lastStatus === undefined) return { running: false, waitingUntil: 0 };
  if (lastStatus === 'waiting') return { running: false, waitingUntil: from };
  const runningBy = Math.min(from, Math.max(0, (statusSince ?? submittedAt + from) - submittedAt));
  const waited = Math.max(0, (waitingUntil ?? submittedAt) - submittedAt);
  return { running: true, waitingUntil: Math.min(runningBy, waited), runningBy };
}
