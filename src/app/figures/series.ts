import { isPersonal } from '../../command/place.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { DoneJob, FinalJob } from '../../orchestrator/job/job.ts';
import { CREDITS, creditsOf, ERROR, type Sums } from '../../store/records/figures.ts';
import { bucketOf, quantile } from './histogram.ts';

/** What happened in some time. Times are of jobs that were done; undefined: there were none. */
export interface Counts {
  readonly done: number;
  /** Also those of which it is not certain whether the service has them. */
  readonly failed: number;
  readonly cancelled: number;
  readonly kinds: readonly { readonly kind: string; readonly done: number; readonly failed: number }[];
  /** Why jobs failed, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
  /** From acceptance to the result. */
  readonly tookMs: Percentiles | undefined;
  /** At most how long a result was ready before it was seen. */
  readonly unseenMs: Percentiles | undefined;
  readonly statusCallsPerJob: number | undefined;
  /** Calls to the service that failed, the most frequent first. */
  readonly errors: readonly { readonly what: string; readonly count: number }[];
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** From the last poll that found a job unfinished to the one that found its result. */
export function unseenMs({ finishedAt, lastLookAt, submittedAt }: DoneJob): number {
  return Math.max(0, finishedAt - (lastLookAt ?? submittedAt));
}

/** The series that a job counts in at its end, without its credits. */
export function sumsOf(job: FinalJob): Sums {
  const { kind } = job.request;
  if (job.state === 'cancelled') return { cancelled: 1 };
  if (job.state !== 'done')
    return { [`failed/${kind}`]: 1, [`reason/${job.state === 'failed' ? job.failure.code : job.state}`]: 1 };
  return {
    [`done/${kind}`]: 1,
    polls: job.looks + 1,
    [`took/${bucketOf(job.finishedAt - job.createdAt)}`]: 1,
    [`unseen/${bucketOf(unseenMs(job))}`]: 1,
  };
}

/** Direct chats are counted with the rest: their ids identify people. */
export function creditSumsOf({ charge, credits, place: { community } }: FinalJob): Sums {
  if (charge !== 'spent' || credits <= 0) return {};
  return { [CREDITS]: credits, ...(isPersonal(community) ? {} : { [creditsOf(community)]: credits }) };
}

export function sumsOfError(error: unknown): Sums {
  return error instanceof GenerationError ? { [`${ERROR}${error.endpoint}: ${error.kind}`]: 1 } : {};
}

export function addUpMaps(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const total = new Map<string, number>();
  for (const sums of all) for (const [name, sum] of sums) total.set(name, (total.get(name) ?? 0) + sum);
  return total;
}

export function addUp(all: readonly Sums[]): ReadonlyMap<string, number> {
  const total = new Map<string, number>();
  for (const sums of all)
    for (const name in sums) total.set(name, (total.get(name) ?? 0) + (sums[name] ?? 0));
  return total;
}

export function countsOf(sums: ReadonlyMap<string, number>): Counts {
  const groups = new Map<string, Map<string, number>>();
  for (const [name, sum] of sums) {
    const end = name.indexOf('/');
    const group = groups.get(name.slice(0, end)) ?? new Map<string, number>();
    groups.set(name.slice(0, end), group.set(name.slice(end + 1), sum));
  }
  const under = (prefix: string): ReadonlyMap<string, number> => groups.get(prefix) ?? new Map();
  const [done, failed] = [under('done'), under('failed')];
  const inAll = total(done);
  const kinds = [...new Set([...done.keys(), ...failed.keys()])].toSorted();
  return {
    done: inAll,
    failed: total(failed),
    cancelled: sums.get('cancelled') ?? 0,
    kinds: kinds.map((kind) => ({ kind, done: done.get(kind) ?? 0, failed: failed.get(kind) ?? 0 })),
    reasons: byCount(under('reason')).map(([reason, count]) => ({ reason, count })),
    tookMs: percentiles(under('took')),
    unseenMs: percentiles(under('unseen')),
    statusCallsPerJob: inAll === 0 ? undefined : (sums.get('polls') ?? 0) / inAll,
    errors: byCount(under('error')).map(([what, count]) => ({ what, count })),
  };
}

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((all, each) => all + each, 0);

export const byCount = (counts: ReadonlyMap<string, number>): (readonly [string, number])[] =>
  [...counts].sort(([, one], [, other]) => other - one);

function percentiles(counts: ReadonlyMap<string, number>): Percentiles | undefined {
  const buckets = new Map([...counts].map(([bucket, count]) => [Number(bucket), count]));
  const [p50, p95] = [quantile(buckets, 0.5), quantile(buckets, 0.95)];
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
}
