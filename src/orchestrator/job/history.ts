import type { Job, StateChange } from './job.ts';

/** A job that comes back to the line again and again keeps its first state and the latest ones. */
export const MOST_STATES = 30;

/** `after` with its state noted, if that is another one. */
export function noted(before: Job, after: Job, now: number): Job {
  if (before.state === after.state || before.history === undefined) return after;
  const [first, ...rest] = before.history;
  const latest: readonly StateChange[] = [...rest, { state: after.state, at: now }];
  const kept = latest.slice(1 - MOST_STATES);
  return { ...after, history: first === undefined ? kept : [first, ...kept] };
}
