import type { JobKind } from '../kinds/kinds.ts';
import type { PhotoRef } from './photo.ts';
import type { Reply } from './reply.ts';
import type { GenerateRequest } from './request.ts';

/** The states of a job; `src/orchestrator/job/job.ts` says which fields each has. */
export const JOB_STATES = [
  'opening',
  'waiting',
  'submitting',
  'running',
  'delivering',
  'held',
  'done',
  'failed',
  'cancelled',
  'uncertain',
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job as lists and buttons need it. */
export interface JobSummary {
  readonly id: string;
  readonly state: JobState;
  readonly kind: JobKind;
  /** The filter's name, or the start of the prompt. */
  readonly label: string;
  readonly credits: number;
  readonly createdAt: number;
  /** The `personKey` of the requester. */
  readonly owner: string;
  readonly community: string;
  /** The channel in which the job was requested. */
  readonly channel?: string;
  readonly private?: boolean;
}

/** A job with what can be done with it. The desk has checked that the caller may. */
export interface JobHandle extends JobSummary {
  /** To repeat it. */
  readonly request: GenerateRequest;
  /** Its result as a photo, if any. */
  resultPhoto(): Promise<PhotoRef | undefined>;
  /** Its current card with its buttons, to show it again. */
  show(): Promise<Reply>;
  cancel(): Promise<Reply>;
  /** Removes the result from the chat and from the records. */
  remove(): Promise<Reply>;
  report(): Promise<Reply>;
  /** Shows a private result to everybody where it was asked for, once. */
  share(): Promise<Reply>;
  /** The photo and the result side by side. */
  compare(): Promise<Reply>;
  /** The service's own picture or video, as a file. */
  file(): Promise<Reply>;
  /** Removes the message that shows it to everybody; the private result stays, and is not shared again. */
  unshare(): Promise<Reply>;
  /** Removes the pressed message, a comparison. */
  discard(): Promise<Reply>;
}

/** Jobs that exist: those of the caller, and the one whose button is pressed. */
export interface JobsPort {
  /** The caller's own: unfinished ones first, then the latest finished ones. */
  mine(limit: number): Promise<readonly JobSummary[]>;
  /** Any person's job, in any community: the desk checks who may see it. */
  find(id: string): Promise<JobHandle | undefined>;
  /** Removes a message whose job no longer exists. */
  takeDown(id: string): Promise<Reply>;
}
