import { z } from 'zod';
import { PLATFORMS } from '../../adapters/profiles.ts';
import { photoShape, requestShape } from '../../command/kinds.ts';
import { MOST_PHOTOS } from '../../command/photo.ts';
import { callerShape, placeShape } from '../../command/place.ts';
import { JOB_STATES } from '../../command/ports.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import { MOST_STATES } from '../../orchestrator/job/job.ts';

/**
 * What a job's record must look like to be worked with. Fields that only a newer version knows pass, and a text of
 * any kind does: it is what people wrote.
 */

/** The last moment that a Date can hold. */
const LATEST = 8.64e15;
const time = z.number().min(0).max(LATEST);
const count = z.number().int().min(0);

const card = z.looseObject({ platform: z.enum(PLATFORMS), ref: z.string() });
const failure = z.looseObject({ code: z.string(), detail: z.string().optional() });

const fields = {
  id: z.string().min(1),
  origin: z.string(),
  caller: callerShape,
  place: placeShape,
  private: z.boolean(),
  request: requestShape,
  label: z.string(),
  credits: count,
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  charge: z.enum(['reserved', 'spent', 'returned']),
  card: card.optional(),
  formerCard: card.optional(),
  answer: card.optional(),
  others: count.max(MOST_PHOTOS).optional(),
  createdAt: time,
  history: z
    .array(z.looseObject({ state: z.enum(JOB_STATES), at: time }))
    .max(MOST_STATES)
    .optional(),
  due: time.optional(),
  submittedAt: time.optional(),
  serviceId: z.string().optional(),
  lastStatus: z.enum(['waiting', 'running']).optional(),
  statusSince: time.optional(),
  waitingUntil: time.optional(),
  lastLookAt: time.optional(),
  looks: count,
  attempts: count,
  shownProgress: z.number(),
  finishedAt: time.optional(),
  refusals: count.optional(),
  failure: failure.optional(),
  result: photoShape.optional(),
  shared: z.looseObject({ at: time, card: card.optional() }).optional(),
  settled: z.boolean(),
};
const sent = { submittedAt: time, serviceId: z.string() };

/** What a state must have. What it cannot have passes: earlier versions left `resting` and `unsent` on ended jobs. */
const body = z.discriminatedUnion('state', [
  z.looseObject({ ...fields, state: z.enum(['opening', 'waiting']) }),
  z.looseObject({ ...fields, state: z.literal('submitting'), submittedAt: time }),
  z.looseObject({ ...fields, state: z.literal('running'), ...sent }),
  z.looseObject({ ...fields, state: z.enum(['delivering', 'done']), ...sent, finishedAt: time }),
  z.looseObject({ ...fields, state: z.literal('failed'), finishedAt: time, failure }),
  z.looseObject({ ...fields, state: z.enum(['cancelled', 'uncertain']), finishedAt: time }),
]);

/** The version stands in a column. */
type Stored<Each> = Each extends Job ? Omit<Each, 'version'> : never;
export type JobBody = Stored<Job>;

const isJob = (value: unknown): value is JobBody => body.safeParse(value).success;

/** Throws when it is none; the message names the first thing that is wrong, never what stands there. */
export function parseJob(text: string): JobBody {
  const value: unknown = JSON.parse(text);
  if (isJob(value)) return value;
  const [issue] = body.safeParse(value).error?.issues ?? [];
  throw new Error(`${issue?.path.join('.') || 'the record'} is not as it should be`);
}
