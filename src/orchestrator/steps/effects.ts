import type { Clock } from '../../base/clock.ts';
import { withTimeout } from '../../base/clock.ts';
import type { PhotoRef } from '../../command/photo.ts';
import type { CardRef } from '../../command/place.ts';
import type { DrawOutcome } from '../../command/reply.ts';
import type { FilterChoice } from '../../command/request.ts';
import type { GenerationRequest } from '../../generation-client/endpoint.ts';
import type { GenerationOutput, StatusReport } from '../../generation-client/result/status-report.ts';
import type { CallRecord } from '../../generation-client/wire/call.ts';
import type { ImageInput } from '../../generation-client/wire/inputs.ts';
import type { JobKind } from '../../kinds/kinds.ts';
import { type Credentials, credentialsOf, outputOf } from '../../kinds/kinds.ts';
import type { Log } from '../../log/log.ts';
import { asSubmittedAtJump, startedAfterJump } from '../job/clock-jumps.ts';
import { isOwners, lastingFailure, type OwnersTrouble } from '../job/failure.ts';
import type { DeliveringJob, DoneJob, FinalJob, HeldJob, Job, JobStatus, RunningJob } from '../job/job.ts';
import type { JobRecords, SlotLimits } from '../job/records.ts';
import type { Timing } from '../schedule/timing.ts';
import type { Gate } from '../service/service-gate.ts';

/** Waits until so many bytes may be kept in memory; they are released when the step ends. */
export type Reserve = (bytes: number) => Promise<void>;

/** How drawing a result ended. `hashes`: of what was drawn. `unfetched`: it could not be fetched this time; `slow`: because that took too long. */
export type DrawnResult =
  | (DrawOutcome & { readonly hashes?: DoneJob['resultHashes'] })
  | { readonly state: 'unfetched'; readonly slow: boolean };

/** A photo for the service, and the perceptual hashes that are stored with its job: none of a link. */
export interface JobPhoto {
  readonly image: ImageInput;
  readonly hashes: readonly string[];
  /** Whether nobody can use the photo any more: asked right before it is sent, which may be minutes after it was fetched. */
  readonly isBlockedNow?: () => Promise<boolean>;
}

/** The functions of the rest of the program that the orchestrator calls. Every call may fail and may be repeated. */
export interface OrchestratorPorts {
  /** Throws a `JobFailure` if the community has decided since the acceptance that this job may not be submitted. Cheap. */
  admit(job: Job): Promise<void>;
  /** Resolves the chosen filter to the service's number or id. A `JobFailure` is final; after any other error it is retried. */
  resolve(choice: FilterChoice, job: Job): Promise<number | string>;
  /**
   * Fetches a photo and removes its metadata. A `JobFailure` or a `UserError` is final; after any other error it is retried.
   * `reserve` is awaited before so many bytes are kept in memory.
   */
  photo(ref: PhotoRef, job: Job, signal: AbortSignal, reserve: Reserve): Promise<JobPhoto>;
  /**
   * Looks at the content of a photo, however long that takes. A `JobFailure` is final; after any other error the job waits, because
   * no photo is submitted without that.
   */
  checkPhoto(photo: ImageInput, job: Job): Promise<void>;
  /** Whether nobody can use one of the job's photos any more: it may have been blocked while the result was made. */
  isBlocked(job: Job): Promise<boolean>;
  /**
   * Looks at the content of a result, however long that takes, and says whether a moderator has to decide about it. A `JobFailure` is
   * final; after any other error it is retried, because no picture is shown without that.
   */
  isHeld(output: GenerationOutput, job: Job): Promise<boolean>;
  /** Tells moderators, or owners, that a result is held. After an error it is repeated. */
  tellHeld(job: HeldJob): Promise<void>;
  /** Deletes what moderators were shown of a held result, from then on even after a kill. After an error it is repeated. */
  takeBack(job: HeldJob): Promise<void>;
  /** Draws the job's card; with `output`, the result, which may take long. */
  draw(
    job: Job,
    jobStatus: JobStatus,
    importance: 'cosmetic' | 'final',
    output?: GenerationOutput,
    reserve?: Reserve,
  ): Promise<DrawnResult>;
  /** Finds the card of this job if it was shown; an error means that this is unknown now. */
  findCard(answer: CardRef, job: Job): Promise<CardRef | undefined>;
  /** Sends a second card, still without the result; undefined: not possible. After an error it is retried. */
  newCard(job: Job): Promise<CardRef | undefined>;
  /** Deletes a card from the chat. */
  discard(card: CardRef): Promise<unknown>;
  /**
   * Notifies the owner of something that only they can fix: credentials or credits at the service, its address, or the store
   * (`error`: why).
   */
  ownerNotice(trouble: OwnersTrouble['code'] | 'store', error?: unknown): void;
  /** Called once when a job has reached its final state. */
  finished(job: FinalJob): void;
  /** Called when a poll begins, with its delay. */
  polled(lateMs: number): void;
}

/** The part of the service's client that jobs need. */
export interface Service {
  /** Submits a job. `bodySent` is called when the photos are not needed any more. */
  run(
    request: GenerationRequest,
    options: { readonly record: CallRecord; readonly bodySent: () => void },
  ): Promise<{ id: string }>;
  /** Asks for the status of a job. `reserve` is awaited before a large answer is read. */
  status(
    job: { endpoint: JobKind; id: string },
    options: { readonly reserve: Reserve },
  ): Promise<StatusReport>;
  /** Makes one free call to see whether the service answers with these credentials. */
  probe(credentials: Credentials): Promise<void>;
}

/** Timeouts of jobs, from the settings. */
export interface Deadlines {
  /** From submission to the result. */
  readonly imageMs: number;
  readonly videoMs: number;
  /** From acceptance to submission. */
  readonly waitingMs: number;
}

