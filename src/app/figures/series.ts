import { isPersonal } from '../../command/place.ts';
import type { Counts, Percentiles } from '../../console/pages/shown-figures.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { DoneJob, FinalJob } from '../../orchestrator/job/job.ts';
import { ALL_COMMUNITIES, CREDITS, ERRORS, KIND_CREDITS, type Sums } from '../../store/tables/figures.ts';

/** Counts of durations in buckets that grow by a quarter, so that a percentile is known to about a tenth over any time. */
const FIRST_MS = 10;
const PER_DOUBLING = 3;
/** About four days. */
const LAST = 75;

/** The bucket that a duration is counted in. */
export function bucketOf(ms: number): number {
  if (!(ms > FIRST_MS)) return 0;
  return Math.min(LAST, Math.ceil(PER_DOUBLING * Math.log2(ms / FIRST_MS)));
}

/** The highest duration of a bucket. */
const boundOf = (bucket: number): number => FIRST_MS * 2 ** (bucket / PER_DOUBLING);

/** The duration that this share of all does not exceed; undefined: there are none. */
function quantile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const buckets = [...counts].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
  const wanted = share * buckets.reduce((all, [, count]) => all + count, 0);
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (passed < wanted) continue;
    const within = 1 - (passed - wanted) / count;
    return Math.round(bucket === 0 ? FIRST_MS * within : boundOf(bucket - 1 + within));
  }
  return undefined;
}

/** From the last poll that found a job unfinished to the one that found its result. */
export const resultDelayMs = ({ finishedAt, lastLookAt, submittedAt }: DoneJob): number =>
  Math.max(0, finishedAt - (lastLookAt ?? submittedAt));

/** The sums that a job adds at its end, without its credits. */
export function sumsOfJob(job: FinalJob): Sums {
  const { kind } = job.request;
  if (job.state === 'cancelled') return { jobs: { cancelled: 1 } };
  if (job.state !== 'done')
    return { failed: { [kind]: 1 }, reasons: { [job.state === 'failed' ? job.failure.code : job.state]: 1 } };
  return {
    done: { [kind]: 1 },
    jobs: { polls: job.looks },
    took: { [bucketOf(job.finishedAt - job.createdAt)]: 1 },
    unseen: { [bucketOf(resultDelayMs(job))]: 1 },
  };
}

/** Direct chats are counted with the rest: their ids identify people. */
export function creditSumsOf({ charge, credits, place: { community }, request }: FinalJob): Sums {
  if (charge !== 'spent' || credits <= 0) return {};
  return {
    [CREDITS]: { [ALL_COMMUNITIES]: credits, ...(isPersonal(community) ? {} : { [community]: credits }) },
    [KIND_CREDITS]: { [request.kind]: credits },
  };
}

/** The sums that a failed call to the service adds. */
export const sumsOfError = (error: unknown): Sums =>
  error instanceof GenerationError ? { [ERRORS]: { [`${error.endpoint}: ${error.kind}`]: 1 } } : {};

/** Sums by group and name. */
export type Totals = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** `mostNames`: of those that are not in the group yet. */
export function addSums(
  totals: Map<string, Map<string, number>>,
  sums: Sums,
  mostNames = Number.POSITIVE_INFINITY,
): void {
  for (const group in sums) {
    const names = sums[group];
    const into = totals.get(group) ?? new Map<string, number>();
    totals.set(group, into);
    for (const name in names)
      if (into.size < mostNames || into.has(name)) into.set(name, (into.get(name) ?? 0) + (names[name] ?? 0));
  }
}

/** Adds up sums of the same group and name. */
export function addUp(all: readonly Sums[]): Totals {
  const totals = new Map<string, Map<string, number>>();
  for (const sums of all) addSums(totals, sums);
  return totals;
}

const NONE: ReadonlyMap<string, number> = new Map();

/** The counts of a range, as the console shows them. */
export function countsOf(totals: Totals): Counts {
  const under = (group: string): ReadonlyMap<string, number> => totals.get(group) ?? NONE;
  const [done, failed, jobs] = [under('done'), under('failed'), under('jobs')];
  const inAll = total(done);
  const kinds = [...new Set([...done.keys(), ...failed.keys()])].toSorted();
  return {
    done: inAll,
    failed: total(failed),
    cancelled: jobs.get('cancelled') ?? 0,
    kinds: kinds.map((kind) => ({ kind, done: done.get(kind) ?? 0, failed: failed.get(kind) ?? 0 })),
    reasons: byCount(under('reasons')).map(([reason, count]) => ({ reason, count })),
    tookMs: percentiles(under('took')),
    unseenMs: percentiles(under('unseen')),
    statusCallsPerJob: inAll === 0 ? undefined : (jobs.get('polls') ?? 0) / inAll,
    errors: byCount(under(ERRORS)).map(([what, count]) => ({ what, count })),
    faceChecks: byCount(under('looks')).map(([what, count]) => ({ what, count })),
    contentChecks: byCount(under('content')).map(([what, count]) => ({ what, count })),
    refused: byCount(under('refused')).map(([what, count]) => ({ what, count })),
  };
}

export const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

const total = (counts: ReadonlyMap<string, number>): number => sum([...counts.values()]);

/** Names with their counts, the highest first. */
export const byCount = (counts: ReadonlyMap<string, number>): (readonly [string, number])[] =>
  [...counts].sort(([, one], [, other]) => other - one);

function percentiles(counts: ReadonlyMap<string, number>): Percentiles | undefined {
  if (counts.size === 0) return undefined;
  const buckets = new Map([...counts].map(([bucket, count]) => [Number(bucket), count]));
  const [p50, p95] = [quantile(buckets, 0.5), quantile(buckets, 0.95)];
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
}
