import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { addTo } from '../../base/add-to.ts';
import { type JobKind, jobKinds, outputOf } from '../../kinds/kinds.ts';
import type { RunningJob } from '../job/job.ts';
import { type DurationModel, emptyModel, merge, observe, observePoll } from './durations.ts';
import { progress } from './progress.ts';
import { afterFailedPoll, nextPoll, type PollInput, pollPrice, postponed, type Watched } from './schedule.ts';

/** Estimates of durations and times of polls, see `createTiming`. */
export type Timing = ReturnType<typeof createTiming>;

/** A job whose progress is estimated. */
export interface TimedJob extends Omit<Watched, 'submittedAt'> {
  readonly submittedAt: number | undefined;
  readonly request: { readonly kind: JobKind };
  /** The progress that the card showed last. */
  readonly shownProgress: number;
  readonly shownRemainingMs: number | undefined;
}

/** Storage of the models; the store's `Records` implement it. */
export interface ModelStore {
  get(kind: string): Promise<DurationModel | undefined>;
  update(
    kind: string,
    change: (model: DurationModel | undefined) => DurationModel | undefined,
  ): Promise<DurationModel | undefined>;
}

const PRICE_KEPT_MS = 500;
/**
 * Minimum interval between two updates of a model: refitting takes milliseconds, and a few completions a second teach as much
 * as all.
 */
const LEAST_BETWEEN_LESSONS_MS = 200;

/**
 * The entry of this folder: applies what was learned about durations to one job (when to poll, how far it is).
 * docs/architecture.md ("When to poll") says which file estimates what, and from what.
 */
