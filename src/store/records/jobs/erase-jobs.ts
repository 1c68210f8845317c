import type { Job } from '../../../orchestrator/job/job.ts';

/** What became of a batch of a person's jobs. */
export interface ErasedJobs {
  /** How many were gone through. */
  readonly seen: number;
  /** Those of them that are not settled and not yet marked to be forgotten. */
  readonly open: readonly Job[];
  /** How many have gone, or are in `open`. */
  readonly jobs: number;
  /** No job since the beginning was in `open`. */
  readonly isClean: boolean;
  /** Where to go on; undefined: all have been gone through. */
  readonly next: ErasedUpTo | undefined;
}

/** How far the erasing of a person has come: jobs that are not settled yet stay, and are not gone through again. */
export interface ErasedUpTo {
  readonly createdAt: number;
  readonly seq: number;
  readonly isClean: boolean;
}

export const BEGINNING: ErasedUpTo = { createdAt: Number.MIN_SAFE_INTEGER, seq: 0, isClean: true };

/** `rows`: all of the batch, in order. `gone`: how many of them were removed. */
export function erasedJobs(
  rows: readonly Readonly<Record<string, unknown>>[],
  open: readonly Job[],
  gone: number,
  limit: number,
  from: ErasedUpTo,
): ErasedJobs {
  const isClean = from.isClean && open.length === 0;
  const last = rows.length < limit ? undefined : rows.at(-1);
  const next = last && { createdAt: Number(last.created_at), seq: Number(last.seq), isClean };
  return { seen: rows.length, open, jobs: gone + open.length, isClean, next };
}
