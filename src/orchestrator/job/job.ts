import { z } from 'zod';
import type { GateRefusal } from '../../command/gate-refusal.ts';
import { JOB_STATES, type JobState } from '../../command/jobs-port.ts';
import { MOST_PHOTOS } from '../../command/photo.ts';
import { callerShape, placeShape } from '../../command/place.ts';
import { photoShape, requestShape } from '../../command/request.ts';
import type { ServiceRefusalReason } from '../../generation-client/wire/errors.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';
import type { OutageReason } from '../service/breaker.ts';

/** Why a job ended without a result. Every code has a text in every language. */
type FailureCode =
  | 'photo-unavailable'
  | 'photo-invalid'
  | 'photo-too-complex'
  | 'photo-blocked'
  /** It is over the threshold of the content check. */
  | 'photo-content'
  /** A link whose content cannot be checked, for a video, which is judged by its photos alone. */
  | 'photo-unseen'
  /** Its pictures could not be looked at until the deadline. */
  | 'content-unchecked'
  /** It is for a boy or a girl, and those are not accepted. */
  | 'no-minors'
  /** A moderator has removed the result, or nobody has decided about it in time. */
  | 'content-removed'
  | 'content-undecided'
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
  /** The job was finished, but the service no longer had the result when it could be shown. */
  | 'result-gone'
  /** The job was finished, but the platform accepts its result in no form and no place. */
  | 'result-refused'
  /** The community has decided after the acceptance of the job that it may not run. */
  | GateRefusal['code'];

/** The latest time that a Date can hold. */
const LATEST = 8.64e15;
const time = z.number().min(0).max(LATEST);
const count = z.int().min(0);
const card = z.object({ platform: z.enum(PLATFORMS), ref: z.string() });

const failure = z.object({
  code: z.custom<FailureCode>((code) => typeof code === 'string'),
  /** The service's own words: bounded plain text from outside, for display only. */
  detail: z.string().exactOptional(),
});
/** Why a job failed, as stored. */
export type Failure = Readonly<z.infer<typeof failure>>;

const stateChange = z.object({ state: z.enum(JOB_STATES), at: time });
/** One entry of a job's history: a state and when it was entered. */
export type StateChange = Readonly<z.infer<typeof stateChange>>;

/** Bound of a job's history: a job that returns to the line many times keeps its first state and the latest ones. */
export const MOST_STATES = 30;

/** Fields that a job has in every state. */
const base = z.object({
  id: z.string().min(1),
  /** The id of the platform event that made the job. It is unique, so an event that is handled twice makes one job. */
  origin: z.string(),
  caller: callerShape,
  place: placeShape,
  private: z.boolean(),
  request: requestShape,
  /** The name in captions and lists: the filter's name or the beginning of the prompt. */
  label: z.string(),
  /** The credits reserved at acceptance on `day` (UTC, `YYYY-MM-DD`), then spent or returned exactly once, as `charge` says. */
  credits: count,
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  charge: z.enum(['reserved', 'spent', 'returned']),
  /** The job's message. Every state after `opening` has it, unless it was deleted or never appeared. */
  card: card.exactOptional(),
  /** The id of the button press that made the job. */
  press: z.custom<string>().exactOptional(),
  /** The id of the job whose button Again made this one. */
  againOf: z.custom<string>().exactOptional(),
  /** How many other photos the command had. Their jobs have origins of their own, see `originOfFurtherPhoto`. */
  others: count.max(MOST_PHOTOS).exactOptional(),
  createdAt: time,
  /** The job's states so far, see `noted`. Absent in records that are older than this field. */
  history: z.array(stateChange).max(MOST_STATES).exactOptional(),
  /** When the job's next step is due; absent when nothing is left to do. */
  due: time.exactOptional(),
  /** The number of status calls made for the job, as of its last write. */
  looks: count,
  /** Failed attempts of the current step in a row: polls or card edits. */
  attempts: count,
  /** The progress last shown on the card, so that it never goes backwards. */
  shownProgress: z.number(),
  /** Whether the card shows the final state, or has gone. */
  settled: z.boolean(),
  /** Perceptual hashes of the photos: of the whole photo, and of the part that was chosen. Links have none. */
  photoHashes: z.array(z.string()).exactOptional(),
  /** The caller has deleted their data: the record is removed as soon as the card shows the final state. */
  forget: z.custom<true>().exactOptional(),
});

