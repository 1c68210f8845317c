/**
 * How many running jobs one process carries: memory for each, delay of the event loop, CPU for a status call, and
 * how long a restart takes. The service is another process; client, pace, store (encrypted, on disk) and
 * orchestrator are the real ones.
 *
 *   npm run bench -- in-flight [seconds for each size]
 */
import { close, fill, measure, writeRow } from './in-flight/measure.ts';
import type { WorkerReport } from './in-flight/worker.ts';

const seconds = Number(process.argv[2] ?? 20);
/** The time by which every job has fallen due and as many polls wait for their call as ever will. */
const SETTLE_MS = 15_000;

/** All sizes have one number of calls, so that only the size differs, and then as many as videos would take. */
const loads = [
  { jobs: 100, callsPerSecond: 200 },
  { jobs: 1_000, callsPerSecond: 200 },
  { jobs: 10_000, callsPerSecond: 200 },
  { jobs: 10_000, callsPerSecond: 1_000 },
  // The machine itself, and whatever else runs on it, adds this to the delay.
  { jobs: 0, callsPerSecond: 200 },
];

const columns: Readonly<Record<string, (report: WorkerReport, jobs: number) => string>> = {
  'status calls/s': ({ calls }) => (calls / seconds).toFixed(0),
  'CPU ms per call': ({ cpuMs, calls }) => (cpuMs / calls).toFixed(2),
  'cores used': ({ cpuMs }) => (cpuMs / 1000 / seconds).toFixed(2),
  'loop delay p50 ms': ({ delay }) => delay.p50.toFixed(1),
  'p99 ms': ({ delay }) => delay.p99.toFixed(1),
  'max ms': ({ delay }) => delay.max.toFixed(1),
  'heap KB per job': ({ heapBytes }, jobs) => (heapBytes / 1024 / jobs).toFixed(2),
  'restart ms': ({ startMs }) => startMs.toFixed(0),
};

writeRow(['jobs', 'calls/s allowed', ...Object.keys(columns)]);
writeRow(['jobs', 'calls/s allowed', ...Object.keys(columns)].map(() => '---:'));

for (const load of loads) {
  const url = await fill(load.jobs, 5_000);
  for (const report of await measure({ ...load, url, settleMs: SETTLE_MS, seconds }))
    writeRow([
      load.jobs,
      load.callsPerSecond,
      ...Object.values(columns).map((cell) => cell(report, load.jobs)),
    ]);
}

close();
