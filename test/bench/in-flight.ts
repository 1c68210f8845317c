/**
 * How many running jobs one process carries: memory for each, delay of the event loop, CPU for a status call, and
 * how long a restart takes. The service is another process; client, pace, store (encrypted, on disk) and
 * orchestrator are the real ones.
 *
 *   npm run bench -- in-flight [seconds for each size]
 */

import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../src/base/clock.ts';
import { createGenerationClient } from '../../src/generation-client/client.ts';
import { createOrchestrator, type Orchestrator } from '../../src/orchestrator/orchestrator.ts';
import { createCalls } from '../../src/orchestrator/service/call-pacing.ts';
import type { Service } from '../../src/orchestrator/steps/effects.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/tables/store.ts';
import { insert } from '../contract/store/suite/driver.ts';
import { idlePorts, standardTimes } from '../fakes/job-ports.ts';
import { jobOf } from './in-flight/job.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const seconds = Number(process.argv[2] ?? 20);
const WARM_UP_SECONDS = 5;
/** By then every job has fallen due, and as many polls wait for their call as ever will. */
const SETTLE_MS = 15_000;
/** The same number of calls for all sizes, so that only the size differs; then as many as videos would take. */
const loads: readonly Load[] = [
  { jobs: 100, callsPerSecond: 200 },
  { jobs: 1_000, callsPerSecond: 200 },
  { jobs: 10_000, callsPerSecond: 200 },
  { jobs: 10_000, callsPerSecond: 1_000 },
];

const service = fork(new URL('./in-flight/service.ts', import.meta.url));
const port = await new Promise<number>((resolve) =>
  service.once('message', (message) => resolve(Number(message))),
);

interface Running {
  readonly store: Store;
  readonly orchestrator: Orchestrator;
  readonly startMs: number;
  readonly calls: () => number;
  stop(): Promise<void>;
}

async function start(path: string, jobs: number, callsPerSecond: number): Promise<Running> {
  const pacing = createCalls(callsPerSecond);
  let isStopped = false;
  const client = createGenerationClient({
    baseUrl: `http://127.0.0.1:${port}`,
    token: 'token',
    // What still waits when it is stopped is no part of the next measurement.
    pace: (lane, attempt) =>
      pacing.pace(lane, async () => (isStopped ? new Promise(() => undefined) : await attempt())),
  });
  let calls = 0;
  const counted: Service = {
    run: client.run,
    probe: client.probe,
    async status(job) {
      const report = await client.status(job);
      calls += 1;
      return report;
    },
  };
  const before = performance.now();
  const store = await openStore({ path, keys: [Buffer.alloc(32, 1)] });
  const orchestrator = createOrchestrator({
    store,
    models: store.keyv('durations'),
    client: counted,
    callsWaiting: pacing.waiting,
    ports: idlePorts,
    limits: {
      userConcurrentJobs: 2,
      userWaitingJobs: 5,
      userJobsPerMinute: 10,
      serviceConcurrentJobs: jobs,
      serviceCallsPerSecond: callsPerSecond,
    },
    deadlines: standardTimes.deadlines,
    floorsMs: { image: 200, video: 200 },
    clock: systemClock,
    random: Math.random,
    log: {
      info: () => undefined,
      warn: () => undefined,
      // Polls that still waited for their call when it was stopped find no store any more.
      error: (fields: unknown) => isStopped || console.error(fields),
    },
  });
  await orchestrator.start();
  const startMs = performance.now() - before;
  return {
    store,
    orchestrator,
    startMs,
    calls: () => calls,
    async stop() {
      await orchestrator.stop();
      isStopped = true;
      await pacing.stop();
      await client.close();
      store.close();
    },
  };
}

function memory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface Load {
  readonly jobs: number;
  readonly callsPerSecond: number;
}

async function measure({ jobs, callsPerSecond }: Load, seconds: number): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'darkroom-in-flight-'));
  const path = join(folder, 'jobs.sqlite');
  const empty = await openStore({ path, keys: [Buffer.alloc(32, 1)] });
  for (let n = 0; n < jobs; n += 1) await insert(empty, jobOf(n, Date.now()));
  empty.close();

  const before = memory();
  const running = await start(path, jobs, callsPerSecond);
  await pause(SETTLE_MS);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const cpu = process.cpuUsage();
  const calls = running.calls();
  await pause(seconds * 1000);
  const used = process.cpuUsage(cpu);
  delay.disable();
  const made = running.calls() - calls;
  const after = memory();
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
  return {
    jobs: String(jobs),
    'calls/s allowed': String(callsPerSecond),
    'status calls/s': (made / seconds).toFixed(0),
    'CPU ms per call': ((used.user + used.system) / 1000 / made).toFixed(2),
    'cores used': ((used.user + used.system) / 1e6 / seconds).toFixed(2),
    ...delays(delay),
    'heap KB per job': ((after - before) / 1024 / jobs).toFixed(2),
    'restart ms': running.startMs.toFixed(0),
  };
}

/**
 * The same process without jobs, at rest and as busy as with them (in pieces of half a millisecond): what the machine
 * itself, and whatever else runs on it, adds to the delay.
 */
async function measureControl(busyCores: number): Promise<Record<string, string>> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const everyMs = 2;
  const burn = (): void => {
    const end = performance.now() + busyCores * everyMs;
    while (performance.now() < end);
  };
  const timer = busyCores > 0 ? setInterval(burn, everyMs) : undefined;
  delay.enable();
  await pause(seconds * 1000);
  delay.disable();
  clearInterval(timer);
  const jobs = busyCores > 0 ? 'none, as busy' : 'none';
  return { jobs, 'cores used': busyCores.toFixed(2), ...delays(delay) };
}

const delays = (delay: ReturnType<typeof monitorEventLoopDelay>): Record<string, string> => ({
  'loop delay p50 ms': (delay.percentile(50) / 1e6 - 5).toFixed(1),
  'p99 ms': (delay.percentile(99) / 1e6 - 5).toFixed(1),
  'max ms': (delay.max / 1e6 - 5).toFixed(1),
});

// Not counted: code that is compiled, connections that are opened.
await measure({ jobs: 1_000, callsPerSecond: 1_000 }, WARM_UP_SECONDS);
const rows: Record<string, string>[] = [];
for (const load of loads) rows.push(await measure(load, seconds));
const busiest = Math.max(...rows.map((row) => Number(row['cores used'])));
rows.push(await measureControl(busiest), await measureControl(0));
service.disconnect();

const columns = Object.keys(rows[0] ?? {});
const lines = [
  columns,
  columns.map(() => '---:'),
  ...rows.map((row) => columns.map((column) => row[column] ?? '')),
];
for (const line of lines) process.stdout.write(`| ${line.join(' | ')} |\n`);
