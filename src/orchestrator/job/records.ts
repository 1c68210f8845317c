import type { GenerateRequest } from '../../command/request.ts';
import type { Credentials } from '../../kinds/kinds.ts';
import type { Job, JobFieldsFromRequest, OpeningJob, SubmittingJob, WaitingJob } from './job.ts';

/** The store as the orchestrator uses it: an interface that `src/store` implements. */

/**
 * Storage of jobs. Each change is one transaction: a crash leaves all of it or nothing. Every method rejects when the store
 * cannot be used.
 */
export interface JobRecords {
  /**
   * Writes a new job, reserves its credits and appends its audit line, or rejects with `OrderRefused`. If the same event (or the
   * same press of Again) has made a job before, that job is returned instead. The jobs of an album are written together or not
   * at all.
   */
  accept(order: NewJob): Promise<Accepted>;
  /** Resolves when every write so far, except lossy ones, would survive a power cut. Nothing may become visible before that. */
  onDisk(): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  byOrigin(origin: string): Promise<Job | undefined>;
  /**
   * Replaces `before` by `after` and moves the credits. Returns undefined if the record has changed since `before` was read;
   * nothing was written then. `lossy`: a power cut may undo the write. `release`: the same write ends the claim, as every
   * change of its `DueKind` does. A settled record with `forget` is removed at once. Rejects with `ServiceIdTaken`.
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
  /**
   * Ends this process's claim on a job. `submission`: a job that still waits gives its slot back and returns to its place in
   * line.
   */
  release(kind: ClaimKind, id: string): Promise<void>;
  /**
   * Gives the next job in line a slot and claims it for its submission, until it is saved in a state other than `submitting`.
   * Undefined: there is no free slot, or no job in line for one.
   */
  take(options: TakeOptions): Promise<WaitingJob | undefined>;
  /** A job's place in line; undefined if it is not in line. */
  standing(id: string): Promise<PlaceInLine | undefined>;
  /** The place in line that a new job of this person (`turnKey`) would get; undefined if there is a slot for it. */
  expectedStanding(person: string, limits: SlotLimits): Promise<PlaceInLine | undefined>;
  /** The number of jobs in line and of slots taken. */
  counts(): Promise<{ readonly waiting: number; readonly running: number }>;
  /** When the next unclaimed job falls due. */
  nextDue(which: DueKind): Promise<number | undefined>;
  /**
   * Takes over what dead processes had claimed: their jobs that had a slot and still wait return to the line. Yields all jobs
   * of dead processes that have no final state yet, in the order in which they were accepted.
   */
  abandoned(): AsyncIterable<Job>;
  /**
   * Moves the claims of these submissions from a former id of this process to its current one. Absent where there is only one
   * process.
   */
  keepSubmissions?(ids: readonly string[]): Promise<void>;
  /** Up to `limit` ended jobs whose cards do not say so yet, the first due first. */
  unsettled(before: number, limit: number): Promise<Job[]>;
  /** A person's jobs that have no final state yet, the latest first. */
  unfinishedOf(person: string): Promise<Job[]>;
  /** A person's unfinished jobs, then the latest finished ones. */
  ofPerson(person: string, limit: number): Promise<Job[]>;
  remove(id: string): Promise<boolean>;
  /** Returns the credits of a job whose record has been removed, unless they were returned before. */
  returnCredits(job: SubmittingJob): Promise<void>;
  /** Reserves an id that the service gave to a job that was cancelled meanwhile: for some days no other job can have it. */
  retireServiceId(job: SubmittingJob, serviceId: string): Promise<void>;
}

/** Limits that apply when a job is accepted. */
export interface AcceptanceLimits {
  readonly userConcurrentJobs: number;
  readonly userWaitingJobs: number;
  readonly userJobsPerMinute: number;
  /** The most credits that everybody together can spend a day; absent: no limit. */
  readonly serviceDailyCredits?: number;
  /** The most credits that everybody together can spend a calendar month (UTC); absent: no limit. */
  readonly serviceMonthlyCredits?: number;
}

/** A job to be accepted, with the limits that apply to its caller and community. */
export interface NewJob {
  readonly job: OpeningJob;
  readonly limits: AcceptanceLimits;
  /** The caller's daily allowance in the community. */
  readonly dailyCredits: number;
  /**
   * The upper limit of the allowance and today's grants together that moderators can give the caller; absent if an owner set
   * the allowance.
   */
  readonly mostGiven?: number;
  /** The community whose grants are used when the day's credits are gone; absent: none. */
  readonly grantsOf?: string;
  /** The most credits that the whole community can spend today; absent: no limit. */
  readonly communityCredits?: number;
  readonly line: AuditLine;
  /** The jobs of the album's other photos; all other fields apply to them as well. */
  readonly others?: readonly Pick<NewJob, 'job' | 'line'>[];
  /** The key under which the community counts the filter, see `filterKey`; absent: not counted. */
  readonly filter?: string;
  /**
   * How long the event has been in handling, where processes share the store: the job is refused if the caller's data was
   * deleted since.
   */
  readonly handledForMs?: number;
}

