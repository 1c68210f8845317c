import { type DurationModel, type Family, isScout, type Learned, learned } from './durations.ts';
import { type Plan, planFor } from './plan.ts';
import { type StageSeen, stagedLook } from './two-stage.ts';

/**
 * When to look. With hazard h and a price of c (the delay that one look is worth) the expected delay plus the
 * price of all looks is least when looks come at the rate sqrt(h / 2c): the next one is due when the integral
 * of that rate since the last one reaches 1. Where looks are few, `plan.ts` computes the best ages exactly. The
 * same price for all jobs puts every look where it saves most.
 */
export type LookInput = {
  model: DurationModel;
  family: Family;
  submittedAt: number;
  now: number;
  lastLookAt?: number | undefined;
  lastStatus?: 'waiting' | 'running' | undefined;
  /** When the last status was first seen. */
  statusSince?: number | undefined;
  /** When `waiting` was last seen, if it was seen before `running`. */
  waitingUntil?: number | undefined;
  /** Milliseconds of delay that one look is worth; see `lookPrice`. */
  price: number;
  /** Least time between two looks at one job. */
  floorMs?: number | undefined;
  /** In [0, 1): spreads the looks at jobs that were submitted together. */
  random?: number | undefined;
};

export const FLOORS_MS: Record<Family, number> = { image: 1_000, video: 5_000 };
export const CHEAPEST_LOOK_MS = 5;
export const DEAREST_LOOK_MS = 600_000;
/** A look at a scout also teaches: it is worth this many times what it saves in delay. */
export const SCOUT_LOOKS_WORTH = 8;
/** How far the first look is moved, either way, in units of the steps around it. */
const FIRST_LOOK_SPREAD = 0.1;
/** In units of the interval between two looks; more than `random` moves a look. */
const TOO_EARLY = 0.25;
/** Without a floor, looks still move on. */
const LEAST_STEP_MS = 1;

export function nextLook(input: LookInput): number {
  const { submittedAt, now, lastLookAt, random = 0.5 } = input;
  const floorMs = Math.max(0, input.floorMs ?? FLOORS_MS[input.family]);
  const worth = isScout(input.model, submittedAt) ? input.price / SCOUT_LOOKS_WORTH : input.price;
  const price = Math.min(DEAREST_LOOK_MS, Math.max(CHEAPEST_LOOK_MS, worth));
  const from = Math.max(0, (lastLookAt ?? submittedAt) - submittedAt);
  const due = dueAge(learned(input.model), input, price, floorMs);
  // Beyond keeping jobs apart, it teaches: looks at ever the same ages could not tell what lies between.
  const age = due(from, random);
  return Math.max(now, submittedAt + Math.max(age, from + Math.max(LEAST_STEP_MS, floorMs)));
}

/**
 * A look was planned when its predecessor was made. When it is due, what has been learned since, or the load, may
 * put it clearly later: nothing finishes in the usual time once all have become slower.
 */
export function postponed(input: Omit<LookInput, 'random'>): number | undefined {
  const due = nextLook(input);
  const interval = due - (input.lastLookAt ?? input.submittedAt);
  return due - input.now > TOO_EARLY * interval ? due : undefined;
}

function dueAge({ total, staged }: Learned, input: LookInput, price: number, floorMs: number): Plan {
  if (staged === undefined) return planFor(total, price, floorMs);
  const look: Plan = (from) => stagedLook(staged, stageSeen(input, from), from, price);
  if (input.lastLookAt !== undefined) return look;
  return (from, random = 0.5) => {
    const age = look(from);
    return age + FIRST_LOOK_SPREAD * (2 * random - 1) * Math.min(age - from, look(age) - age);
  };
}

export function stageSeen(
  input: Pick<LookInput, 'submittedAt' | 'lastStatus' | 'statusSince' | 'waitingUntil'>,
  from: number,
): StageSeen {
  const { submittedAt, lastStatus, statusSince, waitingUntil } = input;
  if (lastStatus === undefined) return { running: false, waitingUntil: 0 };
  if (lastStatus === 'waiting') return { running: false, waitingUntil: from };
  const runningBy = Math.min(from, Math.max(0, (statusSince ?? submittedAt + from) - submittedAt));
  const waited = Math.max(0, (waitingUntil ?? submittedAt) - submittedAt);
  return { running: true, waitingUntil: Math.min(runningBy, waited), runningBy };
}
