import { z } from 'zod';
import type { GateRefusal } from '../../command/community-settings.ts';
import { JOB_STATES, type JobState } from '../../command/jobs-port.ts';
import { MOST_PHOTOS } from '../../command/photo.ts';
import { callerShape, placeShape } from '../../command/place.ts';
import { photoShape, requestShape } from '../../command/request.ts';
import type { ServiceRefusalReason } from '../../generation-client/wire/errors.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';
import type { Outage } from '../service/breaker.ts';

/** Why a job ended without a result: a code that has words in every language. */
type FailureCode =
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

/** The last moment that a Date can hold. */
const LATEST = 8.64e15;
const time = z.number().min(0).max(LATEST);
const count = z.int().min(0);
const card = z.object({ platform: z.enum(PLATFORMS), ref: z.string() });

const failure = z.object({
  code: z.custom<FailureCode>((code) => typeof code === 'string'),
  /** The service's own words. Bounded plain text, hostile: for display only. */
  detail: z.string().exactOptional(),
});
export type Failure = Readonly<z.infer<typeof failure>>;

const stateChange = z.object({ state: z.enum(JOB_STATES), at: time });
export type StateChange = Readonly<z.infer<typeof stateChange>>;

/** A job that comes back to the line again and again keeps its first state and the latest ones. */
export const MOST_STATES = 30;

/** What every job has, in every state. */
const base = z.object({
  id: z.string().min(1),
  /** The platform event that made it: unique, so an event handled twice makes one job. */
  origin: z.string(),
  caller: callerShape,
  place: placeShape,
  private: z.boolean(),
  request: requestShape,
  /** Shown in captions and lists: the filter's name or the prompt's beginning. */
  label: z.string(),
  /** Reserved when accepted, on this day (UTC, `YYYY-MM-DD`); spent or returned exactly once. */
  credits: count,
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  charge: z.enum(['reserved', 'spent', 'returned']),
  /** Every state after `opening` has one, unless it was removed or never appeared. */
  card: card.exactOptional(),
  /** The event of the button that it was made by. */
  press: z.custom<string>().exactOptional(),
  /** The job whose button Again made it. */
  againOf: z.custom<string>().exactOptional(),
  /** How many other photos its command had: their jobs have origins of their own, see `originOfOther`. */
  others: count.max(MOST_PHOTOS).exactOptional(),
  createdAt: time,
  /** Its states so far, see `noted`; absent: it was accepted before they were noted. */
  history: z.array(stateChange).max(MOST_STATES).exactOptional(),
  /** When its next step is due; undefined when nothing is to be done for it. */
  due: time.exactOptional(),
  /** Status calls that were made for it, as of its last write. */
  looks: count,
  /** Failed attempts in a row of the current step: polls or card edits. */
  attempts: count,
  /** The progress last shown, so that it never runs backwards. */
  shownProgress: z.number(),
  /** The final state has been drawn on the card (or the card has gone). */
  settled: z.boolean(),
  /** The caller deleted their data: the record is removed as soon as the card shows the final state. */
  forget: z.custom<true>().exactOptional(),
});

/** What only some states have. */
const stateFields = z.object({
  /** Where to search for the card while it is not confirmed that it was shown. */
  answer: card,
  /** Not in the queue until it is due: why, as far as known. */
  resting: z.custom<
    'service-credentials' | 'service-address' | 'service-unavailable' | 'service-busy' | 'unknown'
  >(),
  submittedAt: time,
  /** Between two attempts: nothing of it has arrived so far. */
  unsent: z.custom<true>(),
  /** The service's id, polled on the status path of the request's kind. */
  serviceId: z.string(),
  lastStatus: z.enum(['waiting', 'running']),
  statusSince: time,
  /** When `waiting` was last seen: the service had not begun then. */
  waitingUntil: time,
  /** The last poll that was answered. */
  lastLookAt: time,
  /** Answers that said `completed` and had no result that could be read. */
  unusable: z.custom<number>(),
  /** Polls that were answered with `no such job` or a refusal since it was last seen, and when the first of them was. */
  missed: z.custom<{ readonly since: number; readonly count: number }>(),
  finishedAt: time,
  /** The clock jumped while it ran: how long it took is not known. */
  untimed: z.custom<true>(),
  /** Times that a finished result could not be fetched. */
  fetches: z.custom<number>(),
  /** Times that the platform refused to show the result for good: the next form or place is tried. */
  refusals: count,
  /** Its card was deleted and this is the second one; there is no third. */
  moved: z.custom<true>(),
  /** The card that could not be edited for hours, and still has to say that the result went elsewhere. */
  formerCard: card,
  /** It is being deleted from the chat: its result is not shown anywhere else. */
  withdrawn: z.custom<true>(),
  failure,
  /** Where the result can be had again: input of the next job. */
  result: photoShape,
  /** A private result is shown to everybody in `card`; without one: that was begun, and its outcome is unknown. */
  shared: z.object({ at: time, card: card.exactOptional() }),
});
type StateFields = Readonly<z.infer<typeof stateFields>>;

