import type { Job } from './job.ts';

/** What becomes of the times in a job's record when the clock is set. */

/** Less is waited for without anybody noticing. */
const NOTICEABLE_MS = 1_000;

/** After it was set back: the same job moved in time so that nothing of what has happened to it lies ahead of `now`. */
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

/** Whether the time has not lastForwardJump ahead since it was submitted: else it teaches nothing about how long jobs take. */
export const startedAfterJump = ({ submittedAt = 0 }: Job, lastForwardJump: number): boolean =>
  submittedAt >= lastForwardJump;

/** For how long one has been under way whose time has lastForwardJump, nobody knows: it is taken for one that has just begun. */
export function ageSinceJump(job: Job, lastForwardJump: number): Job {
  if (startedAfterJump(job, lastForwardJump)) return job;
  const { lastStatus, statusSince, waitingUntil, lastLookAt, ...fresh } = job;
  const anew = { ...fresh, submittedAt: lastForwardJump };
  if (lastLookAt === undefined || lastLookAt < lastForwardJump) return anew;
  const since = (at = 0): number => Math.max(at, lastForwardJump);
  const waited = waitingUntil === undefined ? {} : { waitingUntil: since(waitingUntil) };
  const seen = lastStatus === undefined ? {} : { lastStatus, statusSince: since(statusSince) };
  return { ...anew, ...seen, ...waited, lastLookAt };
}