/** Fields that exist in some states only. */
const stateFields = z.object({
  /** Where to search for the card until it is confirmed that it was shown. */
  answer: card,
  /** The job rests outside the line until it is due, for this reason. */
  resting: z.custom<
    | 'service-credentials'
    | 'service-address'
    | 'service-unavailable'
    | 'service-busy'
    | 'unchecked'
    | 'unknown'
  >(),
  submittedAt: time,
  /** Set between two attempts to submit: nothing of the request has arrived at the service so far. */
  unsent: z.custom<true>(),
  /** The service's id of the job, polled on the status path of the request's kind. */
  serviceId: z.string(),
  lastStatus: z.enum(['waiting', 'running']),
  statusSince: time,
  /** When the service last reported `waiting`, so it had not begun by then. */
  waitingUntil: time,
  /** When a poll was last answered. */
  lastLookAt: time,
  /** How many answers said `completed` without a result that could be read. */
  unusable: z.custom<number>(),
  /** Polls answered with `no such job` or a refusal since the job was last seen: the time of the first one and their number. */
  missed: z.custom<{ readonly since: number; readonly count: number }>(),
  finishedAt: time,
  /** The clock jumped while the job ran, so its duration is unknown. */
  untimed: z.custom<true>(),
  /** How many times fetching the finished result failed. */
  fetches: z.custom<number>(),
  /** How many times the platform refused the result for good; each time the next form or place is tried. */
  refusals: count,
  /** The first card was deleted and `card` is the second one; there is no third. */
  moved: z.custom<true>(),
  /** The first card, which could not be edited for hours and still has to say that the result was sent elsewhere. */
  formerCard: card,
  /** The job is being deleted from the chat, so its result is not shown anywhere else. */
  withdrawn: z.custom<true>(),
  /** The result waits for a moderator: since when, whether the card says so and whether moderators or owners were told. */
  held: z.object({
    at: time,
    isShown: z.literal(true).exactOptional(),
    isTold: z.literal(true).exactOptional(),
  }),
  /** When a moderator decided that the result is shown, so `heldPicture` is not checked again. */
  cleared: time,
  /** The hash of the picture that was held (`pictureHash`), or that moderators looked at different ones. Absent in records that are older than this field. */
  heldPicture: z.string(),
  /** The result could not be looked at so far. */
  unchecked: z.custom<true>(),
  failure,
  /** Where the result can be fetched again, as the input of another job. */
  result: photoShape,
  /** SHA-256 of the file that the card shows, and the perceptual hash of a picture. */
  resultHashes: z.object({ file: z.string(), picture: z.string().exactOptional() }),
  /**
   * A private result that is shown to everybody in the message `card`. Without `card`, sharing was begun and its outcome is
   * unknown.
   */
  shared: z.object({ at: time, card: card.exactOptional() }),
});
type StateFields = Readonly<z.infer<typeof stateFields>>;

const SENT = ['submittedAt', 'serviceId'] as const;
/** The fields that a job in each state must have. */
const NEEDED = {
  opening: [],
  waiting: [],
  submitting: ['submittedAt'],
  running: SENT,
  delivering: [...SENT, 'finishedAt'],
  held: [...SENT, 'finishedAt', 'held'],
  done: [...SENT, 'finishedAt'],
  failed: ['finishedAt', 'failure'],
  cancelled: ['finishedAt'],
  uncertain: ['finishedAt'],
} as const satisfies Record<JobState, readonly (keyof StateFields)[]>;

/**
 * The type of a job in `State`: it has the fields that the state needs, may have those of `May`, and cannot have any other
 * field of `stateFields`.
 */
type JobIn<
  State extends JobState,
  May extends keyof StateFields,
  Has extends keyof StateFields = (typeof NEEDED)[State][number],
> = Readonly<z.infer<typeof base>> & {
  readonly state: State;
  /** Incremented by every write. A write that is based on an older version is refused. */
  readonly version: number;
} & Pick<StateFields, Has> &
  Partial<Pick<StateFields, May>> & { readonly [Absent in Exclude<keyof StateFields, Has | May>]?: never };

/** Fields set by polls. */
type Polled = 'lastStatus' | 'statusSince' | 'waitingUntil' | 'lastLookAt' | 'unusable' | 'missed';
/** Fields set while the result is being delivered. */
type Shown =
  | 'untimed'
  | 'fetches'
  | 'refusals'
  | 'moved'
  | 'formerCard'
  | 'withdrawn'
  | 'cleared'
  | 'heldPicture';
/**
 * The fields that a job that ended without a result may have. One group serves all such ends: they are reached from many
 * states, and no reader asks which.
 */
type AtItsEnd = 'answer' | 'submittedAt' | 'serviceId' | Polled | Shown;

