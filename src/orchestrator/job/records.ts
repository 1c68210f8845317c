import type { Job, OpeningJob, SubmittingJob } from './job.ts';

/**
 * Storage of jobs. Each call is one transaction: a crash leaves all of it or nothing. Every method rejects when the store
 * cannot be used.
 */
export interface JobRecords {
  /**
   * Writes a new job, reserves its credits and appends its audit line, or rejects with a `Refusal`. The job that its event
   * (or the same press of Again) has made before is returned instead.
   */
  accept(order: NewJob): Promise<Accepted>;
  /** Resolves when every write so far, lossy ones excepted, would survive a power cut; nothing becomes visible before. */
  onDisk(): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  byOrigin(origin: string): Promise<Job | undefined>;
  /**
   * Replaces `before` by `after` and moves the credits; undefined: the record has changed since `before` was read, and
   * nothing was written. `lossy`: a power cut may undo it. `release`: with the same write; a change of its `DueKind` always
   * does. A settled record with `forget` is removed at once. Rejects with `ServiceIdTaken`.
   */
  save(
    before: Job,
    after: Job,
    durability?: 'durable' | 'lossy',
    hand?: 'keep' | 'release',
  ): Promise<Job | undefined>;
  /**
   * Up to `limit` due jobs that nobody has in hand, the longest overdue first. From now on this process has them in hand,
   * until `release`.
   */
  claim(which: DueKind, now: number, limit: number): Promise<Job[]>;
  release(which: DueKind, id: string): Promise<void>;
  /** When the next job that nobody has in hand falls due. */
  nextDue(which: DueKind): Promise<number | undefined>;
  /**
   * Takes over what earlier processes had in hand. Yields all jobs that have no final state yet, in the order in which they
   * were accepted.
   */
  abandoned(): AsyncIterable<Job>;
  /** Up to `limit` ended jobs whose cards do not say so yet, those that are due first. */
  unsettled(before: number, limit: number): Promise<Job[]>;
  /** A person's jobs that have no final state yet, the latest first. */
  unfinishedOf(person: string): Promise<Job[]>;
  /** A person's unfinished jobs, then the latest finished ones. */
  ofPerson(person: string, limit: number): Promise<Job[]>;
  remove(id: string): Promise<boolean>;
  /** Returns the credits of a job whose record has been removed, unless that was done before. */
  giveBack(job: SubmittingJob): Promise<void>;
  /** The service has given this id to a job that was cancelled meanwhile: for some days no other can have it. */
  retireServiceId(job: SubmittingJob, serviceId: string): Promise<void>;
}

export interface AcceptanceLimits {
  readonly userConcurrentJobs: number;
  readonly userWaitingJobs: number;
  readonly userJobsPerMinute: number;
}

export interface NewJob {
  readonly job: OpeningJob;
  readonly limits: AcceptanceLimits;
  /** The daily allowance that applies to its caller there. */
  readonly dailyCredits: number;
  readonly line: AuditLine;
}

export interface Accepted {
  readonly job: Job;
  /** The same event had made this job before. */
  readonly known: boolean;
}

/** A stored record of one moderator action or job. */
export interface AuditLine {
  readonly at: number;
  readonly community: string;
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Another record has, or had, the service's id that was to be saved; nothing was written. */
export class ServiceIdTaken extends Error {
  override readonly name = 'ServiceIdTaken';
}

/** Polls wait for call slots and results for memory; nothing else may wait behind them. */
export type DueKind = 'polls' | 'results' | 'others';

export function dueKindOf(state: Job['state']): DueKind {
  if (state === 'running') return 'polls';
  return state === 'delivering' ? 'results' : 'others';
}

export interface UsageCount {
  readonly reserved: number;
  readonly spent: number;
  readonly jobs: number;
}

export interface UsageRecords {
  person(day: string, community: string, person: string): Promise<UsageCount>;
  community(day: string, community: string): Promise<UsageCount & { readonly people: number }>;
}

/** "Delete all my data": marked first, which hides everything and survives a restart, then removed in batches. */
export interface ErasureRecords {
  /** Hides everything that this person has stored so far. Returns the key for `more`. */
  begin(person: string): Promise<string>;
  /** Those who are not finished yet. */
  pending(): Promise<readonly string[]>;
  /** Removes the next `limit` records. `open`: jobs among them that are still under way and have to be brought to an end. */
  more(
    who: string,
    limit: number,
  ): Promise<{ readonly jobs: number; readonly left: boolean; readonly open: readonly Job[] }>;
}
