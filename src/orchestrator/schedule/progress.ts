import { type DurationModel, durationTables } from './durations.ts';
import { stageSeen, type Watched } from './schedule.ts';
import { stagedSurvival } from './two-stage.ts';

/** A running job and what its card showed last. */
export type ProgressInput = Watched & {
  model: DurationModel;
  now: number;
  /** The progress that the card showed last: progress never goes backwards, and the time left never grows. */
  shown: number;
  shownRemainingMs?: number | undefined;
};
/** Progress in [0, 1) and the time left; `remainingMs` is undefined if it cannot be estimated. */
export type Progress = { fraction: number; remainingMs: number | undefined };

const MOST = 0.99;

/** Estimates which part of the expected duration has passed, given that the job is not finished yet. */
export function progress(input: ProgressInput): Progress {
  const { model, submittedAt, now, shown, shownRemainingMs } = input;
  const age = Math.max(0, now - submittedAt);
  const before = Math.min(MOST, Math.max(0, shown));
  const left = remaining(input, age);
  const fraction = Math.max(before, Math.min(MOST, age / (age + left)));
  const { total } = durationTables(model);
  // The job is older than nearly all of its kind, so any estimate would be a guess.
  if (total.survival(age) < 0.02) return { fraction, remainingMs: undefined };
  return { fraction, remainingMs: Math.min(left, shownRemainingMs ?? left) };
}

/** The median of the time left. */
function remaining(input: ProgressInput, age: number): number {
  const { total, staged } = durationTables(input.model);
  if (staged === undefined) return total.quantileAfter(age, 0.5) - age;
  const from = Math.min(age, Math.max(0, (input.lastLookAt ?? input.submittedAt) - input.submittedAt));
  const survival = stagedSurvival(staged, stageSeen(input, from));
  const half = survival(age) / 2;
  let low = 0;
  let high = Math.max(staged.run.medianMs, age);
  while (survival(age + high) > half && high < 1e9) high *= 2;
  for (let round = 0; round < 30; round++) {
    const middle = (low + high) / 2;
    if (survival(age + middle) > half) low = middle;
    else high = middle;
  }
  return high;
}