const SENT = ['submittedAt', 'serviceId'] as const;
/** What a state must have. */
const NEEDED = {
  opening: [],
  waiting: [],
  submitting: ['submittedAt'],
  running: SENT,
  delivering: [...SENT, 'finishedAt'],
  done: [...SENT, 'finishedAt'],
  failed: ['finishedAt', 'failure'],
  cancelled: ['finishedAt'],
  uncertain: ['finishedAt'],
} as const satisfies Record<JobState, readonly (keyof StateFields)[]>;

/** A job in `State`: it has what that needs, may have `May`, and cannot have any other of the fields above. */
type JobIn<
  State extends JobState,
  May extends keyof StateFields,
  Has extends keyof StateFields = (typeof NEEDED)[State][number],
> = Readonly<z.infer<typeof base>> & {
  readonly state: State;
  /** Raised by every write: a write based on an older one is refused. */
  readonly version: number;
} & Pick<StateFields, Has> &
  Partial<Pick<StateFields, May>> & { readonly [Absent in Exclude<keyof StateFields, Has | May>]?: never };

/** What the service was seen to say of it. */
type Polled = 'lastStatus' | 'statusSince' | 'waitingUntil' | 'lastLookAt' | 'unusable' | 'missed';
type Shown = 'untimed' | 'fetches' | 'refusals' | 'moved' | 'formerCard' | 'withdrawn';
/** One group for all ends without a result: they are reached from many states, and no reader asks which. */
type AtItsEnd = 'answer' | 'submittedAt' | 'serviceId' | Polled | Shown;

export type OpeningJob = JobIn<'opening', 'answer'>;
export type WaitingJob = JobIn<'waiting', 'resting'>;
export type SubmittingJob = JobIn<'submitting', 'unsent'>;
export type RunningJob = JobIn<'running', Polled>;
export type DeliveringJob = JobIn<'delivering', Polled | Shown>;
export type DoneJob = JobIn<'done', Polled | Shown | 'result' | 'shared'>;
export type FailedJob = JobIn<'failed', AtItsEnd>;
export type CancelledJob = JobIn<'cancelled', AtItsEnd>;
export type UncertainJob = JobIn<'uncertain', AtItsEnd>;

export type StoppableJob = OpeningJob | WaitingJob | SubmittingJob | RunningJob;
export type FinalJob = DoneJob | FailedJob | CancelledJob | UncertainJob;

/** All that is known of a job, as plain data. */
export type Job = StoppableJob | DeliveringJob | FinalJob;

/** The version stands in a column. */
type Stored<Each> = Each extends Job ? Omit<Each, 'version'> : never;

const anyState = z.object({ state: z.enum(JOB_STATES) });
/** What a state cannot have passes: earlier versions left `resting` and `unsent` on ended jobs. So does what only a newer one knows. */
const shapes = new Map<unknown, z.ZodType>(
  JOB_STATES.map((state) => {
    const needed = NEEDED[state].map((name) => [name, stateFields.shape[name]]);
    return [state, base.extend({ ...stateFields.partial().shape, ...Object.fromEntries(needed) })];
  }),
);

/** Throws when it is none; the message names the first thing that is wrong, never what stands there. */
export function parseJob(text: string): Stored<Job> {
  const value = JSON.parse(text);
  const [issue] = (shapes.get(value?.state) ?? anyState).safeParse(value).error?.issues ?? [];
  if (issue === undefined) return value;
  throw new Error(`${issue.path.join('.') || 'the record'} is not as it should be`);
}

export const FINAL_STATES = [
  'done',
  'failed',
  'cancelled',
  'uncertain',
] as const satisfies readonly JobState[];
export type FinalState = (typeof FINAL_STATES)[number];

export const isFinal = (state: JobState): state is FinalState =>
  (FINAL_STATES as readonly JobState[]).includes(state);

export const hasEnded = (job: Job): job is FinalJob => isFinal(job.state);

/** It is in line or has a slot: its card tells how far it is. */
export const isActive = ({ state }: Job): boolean =>
  state === 'waiting' || state === 'submitting' || state === 'running';

/** All messages that show it. */
export const messagesOf = ({ card, formerCard, shared }: Job) =>
  [card, formerCard, shared?.card].filter((each) => each !== undefined);

/** A job can be cancelled until its result is being shown. */
export const canStop = (job: Job): job is StoppableJob => !hasEnded(job) && job.state !== 'delivering';

type Asked = 'origin' | 'caller' | 'place' | 'private' | 'request' | 'label' | 'credits';

/** What is asked for, as the job keeps it. */
export type Asking = Pick<OpeningJob, Asked | 'answer' | 'press' | 'againOf'>;

/** The origin of the job of another photo of an album, from 1. */
export const originOfOther = (origin: string, number: number): string => `${origin}+${number}`;

/** Whether it is of another photo: its card is not the answer to its event. */
export const isOther = ({ origin }: Pick<Job, 'origin'>): boolean => /\+\d+$/.test(origin);

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

/** `after` with its state noted, if that is another one. */
export function noted(before: Job, after: Job, now: number): Job {
  if (before.state === after.state || before.history === undefined) return after;
  const [first, ...rest] = before.history;
  const latest: readonly StateChange[] = [...rest, { state: after.state, at: now }];
  const kept = latest.slice(1 - MOST_STATES);
  return { ...after, history: first === undefined ? kept : [first, ...kept] };
}
