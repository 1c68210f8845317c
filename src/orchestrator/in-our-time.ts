import type { Job } from './job.ts';

/** Less is waited for without anybody noticing. */
const NOTICEABLE_MS = 1_000;

/** The same job moved in time so that nothing of what has happened to it lies ahead of `now`. */
export function inOurTime(job: Job, now: number): Job {
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
