import type { PhotoRef } from '../../command/photo.ts';
import type { Caller, CardRef, Place } from '../../command/place.ts';
import type { JobState } from '../../command/ports.ts';
import type { GenerateRequest } from '../../command/request.ts';
import type { RefusalReason } from '../../generation-client/wire/refusal-reason.ts';
import type { Outage } from '../service/breaker.ts';

/** What the community has decided since the job was accepted. */
export type AdmissionFailure = 'blocked' | 'paused' | 'banned-word';

/** Why a job ended without a result: a code that has words in every language, and the service's own words if any. */
export interface Failure {
  readonly code:
    | 'photo-unavailable'
    | 'photo-invalid'
    | 'photo-too-complex'
    | 'alias-gone'
    | 'alias-mismatch'
    | 'refused'
    | RefusalReason
    | 'service-credits'
    | 'service-credentials'
    | 'service-address'
    | 'generation-failed'
    | 'deadline'
    | 'result-unusable'
    /** The service no longer knows the job. */
    | 'job-unknown'
    /** It was finished, and its result had gone when it could be shown. */
    | 'result-gone'
    | AdmissionFailure;
  /** Bounded plain text, hostile: for display only. */
  readonly detail?: string;
}

/** A job's whole truth, as plain data. Steps take one and return one; engines store it. */
export interface Job {
  readonly id: string;
  /** The platform event that made it: unique, so an event handled twice makes one job. */
  readonly origin: string;
  readonly state: JobState;
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
  readonly card?: CardRef;
  /** Where the card can be looked for as long as we have not heard that it was shown. */
  readonly answer?: CardRef;
  /** The event of the button that it was made by. */
  readonly press?: string;
  /** The job whose button Again made it. */
  readonly againOf?: string;
  readonly createdAt: number;
  /** When its next step is due; undefined when nothing is to be done for it. */
  readonly due?: number;
  /** Waiting, but not in line before it is due: why, where that is known. */
  readonly resting?: 'service-credentials' | 'service-address' | 'service-unavailable' | 'unknown';
  readonly submittedAt?: number;
  /** Submitting, but between two attempts: nothing of it has arrived so far. */
  readonly unsent?: true;
  /** The service's id, polled on the status path of the request's kind. */
  readonly serviceId?: string;
  readonly lastStatus?: 'waiting' | 'running';
  readonly statusSince?: number;
  /** When `waiting` was last seen: the service had not begun then. */
  readonly waitingUntil?: number;
  readonly lastLookAt?: number;
  readonly looks: number;
  /** Failed attempts in a row of the step in hand: looks or card edits. */
  readonly attempts: number;
  /** Answers that said `completed` and had no result that could be read. */
  readonly unusable?: number;
  /** Looks that were answered with `no such job` or a refusal since it was last seen, and when the first of them was. */
  readonly missed?: { readonly since: number; readonly count: number };
  /** Times that a finished result could not be fetched. */
  readonly fetches?: number;
  /** The progress last shown, so that it never runs backwards. */
  readonly shownProgress: number;
  readonly finishedAt?: number;
  /** The clock lastForwardJump while it ran: how long it took is not known. */
  readonly untimed?: true;
  readonly failure?: Failure;
  /** Where the result can be had again: input of the next job. */
  readonly result?: PhotoRef;
  /** The final state has been drawn on the card (or the card has gone). */
  readonly settled: boolean;
  /** Its person asked to be forgotten: the record goes as soon as its card says the end. */
  readonly forget?: true;
  /** It is being taken out of the chat: its result is not offered anywhere else. */
  readonly withdrawn?: true;
  /** Its card had gone and this is the other one that it got: there is no third. */
  readonly moved?: true;
  /** Raised by every write: a write based on an older one is refused. */
  readonly version: number;
}

export const finalStates = [
  'done',
  'failed',
  'cancelled',
  'uncertain',
] as const satisfies readonly JobState[];
export type FinalState = (typeof finalStates)[number];

export const isFinal = (state: JobState): state is FinalState =>
  (finalStates as readonly JobState[]).includes(state);

/** A result in hand is shown; until then a job can be cancelled. */
export const canStop = ({ state }: Job): boolean => !isFinal(state) && state !== 'delivering';

/** Handed in to have a job made. */
export interface Order
  extends Pick<
    Job,
    | 'origin'
    | 'caller'
    | 'place'
    | 'private'
    | 'request'
    | 'label'
    | 'credits'
    | 'answer'
    | 'press'
    | 'againOf'
  > {
  /** The daily allowance that applies to this caller here. */
  readonly dailyCredits: number;
}

/** What is known about a job's surroundings when its card is drawn. */
export interface JobStatus {
  /** 1 is next; undefined when it is not waiting. */
  readonly position?: number;
  readonly waitMs?: number;
  readonly progress?: number;
  readonly remainingMs?: number;
  /** The service is not answering: waiting jobs say so. */
  readonly outage?: Outage;
}
