import {
  type DurationModel,
  emptyModel,
  observe,
  observePoll,
} from '../../../src/orchestrator/schedule/durations.ts';
import { nextPoll, type PollInput, postponed } from '../../../src/orchestrator/schedule/schedule.ts';
import { type Job, seeded, type Trace } from './traces.ts';

export type Rules = {
  floorMs: number;
  /** The price of one poll, given the model and the number of jobs running. */
  price: (model: DurationModel, running: number) => number;
};

type Running = {
  job: Job;
  counted: boolean;
  lastLookAt?: number;
  due: number;
};

/** Plays a trace through the scheduler in virtual time: many jobs at once, one shared model, as in the engine. */
export function simulate(trace: Trace, { floorMs, price }: Rules): { delays: number[]; callsPerJob: number } {
  const random = seeded(7);
  let model = emptyModel(trace.name, trace.output);
  const counted = new Set(trace.measured);
  const arrivals = [...trace.training, ...trace.measured].toSorted((a, b) => a.submittedAt - b.submittedAt);
  const line: Running[] = [];
  const delays: number[] = [];
  let calls = 0;

  const pollInput = (one: Running, now: number): PollInput => ({
    model,
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
      const one: Running = { job: coming, counted: counted.has(coming), due: 0 };
      one.due = plan(one, coming.submittedAt);
      insert(line, one);
      continue;
    }
    const one = line.shift();
    if (one === undefined) break;
    const now = one.due;
    const later = postponed(pollInput(one, now));
    if (later !== undefined) {
      insert(line, { ...one, due: later });
      continue;
    }
    if (one.counted) calls++;
    const age = now - one.job.submittedAt;
    const finished = age >= one.job.duration;
    const from = (one.lastLookAt ?? one.job.submittedAt) - one.job.submittedAt;
    model = observePoll(model, { from, to: age, finished, submittedAt: one.job.submittedAt });
    if (finished) {
      if (one.counted) delays.push(age - one.job.duration);
      model = observe(model, { notBefore: from, by: age, submittedAt: one.job.submittedAt });
      continue;
    }
    one.lastLookAt = now;
    one.due = plan(one, now);
    insert(line, one);
  }
  return { delays, callsPerJob: calls / trace.measured.length };
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

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
