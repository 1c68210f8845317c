import { jitteredBackoff } from '../../base/backoff.ts';
import { failureWith } from '../job/failure.ts';
import { failed } from '../job/final-states.ts';
import type { OpeningJob, SubmittingJob, WaitingJob } from '../job/job.ts';
import type { Effects } from './effects.ts';

/**
 * This file holds the rules of waiting jobs: a job is in line and due at its waiting deadline, or it rests first and is due at
 * the end of the pause.
 */

const LONGEST_REST_MS = 60_000;

const deadlineOf = ({ createdAt }: Unsent, waitingMs: number): number => createdAt + waitingMs;

/** A job of which nothing was sent, or whose request was rejected. */
type Unsent = OpeningJob | WaitingJob | SubmittingJob;

/** The job back in line, due at its waiting deadline. */
export function inLine(job: Unsent, waitingMs: number): WaitingJob {
  const { answer: _, resting: __, submittedAt: ___, unsent: ____, ...bare } = job;
  return { ...bare, state: 'waiting', due: deadlineOf(job, waitingMs) };
}

/** The job out of line for a pause that grows with every attempt and is at least `askedMs`. */
export function atRest(
  job: WaitingJob | SubmittingJob,
  askedMs: number,
  why: NonNullable<WaitingJob['resting']>,
  fx: Effects,
): WaitingJob {
  const rest = askedMs + jitteredBackoff(job.attempts, fx.random(), 1_000, LONGEST_REST_MS);
  const rested = fx.now() + Math.min(2 * LONGEST_REST_MS, rest);
  const waiting = inLine({ ...job, attempts: job.attempts + 1 }, fx.waitingMs);
  return { ...waiting, resting: why, due: Math.min(rested, patience(job, fx)) };
}

const patience = (job: Unsent, fx: Effects): number =>
  Math.max(deadlineOf(job, fx.waitingMs), fx.lastForwardJump() + fx.waitingMs);

/** The failure of a job at its waiting deadline; undefined: the deadline has not been reached yet. */
export function failureAtDeadline(job: WaitingJob | SubmittingJob, fx: Effects, resting = job.resting) {
  if (fx.now() < patience(job, fx)) return undefined;
  const outage = fx.outage(job);
  if (outage !== undefined && outage !== 'unavailable') return failureWith(`service-${outage}`);
  if (resting === 'unchecked') return failureWith('content-unchecked');
  const owners = resting === 'service-credentials' || resting === 'service-address';
  return failureWith(owners ? resting : 'deadline');
}

/** Step of a waiting job that is due: its pause is over, or its waiting deadline has passed. */
export async function returnToLineOrFail(job: WaitingJob, fx: Effects): Promise<void> {
  const failure = failureAtDeadline(job, fx);
  const waiting = { ...inLine(job, fx.waitingMs), due: patience(job, fx) };
  if (failure === undefined) await fx.save(job, waiting, 'lossy');
  else await fx.save(job, failed(job, failure, fx.now()));
}
