import type { Drawn } from '../../command/edit-outcome.ts';
import type { JobKind } from '../../command/kinds.ts';
import type { PhotoRef } from '../../command/photo.ts';
import type { CardRef } from '../../command/place.ts';
import type { FilterChoice } from '../../command/request.ts';
import type { GenerationRequest } from '../../generation-client/endpoints.ts';
import type { GenerationOutput, StatusReport } from '../../generation-client/result/status-report.ts';
import type { CallRecord } from '../../generation-client/wire/call.ts';
import type { ImageInput } from '../../generation-client/wire/inputs.ts';
import type { OwnersTrouble } from '../job/failure.ts';
import type { DeliveringJob, FinalJob, Job, JobStatus, RunningJob, SubmittingJob } from '../job/job.ts';
import type { Credentials } from '../job/job-kinds.ts';
import type { JobRecords } from '../job/records.ts';

/** Resolves when so many bytes may be kept in memory; they are released when the step ends. */
export type Reserve = (bytes: number) => Promise<void>;

/** What the orchestrator needs from the rest of the program. Every call may fail and may be repeated. */
export interface Ports {
  /** Throws a `JobFailure` when the community has decided since that this job may not be submitted. Cheap. */
  admit?(job: Job): Promise<void>;
  /**
   * What a filter stands for now. A `JobFailure` is for good; any other error means: later.
   */
  resolve(choice: FilterChoice, job: Job): Promise<number | string>;
  /**
   * The cleaned photo. A `JobFailure` or a `UserError` is for good; any other error means: later. `reserve` is waited for
   * before so many bytes are kept in memory.
   */
  photo(ref: PhotoRef, job: Job, signal: AbortSignal, reserve: Reserve): Promise<ImageInput>;
  /**
   * Draws the job's card; with `output`, the result, which may take long. A `ResultDelayed` means: it could not be fetched
   * this time.
   */
  draw(
    job: Job,
    jobStatus: JobStatus,
    importance: 'cosmetic' | 'final',
    output?: GenerationOutput,
    reserve?: Reserve,
  ): Promise<Drawn>;
  /** The card of this job, if it was shown; an error means: unknown now. */
  findCard?(answer: CardRef, job: Job): Promise<CardRef | undefined>;
  /** A second card, still without the result; undefined: not possible. An error means: later. */
  newCard?(job: Job): Promise<CardRef | undefined>;
  /** Deletes a card from the chat. */
  discard?(card: CardRef): Promise<void>;
  /** Only the owner can fix it: credentials or credits at the service, its address, or the store (`error`: why). */
  ownerNotice?(trouble: OwnersTrouble['code'] | 'store', error?: unknown): void;
  /** A job has reached its final state, once. */
  finished?(job: FinalJob): void;
  /** A poll begins, so long after it was due. */
  polled?(lateMs: number): void;
}

/** The part of the service's client that jobs need. */
export interface Service {
  /** `bodySent`: the photos are not needed any more. */
  run(
    request: GenerationRequest,
    options: { readonly record: CallRecord; readonly bodySent: () => void },
  ): Promise<{ id: string }>;
  /** `reserve` is waited for before a large answer is read. */
  status(
    job: { endpoint: JobKind; id: string },
    options: { readonly reserve: Reserve },
  ): Promise<StatusReport>;
  /** One free call to see whether that half of the service answers. */
  probe(credentials: Credentials): Promise<void>;
}

/** What every step may do. */
export interface Effects {
  now(): number;
  random(): number;
  /** Writes `after` down unless somebody changed the job since `before`; then undefined. */
  readonly save: JobRecords['save'];
  load(id: string): Promise<Job | undefined>;
  /** Returns the credits of a cancelled job whose record has been removed. */
  giveBack(job: SubmittingJob): Promise<void>;
  /** The service accepted a job that was cancelled meanwhile: no other job may use this id. */
  retireServiceId(job: SubmittingJob, serviceId: string): Promise<void>;
  admit(job: Job): Promise<void>;
  resolve(choice: FilterChoice, job: Job): Promise<number | string>;
  /** Updates the card if that is cheap. Never rejects. */
  refresh(job: Job): Promise<void>;
  findCard(answer: CardRef, job: Job): Promise<CardRef | undefined>;
  newCard(job: Job): Promise<CardRef | undefined>;
  discard(card: CardRef): Promise<void>;
  /** Tells the owner if only they can fix it. */
  tellOwner(error: unknown): void;
  nextPoll(job: RunningJob): number;
  postponed(job: RunningJob): number | undefined;
  afterFailedPoll(job: RunningJob, retryAfterMs?: number): number;
  sawUnfinished(job: RunningJob): void;
  sawFinished(job: RunningJob): void;
  /** When a poll on the job's status path was last answered; -Infinity: not since the start. */
  answeredAt(job: RunningJob): number;
  /** What keeps jobs of this kind from being submitted, if anything does. */
  outage(job: Job): JobStatus['outage'];
  /** One job of this kind at a time is submitted as a trial, and all others wait: see `Gate`. */
  isTrial(job: Job): boolean;
  /** When a submitted job is given up. */
  deadline(job: RunningJob): number;
  /** Times before this cannot be compared with now. */
  lastForwardJump(): number;
  waitingMs: number;
  elsewhereMs: number;
  deliveryMs: number;
}

/** What a step that is due may do besides. */
export interface StepEffects extends Effects {
  status(job: RunningJob | DeliveringJob): Promise<StatusReport>;
  draw(job: Job, output?: GenerationOutput): Promise<Drawn>;
  /** Keeps a result for the step that delivers it. */
  keepResult(output: GenerationOutput): void;
  /** The result that was kept; where there is none, the service is asked again. */
  keptResult(): GenerationOutput | undefined;
}

/** What a submission may do besides. */
export interface SubmitEffects extends Effects {
  photo(ref: PhotoRef, job: Job): Promise<ImageInput>;
  run(request: GenerationRequest, record: CallRecord): Promise<{ id: string }>;
  /** Writes down what came of the run. Nobody else can find that out, so it is repeated until the store has taken it. */
  keep(write: () => Promise<void>): Promise<void>;
}