/** An order of a person, from which `accept` makes one job or those of an album. */
export interface JobOrder
  extends JobFieldsFromRequest,
    Pick<NewJob, 'dailyCredits' | 'mostGiven' | 'grantsOf' | 'communityCredits' | 'filter' | 'handledForMs'> {
  /** The requests of the album's other photos: all are accepted, or none. */
  readonly otherRequests?: readonly GenerateRequest[];
}

/** The outcome of an acceptance. */
export interface Accepted {
  readonly job: Job;
  /** Whether the event had made this job before. */
  readonly known: boolean;
  /** The credits that everybody together has used today, where that is limited. */
  readonly total?: number;
  /** The credits that everybody together has used in the fuller of the months that it was checked against, where that is limited. */
  readonly month?: MonthCredits;
}

/** The credits of a calendar month, reserved and spent together. */
export interface MonthCredits {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly credits: number;
}

/** A stored record of one moderator action or job. */
export interface AuditLine {
  readonly at: number;
  readonly community: string;
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Thrown by `save` if another record has, or had, the service's id that was to be saved; nothing was written. */
export class ServiceIdTaken extends Error {
  override readonly name = 'ServiceIdTaken';
}

/** The queues of due jobs. Polls wait for their turn to call and results for memory, so nothing else may wait behind them. */
export type DueKind = 'polls' | 'results' | 'others';

/** The purpose of a claim. */
export type ClaimKind = DueKind | 'submission';

/**
 * Whether jobs that need one of the credentials may be submitted. `trial`: one job at a time, to find out whether an outage is
 * over.
 */
export type GateState = 'open' | 'trial' | 'closed';

/** Limits of concurrent jobs, for each person and in total. */
export interface SlotLimits {
  readonly perPerson: number;
  readonly inAll: number;
}

/** Which job in line may get the next slot. */
export interface TakeOptions {
  readonly limits: SlotLimits;
  /**
   * The state of the gate for each of the credentials. A trial takes one of the jobs that were returned to the line least
   * often, so that a job that can never pass does not keep all others from trying.
   */
  readonly gates: Readonly<Record<Credentials, GateState>>;
  /** People (`turnKey`) whose jobs are skipped this time. */
  readonly without: readonly string[];
}

/** A job's place in line. */
export interface PlaceInLine {
  /** 1 is next. */
  readonly position: number;
  /** How many jobs of the same person are before it. */
  readonly own: number;
}

/** The queue in which a job's due step belongs. */
export function dueKindOf(state: Job['state']): DueKind {
  if (state === 'running') return 'polls';
  return state === 'delivering' ? 'results' : 'others';
}

/** A person's or a community's use of credits on one day. */
export interface UsageCount {
  readonly reserved: number;
  readonly spent: number;
  /** The part of both that was paid from grants; absent: nothing. */
  readonly granted?: number;
  /** The credits that moderators granted the person that day, stored under the community's first id; absent: nothing. */
  readonly given?: number;
  readonly jobs: number;
}

/** The credits of one day, reserved and spent together. */
export interface DayCredits {
  readonly day: string;
  readonly credits: number;
}

export interface CommunityCredits extends DayCredits {
  readonly community: string;
}

/** Reads what people and communities have used, from the counters of each day. */
export interface UsageRecords {
  person(day: string, community: string, person: string): Promise<UsageCount>;
  community(day: string, community: string): Promise<UsageCount & { readonly people: number }>;
  /** How many people had jobs in any of these communities on any of these days. */
  peopleOn(days: readonly string[], communities: readonly string[]): Promise<number>;
  /** The credits that everybody together has used on each of these days. */
  totalsOn(days: readonly string[]): Promise<readonly DayCredits[]>;
  /** The credits that each of these communities has used on each of these days. */
  creditsOn(days: readonly string[], communities: readonly string[]): Promise<readonly CommunityCredits[]>;
}

/**
 * Erasure of all data of a person. It is marked first, which hides everything and survives a restart, and then removed in
 * batches.
 */
export interface ErasureRecords {
  /** Hides everything that this person has stored so far. Returns the key for `more`. */
  begin(person: string): Promise<string>;
  /** Whether an erasure of this person's data began within the last `withinMs`, by the store's clock. */
  began(person: string, withinMs: number): Promise<boolean>;
  /** The keys of erasures that are not finished yet. */
  pending(): Promise<readonly string[]>;
  /**
   * Removes the next `limit` records. `open` has the jobs among them that are still under way and must be brought to an end
   * first.
   */
  more(
    who: string,
    limit: number,
  ): Promise<{ readonly jobs: number; readonly left: boolean; readonly open: readonly Job[] }>;
}
