import type { Job, RunningJob } from './job.ts';

/** Corrects the times in a job's record after the machine's clock was set. */

/** A shorter wait is not noticed by people. */
const NOTICEABLE_MS = 1_000;

/** After the clock was set back: moves all times of the job so that nothing that has happened lies in the future. */
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

/** Whether the clock has not jumped ahead since it was submitted: else its duration teaches nothing. */
export const startedAfterJump = ({ submittedAt }: RunningJob, lastForwardJump: number): boolean =>
  submittedAt >= lastForwardJump;

/** The age of a job that was running when the clock jumped is unknown: it counts as submitted at the jump. */
export function ageSinceJump(job: RunningJob, lastForwardJump: number): RunningJob {
  if (startedAfterJump(job, lastForwardJump)) return job;
  const { lastStatus, statusSince, waitingUntil, lastLookAt, ...fresh } = job;
  const anew = { ...fresh, submittedAt: lastForwardJump };
  if (lastLookAt === undefined || lastLookAt < lastForwardJump) return anew;
  const since = (at = 0): number => Math.max(at, lastForwardJump);
  const waited = waitingUntil === undefined ? {} : { waitingUntil: since(waitingUntil) };
  const seen = lastStatus === undefined ? {} : { lastStatus, statusSince: since(statusSince) };
  return { ...anew, ...seen, ...waited, lastLookAt };
}
