import { jitteredBackoff } from '../../base/backoff.ts';
import { failureWith } from '../job/failure.ts';
import { failed } from '../job/final-states.ts';
import type { Failure, OpeningJob, SubmittingJob, WaitingJob } from '../job/job.ts';
import type { Effects } from './effects.ts';

/** A job waits in line, where it is due only when its patience ends, or rests first and is due when it has rested. */

const LONGEST_REST_MS = 60_000;

const deadlineOf = ({ createdAt }: Unsent, waitingMs: number): number => createdAt + waitingMs;

/** Nothing of it has been sent, or what was sent has been turned away. */
type Unsent = OpeningJob | WaitingJob | SubmittingJob;

export function inLine(job: Unsent, waitingMs: number): WaitingJob {
  const { answer: _, resting: __, submittedAt: ___, unsent: ____, ...bare } = job;
  return { ...bare, state: 'waiting', due: deadlineOf(job, waitingMs) };
}

/** Not in line for a while, longer with every attempt, and `askedMs` at the least. */
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

/** Why a job that may not wait any longer was never submitted; undefined: it may. */
export function patienceEnded(
  job: WaitingJob | SubmittingJob,
  fx: Effects,
  resting = job.resting,
): Failure | undefined {
  if (fx.now() < patience(job, fx)) return undefined;
  const outage = fx.outage(job);
  if (outage !== undefined && outage !== 'unavailable') return failureWith(`service-${outage}`);
  const owners = resting === 'service-credentials' || resting === 'service-address';
  return failureWith(owners ? resting : 'deadline');
}

/** A waiting job is due: it has rested, or it has waited too long, whatever it was waiting for. */
export async function waited(job: WaitingJob, fx: Effects): Promise<void> {
  const failure = patienceEnded(job, fx);
  const waiting = { ...inLine(job, fx.waitingMs), due: patience(job, fx) };
  if (failure === undefined) await fx.save(job, waiting, 'note');
  else await fx.save(job, failed(job, failure, fx.now()));
}
