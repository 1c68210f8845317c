import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { type ClientResult, runClients } from './clients.ts';
import { outageTrace, traces } from './traces.ts';

/** By index of the trace, and by seconds of the outage; and how late this thread was, as a mark of a busy machine. */
export type Others = {
  byTrace: Map<number, ClientResult[]>;
  byOutage: Map<number, ClientResult[]>;
  lateMs: number;
};

/**
 * Real time, in a thread of its own so that nothing delays these clients; started one after another so that the
 * machine is never the bottleneck. Jobs are submitted within three seconds.
 */
const RUNS = [
  { trace: 1, after: 0, jobs: 40 },
  { trace: 3, after: 0, jobs: 60 },
  { trace: 2, after: 30, jobs: 60 },
  { trace: 5, after: 90, jobs: 60 },
  { trace: 4, after: 100, jobs: 60 },
  { trace: 0, after: 140, jobs: 200 },
];
const OUTAGES = [
  { seconds: 45, after: 0 },
  { seconds: 20, after: 50 },
  { seconds: 5, after: 75 },
];

const late = monitorEventLoopDelay({ resolution: 10 });
late.enable();
const others: Others = { byTrace: new Map(), byOutage: new Map(), lateMs: 0 };
await Promise.all([
  ...RUNS.map(async ({ trace, after, jobs }) => {
    await sleep(after * 1000);
    // Evenly from all measured jobs, so that every part of a trace is in.
    const all = traces[trace]?.measured ?? [];
    const some = all.filter((_, i) => i % Math.floor(all.length / jobs) === 0).slice(0, jobs);
    const submitted = some.map((job, i) => ({ ...job, submittedAt: (i * 3_000) / jobs }));
    others.byTrace.set(trace, await runClients({ jobs: submitted }));
  }),
  ...OUTAGES.map(async ({ seconds, after }) => {
    await sleep(after * 1000);
    const jobs = outageTrace(seconds).measured.map((job, i) => ({ ...job, submittedAt: i * 30 }));
    const outage = { from: 4_000, until: 4_000 + seconds * 1000 };
    others.byOutage.set(seconds, await runClients({ jobs, outage }));
  }),
]);
others.lateMs = late.percentile(99) / 1e6 - 10;
parentPort?.postMessage(others);
