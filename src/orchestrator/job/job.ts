import type { GateRefusal } from '../../command/community-settings.ts';
import type { GenerateRequest } from '../../command/kinds.ts';
import type { PhotoRef } from '../../command/photo.ts';
import type { Caller, CardRef, Place } from '../../command/place.ts';
import type { JobState } from '../../command/ports.ts';
import type { ServiceRefusalReason } from '../../generation-client/wire/errors.ts';
import type { Outage } from '../service/breaker.ts';

/** Why a job ended without a result: a code that has words in every language, and the service's own words if any. */
export interface Failure {
  readonly code:
    | 'photo-unavailable'
    | 'photo-invalid'
    | 'photo-too-complex'
    | 'alias-gone'
    | 'alias-mismatch'
    | 'refused'
    | ServiceRefusalReason
    | 'service-credits'
    | 'service-credentials'
    | 'service-address'
    | 'generation-failed'
    | 'deadline'
    | 'result-unusable'
    /** The service no longer knows the job. */
    | 'job-unknown'
    /** It was finished, but the service no longer had the result when it could be shown. */
    | 'result-gone'
    /** It was finished, but the platform takes it in no form and no place. */
    | 'result-refused'
    /** Decided by the community after the job was accepted. */
    | GateRefusal['code'];
  /** Bounded plain text, hostile: for display only. */
  readonly detail?: string;
}

export interface StateChange {
  readonly state: JobState;
  readonly at: number;
}

/** What every job has, in every state. */
interface JobBase {
  readonly id: string;
  /** The platform event that made it: unique, so an event handled twice makes one job. */
  readonly origin: string;
  readonly caller: Caller;
  readonly place: Place;
  readonly private: boolean;
  readonly request: GenerateRequest;
  /** Shown in captions and lists: the filter's name or the prompt's beginning. */
  readonly label: string;
  /** Reserved when accepted, on this day (UTC, `YYYY-MM-DD`); spent or returned exactly once. */
  readonly credits: number;
  readonly day: string;
  readonly charge: 'reserved' | 'spent' | 'returned';
  /** Every state after `opening` has one, unless it was removed or never appeared. */
  readonly card?: CardRef;
  /** The event of the button that it was made by. */
  readonly press?: string;
  /** The job whose button Again made it. */
  readonly againOf?: string;
  /** How many other photos its command had: their jobs have origins of their own, see `originOfOther`. */
  readonly others?: number;
  readonly createdAt: number;
  /** Its states so far, see `noted`; absent: it was accepted before they were noted. */
  readonly history?: readonly StateChange[];
  /** When its next step is due; undefined when nothing is to be done for it. */
  readonly due?: number;
  /** Status calls that were made for it, as of its last write. */
  readonly looks: number;
  /** Failed attempts in a row of the current step: polls or card edits. */
  readonly attempts: number;
  /** The progress last shown, so that it never runs backwards. */
  readonly shownProgress: number;
  /** The final state has been drawn on the card (or the card has gone). */
  readonly settled: boolean;
  /** The caller deleted their data: the record is removed as soon as the card shows the final state. */
  readonly forget?: true;
  /** Raised by every write: a write based on an older one is refused. */
  readonly version: number;
}

/** What only some states have. */
interface StateFields {
  /** Where to search for the card while it is not confirmed that it was shown. */
  readonly answer: CardRef;
  /** Not in the queue until it is due: why, as far as known. */
  readonly resting:
    | 'service-credentials'
    | 'service-address'
    | 'service-unavailable'
    | 'service-busy'
    | 'unknown';
  readonly submittedAt: number;
  /** Between two attempts: nothing of it has arrived so far. */
  readonly unsent: true;
  /** The service's id, polled on the status path of the request's kind. */
  readonly serviceId: string;
  readonly lastStatus: 'waiting' | 'running';
  readonly statusSince: number;
  /** When `waiting` was last seen: the service had not begun then. */
  readonly waitingUntil: number;
  /** The last poll that was answered. */
  readonly lastLookAt: number;
  /** Answers that said `completed` and had no result that could be read. */
  readonly unusable: number;
  /** Polls that were answered with `no such job` or a refusal since it was last seen, and when the first of them was. */
  readonly missed: { readonly since: number; readonly count: number };
  readonly finishedAt: number;
  /** The clock jumped while it ran: how long it took is not known. */
  readonly untimed: true;
  /** Times that a finished result could not be fetched. */
  readonly fetches: number;
  /** Times that the platform refused to show the result for good: the next form or place is tried. */
  readonly refusals: number;
  /** Its card was deleted and this is the second one; there is no third. */
  readonly moved: true;
  /** The card that could not be edited for hours, and still has to say that the result went elsewhere. */
  readonly formerCard: CardRef;
  /** It is being deleted from the chat: its result is not shown anywhere else. */
  readonly withdrawn: true;
  readonly failure: Failure;
  /** Where the result can be had again: input of the next job. */
  readonly result: PhotoRef;
  /** A private result is shown to everybody in `card`; without one: that was begun, and its outcome is unknown. */
  readonly shared: { readonly at: number; readonly card?: CardRef };
}

