import type { Clock } from '../../base/clock.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { DoneJob, FinalJob } from '../../orchestrator/job/job.ts';

/** Figures of one minute, for the owner's page. */
export interface Minute {
  readonly at: number;
  done: number;
  failed: number;
  /** Status calls of the jobs that were done. */
  polls: number;
  /** Of the jobs that were done: at most how long a result was ready before it was seen. */
  unseenMs: number;
  tookMs: number;
}

export type Figures = ReturnType<typeof createFigures>;

const MINUTE_MS = 60_000;
const KEPT = 60;
const MOST_KEYS = 200;

/** Direct chats are counted together: their ids identify people. */
function labelOf(community: string): string {
  return community.replace(/^([a-z]+:dm):.*$/, '$1');
}

function topOf(counts: ReadonlyMap<string, number>, limit: number): readonly (readonly [string, number])[] {
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, limit);
}

function add(counts: Map<string, number>, key: string, amount: number): void {
  if (!counts.has(key) && counts.size >= MOST_KEYS) return;
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** From the last poll that found a job unfinished to the one that found its result. */
export function unseenMs({ finishedAt, lastLookAt, submittedAt }: DoneJob): number {
  return Math.max(0, finishedAt - (lastLookAt ?? submittedAt));
}

export function createFigures(clock: Clock) {
  const minutes = new Map<number, Minute>();
  const errors = new Map<string, number>();
  const communities = new Map<string, number>();

  const minuteAt = (at: number): Minute =>
    minutes.get(at) ?? { at, done: 0, failed: 0, polls: 0, unseenMs: 0, tookMs: 0 };
  const current = (): Minute => {
    const at = Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
    const minute = minuteAt(at);
    minutes.set(at, minute);
    for (const old of minutes.keys()) if (old <= at - KEPT * MINUTE_MS) minutes.delete(old);
    return minute;
  };

  return {
    finished(job: FinalJob): void {
      const minute = current();
      if (job.charge === 'spent') add(communities, labelOf(job.place.community), job.credits);
      if (job.state !== 'done') {
        minute.failed += 1;
        return;
      }
      minute.done += 1;
      minute.polls += job.looks + 1;
      minute.unseenMs += unseenMs(job);
      minute.tookMs += Math.max(0, job.finishedAt - job.createdAt);
    },
    callFailed(error: unknown): void {
      if (error instanceof GenerationError) add(errors, `${error.endpoint}: ${error.kind}`, 1);
    },
    minutes(): readonly Minute[] {
      const { at } = current();
      return Array.from({ length: KEPT }, (_, index) => minuteAt(at - (KEPT - 1 - index) * MINUTE_MS));
    },
    errors: () => topOf(errors, 20).map(([what, count]) => ({ what, count })),
    communities: () => topOf(communities, 20).map(([community, credits]) => ({ community, credits })),
  };
}
