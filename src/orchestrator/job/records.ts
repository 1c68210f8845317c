import type { Job, SubmittingJob } from './job.ts';

/**
 * Storage of jobs. Reads and writes inside one `transaction` are atomic, also across a crash.
 */
export interface JobRecords {
  transaction<T>(work: () => T): T;
  /** Resolves when every write so far, notes excepted, would survive a power cut; nothing becomes visible before. */
  onDisk(): Promise<void>;
  /** Writes a new job down and reserves its credits. */
  insert(job: Job): void;
  get(id: string): Job | undefined;
  byOrigin(origin: string): Job | undefined;
  /**
   * Replaces `before` by `after` and moves the credits; undefined: the record has changed since `before` was read, and
   * nothing was written. `lossy`: a power cut may undo it. A settled record with `forget` is removed at once. Throws
   * `ServiceIdTaken`.
   */
  save(before: Job, after: Job, durability?: 'durable' | 'lossy'): Job | undefined;
  /** Up to `limit` jobs that are due, the longest overdue first, of those that come behind `after`. */
  due(which: DueKind, now: number, limit: number, after?: Pick<DueJob, 'due' | 'id'>): DueJob[];
  /** Its version; undefined: it is not due. */
  dueVersion(which: DueKind, id: string, now: number): number | undefined;
  /** When the next job after `after` falls due. */
  nextDue(which: DueKind, after: number): number | undefined;
  /** All that have no final state yet, in the order in which they were accepted. */
  unfinished(): Iterable<Job>;
  countUnfinished(person: string): number;
  /** How many of a person's jobs were accepted after `since` and by now, and when the first of them was. */
  acceptedSince(
    person: string,
    since: number,
    now: number,
  ): { readonly count: number; readonly first?: number };
  /** A person's unfinished jobs, then the latest finished ones. */
  ofPerson(person: string, limit: number): Job[];
  remove(id: string): boolean;
  /** The service has given this id to a job that was cancelled meanwhile: for some days no other can have it. */
  retireServiceId(job: SubmittingJob, serviceId: string): void;
  /** The job of this event was taken out of the records a short while ago. */
  wasRemoved(origin: string): boolean;
  /** Removes up to `limit` finished records older than `before`; says how many went. */
  expire(before: number, limit: number): number;
}

/** Another record has, or had, the service's id that was to be saved; nothing was written. */
export class ServiceIdTaken extends Error {
  override readonly name = 'ServiceIdTaken';
}

/** Polls wait for call slots and results for memory; nothing else may wait behind them. */
export type DueKind = 'polls' | 'results' | 'others';

export interface DueJob {
  readonly id: string;
  readonly due: number;
  readonly version: number;
}

export interface UsageCount {
  readonly reserved: number;
  readonly spent: number;
  readonly jobs: number;
}

export type Charged = Pick<Job, 'id' | 'day' | 'place' | 'credits'>;

export interface UsageRecords {
  /** A new job takes its credits. */
  reserve(person: string, job: Charged): void;
  /**
   * A job's credits are spent or given back; false: that cannot be, because they have been given back before. `known`:
   * what its record says of it, for jobs of which the ledger knows nothing yet.
   */
  move(person: string, job: Charged, to: Job['charge'], known?: Job['charge']): boolean;
  person(day: string, community: string, person: string): UsageCount;
  community(day: string, community: string): UsageCount & { readonly people: number };
}

/** "Delete all my data": marked first, which hides everything and survives a restart, then removed in batches. */
export interface ErasureRecords {
  /** Hides everything that this person has stored so far. Returns the key for `more`. */
  begin(person: string): string;
  /** Those who are not finished yet. */
  pending(): readonly string[];
  /** Removes the next `limit` records. `open`: jobs among them that are still under way and have to be brought to an end. */
  more(
    who: string,
    limit: number,
  ): { readonly jobs: number; readonly left: boolean; readonly open: readonly Job[] };
}