/** A job in `State`: it has `Has`, may have `May`, and cannot have any other of the fields above. */
type JobIn<State extends JobState, Has extends keyof StateFields, May extends keyof StateFields> = JobBase & {
  readonly state: State;
} & Pick<StateFields, Has> &
  Partial<Pick<StateFields, May>> & { readonly [Absent in Exclude<keyof StateFields, Has | May>]?: never };

/** What the service was seen to say of it. */
type Polled = 'lastStatus' | 'statusSince' | 'waitingUntil' | 'lastLookAt' | 'unusable' | 'missed';
type Shown = 'untimed' | 'fetches' | 'refusals' | 'moved' | 'formerCard' | 'withdrawn';
/** One group for all ends without a result: they are reached from many states, and no reader asks which. */
type AtItsEnd = 'answer' | 'submittedAt' | 'serviceId' | Polled | Shown;

export type OpeningJob = JobIn<'opening', never, 'answer'>;
export type WaitingJob = JobIn<'waiting', never, 'resting'>;
export type SubmittingJob = JobIn<'submitting', 'submittedAt', 'unsent'>;
export type RunningJob = JobIn<'running', 'submittedAt' | 'serviceId', Polled>;
export type DeliveringJob = JobIn<'delivering', 'submittedAt' | 'serviceId' | 'finishedAt', Polled | Shown>;
export type DoneJob = JobIn<
  'done',
  'submittedAt' | 'serviceId' | 'finishedAt',
  Polled | Shown | 'result' | 'shared'
>;
export type FailedJob = JobIn<'failed', 'finishedAt' | 'failure', AtItsEnd>;
export type CancelledJob = JobIn<'cancelled', 'finishedAt', AtItsEnd>;
export type UncertainJob = JobIn<'uncertain', 'finishedAt', AtItsEnd>;

export type StoppableJob = OpeningJob | WaitingJob | SubmittingJob | RunningJob;
export type FinalJob = DoneJob | FailedJob | CancelledJob | UncertainJob;

/** All that is known of a job, as plain data. */
export type Job = StoppableJob | DeliveringJob | FinalJob;

export const FINAL_STATES = [
  'done',
  'failed',
  'cancelled',
  'uncertain',
] as const satisfies readonly JobState[];
export type FinalState = (typeof FINAL_STATES)[number];

export function isFinal(state: JobState): state is FinalState {
  return (FINAL_STATES as readonly JobState[]).includes(state);
}

export function hasEnded(job: Job): job is FinalJob {
  return isFinal(job.state);
}

/** A job can be cancelled until its result is being shown. */
export function canStop(job: Job): job is StoppableJob {
  return !hasEnded(job) && job.state !== 'delivering';
}

type Asked = 'origin' | 'caller' | 'place' | 'private' | 'request' | 'label' | 'credits';

/** What is asked for, as the job keeps it. */
export type Asking = Pick<OpeningJob, Asked | 'answer' | 'press' | 'againOf'>;

/** What a job is made from. */
export interface Order extends Asking {
  /** The daily allowance that applies to this caller here. */
  readonly dailyCredits: number;
  /** See `NewJob`. */
  readonly mostGiven?: number;
  readonly grantsOf?: string;
  readonly communityCredits?: number;
  readonly filter?: string;
  /** The same for the other photos of an album: all are accepted, or none. */
  readonly otherRequests?: readonly GenerateRequest[];
}

/** The origin of the job of another photo of an album, from 1. */
export function originOfOther(origin: string, number: number): string {
  return `${origin}+${number}`;
}

/** Whether it is of another photo: its card is not the answer to its event. */
export function isOther({ origin }: Pick<Job, 'origin'>): boolean {
  return /\+\d+$/.test(origin);
}

/** What a card shows besides the record. */
export interface JobStatus {
  /** 1 is next; undefined when it is not waiting. */
  readonly position?: number;
  readonly waitMs?: number;
  readonly progress?: number;
  readonly remainingMs?: number;
  /** It is tried again after `waitMs`. */
  readonly resting?: 'service-busy' | 'unknown';
  /** The service is not answering: waiting jobs say so. */
  readonly outage?: Outage;
}

/** A job that comes back to the line again and again keeps its first state and the latest ones. */
export const MOST_STATES = 30;

/** `after` with its state noted, if that is another one. */
export function noted(before: Job, after: Job, now: number): Job {
  if (before.state === after.state || before.history === undefined) return after;
  const [first, ...rest] = before.history;
  const latest: readonly StateChange[] = [...rest, { state: after.state, at: now }];
  const kept = latest.slice(1 - MOST_STATES);
  return { ...after, history: first === undefined ? kept : [first, ...kept] };
}
