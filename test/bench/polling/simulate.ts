import {
  type DurationModel,
  emptyModel,
  observe,
  polled,
} from '../../../src/orchestrator/schedule/durations.ts';
import { afterFailedPoll } from '../../../src/orchestrator/schedule/poll-backoff.ts';
import { nextPoll, type PollInput, postponed } from '../../../src/orchestrator/schedule/schedule.ts';
import { type Job, seeded, type Trace } from './traces.ts';

export type Result = {
  delays: number[];
  callsPerJob: number;
  lost: number;
  peakCallsPerSecond: number;
  longestAfterOutage: number;
};
export type Rules = {
  floorMs: number;
  /** Of one look, given the model and the number of jobs running. */
  price: (model: DurationModel, running: number) => number;
  seesQueue?: boolean;
};

type Running = {
  job: Job;
  counted: boolean;
  lastLookAt?: number;
  lastStatus?: 'waiting' | 'running';
  statusSince?: number;
  waitingUntil?: number;
  failures: number;
  due: number;
};

/** Plays a trace through the scheduler in virtual time: many jobs at once, one shared model, as in the engine. */
export function simulate(trace: Trace, { floorMs, price, seesQueue = false }: Rules): Result {
  const random = seeded(7);
  let model = emptyModel(trace.name, trace.output);
  const counted = new Set(trace.measured);
  const arrivals = [...trace.training, ...trace.measured].toSorted((a, b) => a.submittedAt - b.submittedAt);
  const line: Running[] = [];
  const delays: number[] = [];
  const callTimes: number[] = [];
  let calls = 0;
  let longestAfterOutage = 0;

  const pollInput = (one: Running, now: number): PollInput => ({
    model,
    output: trace.output,
    submittedAt: one.job.submittedAt,
    now,
    floorMs,
    price: price(model, line.length + 1),
    ...one,
  });
  const plan = (one: Running, now: number): number => nextPoll({ ...pollInput(one, now), random: random() });
  let arrived = 0;
  while (arrived < arrivals.length || line.length > 0) {
    const coming = arrivals[arrived];
    const first = line[0];
    if (coming !== undefined && (first === undefined || coming.submittedAt <= first.due)) {
      arrived++;
      const one: Running = {
        job: coming,
        counted: counted.has(coming),
        failures: 0,
        due: 0,
      };
      one.due = plan(one, coming.submittedAt);
      insert(line, one);
      continue;
    }
    const one = line.shift();
    if (one === undefined) break;
    const now = one.due;
    const later = one.failures > 0 ? undefined : postponed(pollInput(one, now));
    if (later !== undefined) {
      insert(line, { ...one, due: later });
      continue;
    }
    if (one.counted) calls++;
    callTimes.push(now);
    if (trace.outage !== undefined && now >= trace.outage.from && now < trace.outage.until) {
      one.failures++;
      const normalInterval = plan({ ...one, lastLookAt: now }, now) - now;
      one.due = afterFailedPoll({
        attempt: one.failures,
        floorMs: Math.max(1, floorMs),
        now,
        random: random(),
        normalInterval,
      });
      insert(line, one);
      continue;
    }
    one.failures = 0;
    const age = now - one.job.submittedAt;
    const finished = age >= one.job.duration;
    const from = (one.lastLookAt ?? one.job.submittedAt) - one.job.submittedAt;
    model = polled(model, { from, to: age, finished, submittedAt: one.job.submittedAt });
    if (finished) {
      if (one.counted) delays.push(age - one.job.duration);
      if (trace.outage !== undefined && one.job.submittedAt + one.job.duration < trace.outage.until) {
        longestAfterOutage = Math.max(longestAfterOutage, now - trace.outage.until);
      }
      const since = one.job.submittedAt;
      const queuedUntil = seesQueue
        ? {
            notBefore: (one.waitingUntil ?? since) - since,
            by: one.lastStatus === 'running' && one.statusSince ? one.statusSince - since : age,
          }
        : undefined;
      model = observe(model, {
        notBefore: from,
        by: age,
        submittedAt: since,
        ...(queuedUntil && { queuedUntil }),
      });
      continue;
    }
    if (seesQueue) {
      const status = age < (one.job.queue ?? 0) ? 'waiting' : 'running';
      if (status !== one.lastStatus) one.statusSince = now;
      if (status === 'waiting') one.waitingUntil = now;
      one.lastStatus = status;
    }
    one.lastLookAt = now;
    one.due = plan(one, now);
    insert(line, one);
  }
  return {
    delays,
    callsPerJob: calls / trace.measured.length,
    lost: trace.measured.length - delays.length,
    peakCallsPerSecond: busiestSecond(callTimes),
    longestAfterOutage,
  };
}

function insert(line: Running[], one: Running): void {
  let low = 0;
  let high = line.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((line[middle]?.due ?? 0) <= one.due) low = middle + 1;
    else high = middle;
  }
  line.splice(low, 0, one);
}

function busiestSecond(times: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (let i = 0; i < times.length; i++) {
    while ((times[from] ?? 0) <= (times[i] ?? 0) - 1000) from++;
    most = Math.max(most, i - from + 1);
  }
  return most;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
