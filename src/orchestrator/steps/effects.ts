import type { Drawn } from '../../command/edit-outcome.ts';
import type { PhotoRef } from '../../command/photo.ts';
import type { CardRef } from '../../command/place.ts';
import type { FilterChoice, JobKind } from '../../command/request.ts';
import type { GenerationRequest } from '../../generation-client/endpoints.ts';
import type { GenerationOutput, StatusReport } from '../../generation-client/result/status-report.ts';
import type { CallRecord } from '../../generation-client/wire/call.ts';
import type { ImageInput } from '../../generation-client/wire/inputs.ts';
import type { OwnersTrouble } from '../job/failure.ts';
import type { DeliveringJob, FinalJob, Job, JobStatus, RunningJob, SubmittingJob } from '../job/job.ts';
import type { Credentials } from '../job/job-kinds.ts';

/** Resolves when so many bytes may be kept in memory. They are given back when the step that asked has ended. */
export type Reserve = (bytes: number) => Promise<void>;

/** The world outside, as the one who joins the parts provides it. Everything here may fail and may be repeated. */
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
   * Makes the job's card show how it stands; with `output`, the result: that takes as long as it takes, within bounds of its
   * own. A `ResultDelayed` means: it could not be fetched this time.
   */
  draw(
    job: Job,
    jobStatus: JobStatus,
    importance: 'cosmetic' | 'final',
    output?: GenerationOutput,
    reserve?: Reserve,
  ): Promise<Drawn>;
  /** The card that shows this job, if it is there; an error means: cannot be told now. */
  findCard?(answer: CardRef, job: Job): Promise<CardRef | undefined>;
  /** Another card for a result whose own has gone, still without the result; undefined: nowhere. An error: later. */
  newCard?(job: Job): Promise<CardRef | undefined>;
  /** Takes a card that nobody needs out of the chat again. */
  discard?(card: CardRef): Promise<void>;
  /** Something only the owner can put right: credentials or credits at the service, its address, or our own store. */
  ownerNotice?(trouble: OwnersTrouble['code'] | 'store', job?: Job): void;
  /** A job has reached its final state, once. */
  finished?(job: FinalJob): void;
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
  /** Asks that half of the service for something that costs nothing: once, to see whether it answers. */
  probe(credentials: Credentials): Promise<void>;
}

/** What every step may do. Plain data in and out: any process that has these can run any step. */
export interface Effects {
  now(): number;
  random(): number;
  /** Writes `after` down unless somebody changed the job since `before`; then undefined. */
  save(before: Job, after: Job, weight?: 'promise' | 'note'): Promise<Job | undefined>;
  load(id: string): Promise<Job | undefined>;
  /** The credits of a cancelled job whose record has gone were not spent after all. */
  giveBack(job: SubmittingJob): void;
  /** The service has taken a job that was cancelled meanwhile: its id stands for that one's picture. */
  retireServiceId(job: SubmittingJob, serviceId: string): void;
  admit(job: Job): Promise<void>;
  resolve(choice: FilterChoice, job: Job): Promise<number | string>;
  /** Makes the card say how the job stands, where that is cheap. Never rejects. */
  refresh(job: Job): Promise<void>;
  findCard(answer: CardRef, job: Job): Promise<CardRef | undefined>;
  newCard(job: Job): Promise<CardRef | undefined>;
  discard(card: CardRef): Promise<void>;
  /** Tells the owner of it if nobody else can put it right. */
  tellOwner(error: unknown, job: Job): void;
  nextPoll(job: RunningJob): number;
  postponed(job: RunningJob): number | undefined;
  afterFailedPoll(job: RunningJob, retryAfterMs?: number): number;
  sawUnfinished(job: RunningJob): void;
  sawFinished(job: RunningJob): void;
  /** When a poll on the job's status path was last answered; -Infinity: not since the start. */
  answeredAt(job: RunningJob): number;
  /** What keeps jobs of this kind from being submitted, if anything does. */
  outage(job: Job): JobStatus['outage'];
  /** One at a time of this kind tries to be submitted, and all others wait: see `Gate`. */
  isTrial(job: Job): boolean;
  /** When a submitted job is given up. */
  deadline(job: RunningJob): number;
  /** What began before that is younger than it seems. */
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
}
