import type { SaveJob } from './engine/save-job.ts';
import { shiftBack } from './job/clock-jumps.ts';
import { hasEnded, type Job } from './job/job.ts';
import type { JobRecords } from './job/records.ts';
import { LONGEST_PAUSE_MS } from './steps/deliver.ts';
import { interrupted } from './steps/submit.ts';

export interface StartUpParts {
  readonly records: Pick<JobRecords, 'abandoned' | 'unsettled'>;
  readonly save: SaveJob;
  readonly takeUp: (job: Job) => Promise<void>;
  readonly now: () => number;
  readonly isStopped: () => boolean;
}

const MOST_TOLD_SOON = 1_000;
const A_LITTLE_MS = 60_000;

/** Continues a job from its record: no process works on it any more. */
export function createTakeUp(save: SaveJob, known: (job: Job) => void, now: () => number, waitingMs: number) {
  return async (job: Job): Promise<void> => {
    // The process that was showing its card or its result is dead.
    const isShown = job.state === 'delivering' || (job.state === 'opening' && job.answer !== undefined);
    if (job.state === 'submitting') await save(job, interrupted(job, now(), waitingMs));
    else if (isShown) await save(job, { ...job, due: now(), attempts: 0 }, 'lossy');
    else known(job);
  };
}

/** Takes up the jobs of dead processes. */
export async function takeUpAbandoned({
  records,
  save,
  takeUp,
  now,
  isStopped,
}: StartUpParts): Promise<void> {
  /** The machine's clock may have been set back since: what lies ahead would otherwise be waited for. */
  const withTimesPast = async (job: Job): Promise<Job> => {
    const earlier = shiftBack(job, now());
    return earlier === job ? job : ((await save(job, earlier, 'lossy')) ?? job);
  };
  for await (const job of records.abandoned()) {
    if (isStopped()) return;
    await takeUp(await withTimesPast(job));
  }
}

/** At the start: also what has ended and was not shown yet. */
export async function takeUpAll(parts: StartUpParts): Promise<void> {
  const { records, save, now, isStopped } = parts;
  await takeUpAbandoned(parts);
  // Cards that have yet to say their end are tried now: the next try may be an hour away.
  for (const job of await records.unsettled(now() + LONGEST_PAUSE_MS + A_LITTLE_MS, MOST_TOLD_SOON))
    if (hasEnded(job) && !isStopped()) await save(job, { ...job, due: now(), attempts: 0 }, 'lossy');
}