/** Dependencies that the parts of the orchestrator share. */
export interface JobContext {
  readonly records: JobRecords;
  readonly ports: OrchestratorPorts;
  readonly gates: Readonly<Record<Credentials, Gate>>;
  readonly timing: Timing;
  readonly limits: SlotLimits;
  readonly deadlines: Deadlines;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** Whether other processes share the store and work on the jobs as well. */
  readonly isShared: boolean;
  readonly isStopped: () => boolean;
}

const RESOLVE_MS = 60_000;
const SEARCH_MS = 30_000;
const REFRESH_MS = 10_000;
export const DRAW_MS = 180_000;

export type Effects = ReturnType<typeof createEffects>;

/** Creates the effects of every step: reading and writing records, calling ports, choosing times. Every call has a timeout. */
export function createEffects(common: JobContext, saveJob: JobRecords['save']) {
  const { records, ports, gates, timing, clock, deadlines } = common;
  const gateOf = (job: Job): Gate => gates[credentialsOf(job.request.kind)];
  const deadline = ({ request: { kind }, submittedAt }: RunningJob): number =>
    Math.max(submittedAt, clock.lastForwardJump()) +
    (outputOf(kind) === 'video' ? deadlines.videoMs : deadlines.imageMs);
  const aged = (job: RunningJob): RunningJob => asSubmittedAtJump(job, clock.lastForwardJump());
  const isTimed = (job: RunningJob): boolean => startedAfterJump(job, clock.lastForwardJump());

  return {
    now: clock.now,
    random: common.random,
    /** When the clock last jumped forward; earlier times cannot be compared with now. */
    lastForwardJump: clock.lastForwardJump,
    ...deadlines,
    /** Replaces `before` by `after`; undefined if the record has changed since `before` was read. */
    async save(...[before, after, durability, claim]: Parameters<JobRecords['save']>) {
      const saved = await saveJob(before, after, durability, claim);
      if (durability !== 'lossy') await records.onDisk();
      return saved;
    },
    load: records.get,
    returnCredits: records.returnCredits,
    retireServiceId: records.retireServiceId,
    admit: ports.admit,
    resolve: (choice: FilterChoice, job: Job) =>
      withTimeout(clock, RESOLVE_MS, () => ports.resolve(choice, job)),
    findCard: (answer: CardRef, job: Job) => withTimeout(clock, SEARCH_MS, () => ports.findCard(answer, job)),
    newCard: (job: Job) => withTimeout(clock, DRAW_MS, () => ports.newCard(job)),
    isBlocked: ports.isBlocked,
    isHeld: ports.isHeld,
    tellHeld: (job: HeldJob) => withTimeout(clock, DRAW_MS, () => ports.tellHeld(job)),
    takeBack: (job: HeldJob) => withTimeout(clock, DRAW_MS, () => ports.takeBack(job)),
    discard: (card: CardRef) => withTimeout(clock, DRAW_MS, () => ports.discard(card)),
    /** Updates the card if that is cheap. Never rejects. */
    refresh: async (job: Job) =>
      void (await withTimeout(clock, REFRESH_MS, () => ports.draw(job, {}, 'cosmetic')).catch(
        () => undefined,
      )),
    /** Notifies the owner if only they can fix this error. */
    tellOwner(error: unknown) {
      const trouble = lastingFailure(error);
      if (trouble !== undefined && isOwners(trouble)) ports.ownerNotice(trouble.code);
    },
    /** When a submitted job fails for want of a result. */
    deadline,
    // The last poll is made at the deadline.
    nextPoll: (job: RunningJob) => Math.min(timing.nextPoll(aged(job), clock.now()), deadline(job)),
    postponed: (job: RunningJob) => timing.postponed(aged(job), clock.now()),
    afterFailedPoll: (job: RunningJob, retryAfterMs?: number) =>
      timing.afterFailedPoll(aged(job), clock.now(), retryAfterMs),
    sawUnfinished(job: RunningJob) {
      if (isTimed(job)) timing.sawUnfinished(job, clock.now());
    },
    sawFinished(job: RunningJob) {
      if (isTimed(job)) timing.sawFinished(job, clock.now());
    },
    /** The outage that keeps jobs of this kind from being submitted, if there is one. */
    outage: (job: Job) => gateOf(job).outage(),
    /** Whether one job at a time is submitted as a trial while all others wait, see `Gate`. */
    isTrial: (job: Job) => gateOf(job).isTrial(),
  };
}

/** Effects of due steps, besides the common ones. */
export interface StepEffects extends Effects {
  status(job: RunningJob | DeliveringJob): Promise<StatusReport>;
  /** When a poll on the job's status path was last answered; -Infinity: not since the start. */
  answeredAt(job: RunningJob): number;
  draw(job: Job, output?: GenerationOutput): Promise<DrawnResult>;
  /** Keeps a result for the step that delivers it. */
  keepResult(output: GenerationOutput): void;
  /** The result that an earlier step has kept. If there is none, the service is asked again. */
  takeKeptResult(): GenerationOutput | undefined;
}

/** Effects of submissions, besides the common ones. */
export interface SubmitEffects extends Effects {
  photo(ref: PhotoRef): Promise<JobPhoto>;
  /** Rejects with a `JobFailure` or with `ContentUnchecked`. */
  checkPhoto(photo: ImageInput): Promise<void>;
  run(request: GenerationRequest, record: CallRecord): Promise<{ id: string }>;
  /** Writes the outcome of the run. Only this process knows it, so the write is retried until the store has accepted it. */
  keep(write: () => Promise<void>): Promise<void>;
}