export type OpeningJob = JobIn<'opening', 'answer'>;
export type WaitingJob = JobIn<'waiting', 'resting'>;
export type SubmittingJob = JobIn<'submitting', 'unsent'>;
export type RunningJob = JobIn<'running', Polled>;
export type DeliveringJob = JobIn<'delivering', Polled | Shown | 'unchecked'>;
export type HeldJob = JobIn<'held', Polled | Shown>;
export type DoneJob = JobIn<'done', Polled | Shown | 'result' | 'resultHashes' | 'shared'>;
export type FailedJob = JobIn<'failed', AtItsEnd>;
export type CancelledJob = JobIn<'cancelled', AtItsEnd>;
export type UncertainJob = JobIn<'uncertain', AtItsEnd>;

/** A job that can still be cancelled, see `canStop`. */
export type StoppableJob = OpeningJob | WaitingJob | SubmittingJob | RunningJob;
/** A job that has ended, see `hasEnded`. */
export type FinalJob = DoneJob | FailedJob | CancelledJob | UncertainJob;

/** A job in any state, as plain data. */
export type Job = StoppableJob | DeliveringJob | HeldJob | FinalJob;

/** A job as its JSON holds it; the version is in a column of its own. */
type Stored<Each> = Each extends Job ? Omit<Each, 'version'> : never;

const anyState = z.object({ state: z.enum(JOB_STATES) });
/**
 * Schemas by state. Fields that a state cannot have are accepted, because earlier versions left `resting` and `unsent` on ended
 * jobs, and so are fields that only a newer version knows.
 */
const shapes = new Map<unknown, z.ZodType>(
  JOB_STATES.map((state) => {
    const needed = NEEDED[state].map((name) => [name, stateFields.shape[name]]);
    return [state, base.extend({ ...stateFields.partial().shape, ...Object.fromEntries(needed) })];
  }),
);

/** Parses a stored job. Throws if it is invalid; the message names the first wrong field, never its value. */
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

/** Whether a job in this state has ended. */
export const isFinal = (state: JobState): state is FinalState =>
  (FINAL_STATES as readonly JobState[]).includes(state);

/** Whether a job is in a final state. */
export const hasEnded = (job: Job): job is FinalJob => isFinal(job.state);

/** Whether the job is in line or has a slot, so that its card shows its progress. */
export const isActive = ({ state }: Job): boolean =>
  state === 'waiting' || state === 'submitting' || state === 'running';

/** All messages that show the job. */
export const messagesOf = ({ card, formerCard, shared }: Job) =>
  [card, formerCard, shared?.card].filter((each) => each !== undefined);

/** A job can be cancelled until its result is being shown. */
export const canStop = (job: Job): job is StoppableJob =>
  !hasEnded(job) && job.state !== 'delivering' && job.state !== 'held';

type Asked = 'origin' | 'caller' | 'place' | 'private' | 'request' | 'label' | 'credits';

/** The part of a new job that comes from the person's request. */
export type JobFieldsFromRequest = Pick<OpeningJob, Asked | 'answer' | 'press' | 'againOf'>;

/** The origin of the job of an album's photo other than the first; `number` counts from 1. */
export const originOfFurtherPhoto = (origin: string, number: number): string => `${origin}+${number}`;

/** Whether the job is of an album's photo other than the first: its card is not the answer to its event. */
export const isOfFurtherPhoto = ({ origin }: Pick<Job, 'origin'>): boolean => /\+\d+$/.test(origin);

/** The part of a card that comes from the line, the estimates and the gates rather than from the job's record. */
export interface JobStatus {
  /** The place in line: 1 is next. Undefined for a job that is not waiting. */
  readonly position?: number;
  readonly waitMs?: number;
  readonly progress?: number;
  readonly remainingMs?: number;
  /** Why the job rests; it is retried after `waitMs`. */
  readonly resting?: 'service-busy' | 'unchecked' | 'unknown';
  /** Its photo is being looked at. */
  readonly checking?: true;
  /** Why the service cannot be used now; the cards of waiting jobs say so. */
  readonly outage?: OutageReason;
}

/** Adds the state of `after` to the history, if it differs from that of `before`. */
export function noted(before: Job, after: Job, now: number): Job {
  if (before.state === after.state || before.history === undefined) return after;
  const [first, ...rest] = before.history;
  const latest: readonly StateChange[] = [...rest, { state: after.state, at: now }];
  const kept = latest.slice(1 - MOST_STATES);
  return { ...after, history: first === undefined ? kept : [first, ...kept] };
}
