import { jitteredBackoff } from '../../base/backoff.ts';
import { failureWith } from '../job/failure.ts';
import { failed } from '../job/final-states.ts';
import type { Failure, Job } from '../job/job.ts';
import type { Effects } from './effects.ts';

/** A job waits in line, where it is due only when its patience ends, or rests first and is due when it has rested. */

const LONGEST_REST_MS = 60_000;

const deadlineOf = ({ createdAt }: Job, waitingMs: number): number => createdAt + waitingMs;

export function inLine(job: Job, waitingMs: number): Job {
  const { resting: _, submittedAt: __, unsent: ___, ...bare } = job;
  return { ...bare, state: 'waiting', due: deadlineOf(job, waitingMs) };
}

/** Not in line for a while, longer with every attempt, and `askedMs` at the least. */
export function atRest(job: Job, askedMs: number, why: Job['resting'], fx: Effects): Job {
  const rest = askedMs + jitteredBackoff(job.attempts, fx.random(), 1_000, LONGEST_REST_MS);
  const rested = fx.now() + Math.min(2 * LONGEST_REST_MS, rest);
  const waiting = inLine({ ...job, attempts: job.attempts + 1 }, fx.waitingMs);
  return { ...waiting, resting: why ?? 'unknown', due: Math.min(rested, patience(job, fx)) };
}

const patience = (job: Job, fx: Effects): number =>
  Math.max(deadlineOf(job, fx.waitingMs), fx.lastForwardJump() + fx.waitingMs);

/** Why a job that may not wait any longer was never submitted; undefined: it may. */
export function patienceEnded(job: Job, fx: Effects): Failure | undefined {
  if (fx.now() < patience(job, fx)) return undefined;
  const outage = fx.outage(job);
  if (outage !== undefined && outage !== 'unavailable') return failureWith(`service-${outage}`);
  const { resting } = job;
  const owners = resting === 'service-credentials' || resting === 'service-address';
  return failureWith(owners ? resting : 'deadline');
}

/** A waiting job is due: it has rested, or it has waited too long, whatever it was waiting for. */
export async function waited(job: Job, fx: Effects): Promise<void> {
  const failure = patienceEnded(job, fx);
  const waiting = { ...inLine(job, fx.waitingMs), due: patience(job, fx) };
  if (failure === undefined) await fx.save(job, waiting, 'note');
  else await fx.save(job, failed(job, failure, fx.now()));
}
