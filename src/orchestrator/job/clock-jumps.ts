import type { Job, RunningJob } from './job.ts';

/** This file corrects the times in a job's record after the machine's clock was set forward or back. */

/** Smaller differences are left alone: people do not notice a wait that is shorter. */
const NOTICEABLE_MS = 1_000;

/** Corrects a job after the clock was set back: moves all its times so that nothing that has happened lies in the future. */
export function shiftBack(job: Job, now: number): Job {
  const { createdAt, submittedAt, lastLookAt, finishedAt } = job;
  const ahead = Math.max(createdAt, submittedAt ?? 0, lastLookAt ?? 0, finishedAt ?? 0) - now;
  if (ahead < NOTICEABLE_MS) return job;
  const times = ['submittedAt', 'lastLookAt', 'finishedAt', 'statusSince', 'waitingUntil', 'due'] as const;
  const moved = times.flatMap((name) => {
    const at = job[name];
    return at === undefined ? [] : [[name, at - ahead] as const];
  });
  return { ...job, createdAt: createdAt - ahead, ...Object.fromEntries(moved) };
}

/**
 * Whether the clock has not jumped forward since the job was submitted. If it has, the job's duration is unknown and must not
 * be learned from.
 */
export const startedAfterJump = ({ submittedAt }: RunningJob, lastForwardJump: number): boolean =>
  submittedAt >= lastForwardJump;

/** Treats a job that was running when the clock jumped forward as submitted at the jump, because its real age is unknown. */
export function asSubmittedAtJump(job: RunningJob, lastForwardJump: number): RunningJob {
  if (startedAfterJump(job, lastForwardJump)) return job;
  const { lastStatus, statusSince, waitingUntil, lastLookAt, ...fresh } = job;
  const anew = { ...fresh, submittedAt: lastForwardJump };
  if (lastLookAt === undefined || lastLookAt < lastForwardJump) return anew;
  const since = (at = 0): number => Math.max(at, lastForwardJump);
  const waited = waitingUntil === undefined ? {} : { waitingUntil: since(waitingUntil) };
  const seen = lastStatus === undefined ? {} : { lastStatus, statusSince: since(statusSince) };
  return { ...anew, ...seen, ...waited, lastLookAt };
}
