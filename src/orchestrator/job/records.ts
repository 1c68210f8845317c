import type { GenerateRequest } from '../../command/request.ts';
import type { Credentials } from '../../kinds/kinds.ts';
import type { Asking, Job, OpeningJob, SubmittingJob, WaitingJob } from './job.ts';

/**
 * Storage of jobs. Each change is one transaction: a crash leaves all of it or nothing. Every method rejects when the store
 * cannot be used.
 */
export interface JobRecords {
  /**
   * Writes a new job, reserves its credits and appends its audit line, or rejects with a `Refusal`. The job that its event
   * (or the same press of Again) has made before is returned instead. Those of an album are written together or not at all.
   */
  accept(order: NewJob): Promise<Accepted>;
  /** Resolves when every write so far, lossy ones excepted, would survive a power cut; nothing becomes visible before. */
  onDisk(): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  byOrigin(origin: string): Promise<Job | undefined>;
  /**
   * Replaces `before` by `after` and moves the credits; undefined: the record has changed since `before` was read, and
   * nothing was written. `lossy`: a power cut may undo it. `release`: the same write ends the claim, as every change of its
   * `DueKind` does. A settled record with `forget` is removed at once. Rejects with `ServiceIdTaken`.
   */
  save(
    before: Job,
    after: Job,
    durability?: 'durable' | 'lossy',
    claim?: 'keep' | 'release',
  ): Promise<Job | undefined>;
  /**
   * Claims up to `limit` due jobs that no process has claimed, the longest overdue first. They stay claimed by this
   * process until `release`.
   */
  claim(which: DueKind, now: number, limit: number): Promise<Job[]>;
  /** No longer claimed. `submission`: a job that still waits gives its slot back and stands in line where it stood. */
  release(kind: ClaimKind, id: string): Promise<void>;
  /**
   * Gives the next job in line a slot, and claims it for its submission until it is saved as anything but `submitting`.
   * Undefined: there is no slot, or no job in line for one.
   */
  take(options: TakeOptions): Promise<WaitingJob | undefined>;
  /** Where a job stands; undefined: it is not in line. */
  place(id: string): Promise<Standing | undefined>;
  /** Where a new job of this person (`turnKey`) would stand; undefined: there is a slot for it. */
  expectedPlace(person: string, limits: SlotLimits): Promise<Standing | undefined>;
  /** How many stand in line, and how many slots are taken. */
  counts(): Promise<{ readonly waiting: number; readonly running: number }>;
  /** When the next job that is not claimed falls due. */
  nextDue(which: DueKind): Promise<number | undefined>;
  /**
   * Takes over what dead processes had claimed; jobs that had a slot and still wait are in line again.
   * Yields all their jobs that have no final state yet, in the order in which they were accepted.
   */
  abandoned(): AsyncIterable<Job>;
  /**
   * This process may have another id than when it claimed these: it keeps these of the submissions that it claimed under a
   * former one. Absent where there is only one process.
   */
  keepSubmissions?(ids: readonly string[]): Promise<void>;
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
  /** The most that everybody together can spend a day; absent: no limit. */
  readonly serviceDailyCredits?: number;
}

export interface NewJob {
  readonly job: OpeningJob;
  readonly limits: AcceptanceLimits;
  /** The daily allowance that applies to its caller there. */
  readonly dailyCredits: number;
  /** What moderators can give its caller today, this allowance and grants together; absent: an owner gave the allowance. */
  readonly mostGiven?: number;
  /** The community whose grants its caller uses when the day's credits are gone; absent: none. */
  readonly grantsOf?: string;
  /** The most that all people of its community can spend today; absent: no limit. */
  readonly communityCredits?: number;
  readonly line: AuditLine;
  /** The jobs of the other photos of its album; what else is here is for all of them. */
  readonly others?: readonly Pick<NewJob, 'job' | 'line'>[];
  /** What its filter is counted as in its community, see `filterKey`; absent: it is not. */
  readonly filter?: string;
  /** For how long its event has been handled, where processes share the store: it is refused if its caller's data was deleted since. */
  readonly handledForMs?: number;
}

/** What a job is made from. */
export interface Order
  extends Asking,
    Pick<NewJob, 'dailyCredits' | 'mostGiven' | 'grantsOf' | 'communityCredits' | 'filter' | 'handledForMs'> {
  /** The same for the other photos of an album: all are accepted, or none. */
  readonly otherRequests?: readonly GenerateRequest[];
}

export interface Accepted {
  readonly job: Job;
  /** The same event had made this job before. */
  readonly known: boolean;
  /** What everybody together has taken today, where that is limited. */
  readonly total?: number;
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

/** What a job is claimed for. */
export type ClaimKind = DueKind | 'submission';

/** How things stand with the calls of one of the credentials. `trial`: one job at a time tries it out. */
export type GateState = 'open' | 'trial' | 'closed';

/** How many jobs may run at once, for each person and in all. */
export interface SlotLimits {
  readonly perPerson: number;
  readonly inAll: number;
}

export interface TakeOptions {
  readonly limits: SlotLimits;
  /**
   * A trial is made with one of those that have come straight back least often: a job that can never pass does not keep
   * all others from trying.
   */
  readonly gates: Readonly<Record<Credentials, GateState>>;
  /** People (`turnKey`) whose jobs are skipped this time. */
  readonly without: readonly string[];
}

export interface Standing {
  /** 1 is next. */
  readonly position: number;
  /** How many of the person's own jobs go before it. */
  readonly own: number;
}

export function dueKindOf(state: Job['state']): DueKind {
  if (state === 'running') return 'polls';
  return state === 'delivering' ? 'results' : 'others';
}

export interface UsageCount {
  readonly reserved: number;
  readonly spent: number;
  /** How much of both was paid from grants; absent: nothing. */
  readonly granted?: number;
  /** What moderators granted the person that day, under the first id of the community; absent: nothing. */
  readonly given?: number;
  readonly jobs: number;
}

/** Reserved and spent. */
export interface DayCredits {
  readonly day: string;
  readonly credits: number;
}

export interface CommunityCredits extends DayCredits {
  readonly community: string;
}

export interface UsageRecords {
  person(day: string, community: string, person: string): Promise<UsageCount>;
  community(day: string, community: string): Promise<UsageCount & { readonly people: number }>;
  /** How many people had jobs in any of these communities on any of these days. */
  peopleOn(days: readonly string[], communities: readonly string[]): Promise<number>;
  /** The credits that everybody together has taken on each of these days. */
  totalsOn(days: readonly string[]): Promise<readonly DayCredits[]>;
  /** The credits that each of these communities has taken on each of these days. */
  creditsOn(days: readonly string[], communities: readonly string[]): Promise<readonly CommunityCredits[]>;
}

/** "Delete all my data": marked first, which hides everything and survives a restart, then removed in batches. */
export interface ErasureRecords {
  /** Hides everything that this person has stored so far. Returns the key for `more`. */
  begin(person: string): Promise<string>;
  /** Whether this person's erasure began within the last so many ms, by the store's clock. */
  began(person: string, withinMs: number): Promise<boolean>;
  /** Those who are not finished yet. */
  pending(): Promise<readonly string[]>;
  /** Removes the next `limit` records. `open`: jobs among them that are still under way and have to be brought to an end. */
  more(
    who: string,
    limit: number,
  ): Promise<{ readonly jobs: number; readonly left: boolean; readonly open: readonly Job[] }>;
}