export function createTiming(options: {
  readonly models: ModelStore;
  /** Whether other processes share the store and learn as well. */
  readonly shared?: boolean;
  readonly callsPerSecond: number;
  readonly floorsMs: Readonly<Record<'image' | 'video', number>>;
  readonly random: () => number;
}) {
  const { models: stored, callsPerSecond, random, floorsMs: floors } = options;
  const models = new Map<JobKind, DurationModel>();
  /** The models as they were stored when this process last read them. */
  const bases = new Map<JobKind, DurationModel>();
  const running = new Map<JobKind, number>();
  const unsaved = new Set<JobKind>();
  const lessons = new Map<JobKind, number>();
  let inAll: number | undefined;
  let price = 0;
  let pricedAt = Number.NEGATIVE_INFINITY;

  const modelOf = (kind: JobKind): DurationModel => {
    const known = models.get(kind) ?? emptyModel(kind, outputOf(kind));
    models.set(kind, known);
    return known;
  };
  /**
   * The price of a poll, cached for half a second. Other processes are assumed to run the same mix of kinds. `polled`: a kind
   * that certainly runs, for when nothing was counted yet.
   */
  const priceNow = (at: number, polled: JobKind): number => {
    if (at - pricedAt < PRICE_KEPT_MS && at >= pricedAt) return price;
    const kinds = running.size > 0 ? [...running] : [[polled, 1] as const];
    const own = kinds.reduce((sum, [, jobs]) => sum + jobs, 0);
    const times = (inAll ?? own) / own;
    const load = kinds.map(([kind, jobs]) => ({ model: modelOf(kind), jobs: jobs * times }));
    price = pollPrice({ running: load, callsPerSecond });
    pricedAt = at;
    return price;
  };
  const recordPoll = (job: RunningJob, at: number, finished: boolean): void => {
    const { kind } = job.request;
    const { submittedAt, lastLookAt } = job;
    if (at < submittedAt) return;
    const from = (lastLookAt ?? submittedAt) - submittedAt;
    const before = modelOf(kind);
    const after = observePoll(before, { from, to: at - submittedAt, finished, submittedAt });
    models.set(kind, after);
    if (after.moves !== before.moves) unsaved.add(kind);
  };
  const pollInput = (job: RunningJob, at: number): PollInput => {
    const { kind } = job.request;
    const price = priceNow(at, kind);
    const floorMs = floors[outputOf(kind)];
    return { ...job, model: modelOf(kind), now: at, price, floorMs };
  };
  const schedule = (job: RunningJob, at: number): number =>
    nextPoll({ ...pollInput(job, at), random: random() });

  return {
    nextPoll: schedule,
    /**
     * A later time for a poll that is due, if it now seems clearly too early. Not after a failed poll, whose retry has its own
     * time.
     */
    postponed: (job: RunningJob, at: number): number | undefined =>
      job.attempts > 0 ? undefined : postponed(pollInput(job, at)),
    /** When to retry a failed poll. */
    afterFailedPoll(job: RunningJob, at: number, retryAfterMs?: number): number {
      const normal = schedule({ ...job, lastLookAt: at }, at) - at;
      const failed = { attempt: job.attempts, random: random(), retryAfterMs, normalInterval: normal };
      return afterFailedPoll({ ...pollInput(job, at), ...failed });
    },
    progress: (job: TimedJob, at: number) => {
      const { request, submittedAt = at, shownProgress: shown } = job;
      return progress({ ...job, model: modelOf(request.kind), submittedAt, now: at, shown });
    },
    /** Reports that a poll at `at` found the job unfinished; `job` is as it was before that poll. */
    sawUnfinished: (job: RunningJob, at: number): void => recordPoll(job, at, false),
    /** Reports that a poll at `at` found the job finished, and learns its duration. */
    sawFinished(job: RunningJob, at: number): void {
      recordPoll(job, at, true);
      const { submittedAt, lastLookAt, lastStatus, statusSince, waitingUntil } = job;
      const { kind } = job.request;
      if (at < submittedAt) return;
      if (at - (lessons.get(kind) ?? Number.NEGATIVE_INFINITY) < LEAST_BETWEEN_LESSONS_MS) return;
      lessons.set(kind, at);
      const by = at - submittedAt;
      const startedBy = lastStatus === 'running' ? (statusSince ?? at) - submittedAt : by;
      const queuedUntil =
        lastStatus === undefined
          ? {}
          : { queuedUntil: { notBefore: (waitingUntil ?? submittedAt) - submittedAt, by: startedBy } };
      const notBefore = (lastLookAt ?? submittedAt) - submittedAt;
      models.set(kind, observe(modelOf(kind), { notBefore, by, submittedAt, ...queuedUntil }));
      unsaved.add(kind);
    },
    /** `began` and `ended` count the jobs at the service by kind; the price of a poll follows from them. */
    began: (kind: JobKind): void => addTo(running, kind, 1),
    ended: (kind: JobKind): void => addTo(running, kind, -1),
    /** Sets the number of jobs that run in all processes, which share the calls. */
    runningInAll(jobs: number): void {
      inAll = jobs;
    },
    async load(): Promise<void> {
      for (const kind of jobKinds) {
        const model = await stored.get(kind);
        if (model === undefined) continue;
        models.set(kind, model);
        bases.set(kind, model);
      }
    },
    /** Merges what was learned into the store, and reads what other processes have learned. */
    async save(): Promise<void> {
      for (const kind of jobKinds) {
        const own = modelOf(kind);
        const base = bases.get(kind) ?? emptyModel(kind, outputOf(kind));
        const isUnsaved = unsaved.delete(kind);
        if (!isUnsaved && options.shared !== true) continue;
        let merged = base;
        try {
          if (isUnsaved)
            await stored.update(kind, (there) => {
              merged = merge(there, base, own);
              return merged;
            });
          else merged = (await stored.get(kind)) ?? merge(undefined, base, own);
        } catch (error) {
          if (isUnsaved) unsaved.add(kind);
          throw error;
        }
        // Skipped if no process has learned anything.
        if (!isUnsaved && isDeepStrictEqual(merged, base)) continue;
        bases.set(kind, merged);
        models.set(kind, merge(merged, own, modelOf(kind)));
      }
    },
  };
}

const positive = z.number().positive();
const lognormal = z.looseObject({ medianMs: positive, sigma: positive });
const belief = z.looseObject({ scores: z.array(z.number()).max(100), fit: lognormal });
const ms = z.number().min(0);
const seen = z.array(z.union([z.tuple([ms, ms]), z.tuple([ms, ms, ms, ms])])).max(10_000);

const model = z.looseObject({
  kind: z.enum(jobKinds),
  prior: lognormal,
  seen,
  beliefs: z.looseObject({ total: belief, queue: belief, run: belief }),
  scouts: seen.optional(),
  scoutsWanted: z.number().optional(),
  moves: z.number().optional(),
  drift: z
    .array(z.looseObject({ sum: z.number(), lessons: z.number(), since: z.number().nullable() }))
    .optional(),
});

/** Validates stored models. An invalid one is dropped, and its kind is learned anew. */
export const durationRecordRules = {
  isValid: (kind: string, value: unknown): boolean => {
    const read = model.safeParse(value);
    return read.success && read.data.kind === kind;
  },
};
