/** One process of the benchmark: orchestrator, client, pace and store are the real ones. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { machineTime, systemClock } from '../../../src/base/clock.ts';
import { createGenerationClient } from '../../../src/generation-client/client.ts';
import type { JobRecords } from '../../../src/orchestrator/job/records.ts';
import { createOrchestrator } from '../../../src/orchestrator/orchestrator.ts';
import { createPacing } from '../../../src/orchestrator/service/call-pacing.ts';
import { createSharedPacing } from '../../../src/orchestrator/service/shared-pacing.ts';
import { idlePorts, standardTimes } from '../../fakes/job-ports.ts';
import { openStoreAt } from '../../fakes/open-store-at.ts';

export interface WorkerOptions {
  readonly url: string;
  readonly service: string;
  readonly jobs: number;
  readonly callsPerSecond: number;
}

export interface WorkerReport {
  readonly calls: number;
  readonly cpuMs: number;
  /** The part of the time in which the event loop did not wait for anything. */
  readonly busy: number;
  /** Milliseconds from a poll's due time to its answer. */
  readonly late: readonly number[];
  /** The delay of the event loop, in milliseconds. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
  /** More than before the store was opened. */
  readonly heapBytes: number;
  readonly startMs: number;
}

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const memory = (): number => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const options: WorkerOptions = JSON.parse(process.argv[2] ?? '{}');
const atFirst = memory();
const began = performance.now();
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const { store, members, sharedPace } = await openStoreAt(options.url, [Buffer.alloc(32, 1)], {
  now: systemClock.now,
  machine: machineTime,
});

const pacing =
  sharedPace === undefined
    ? createPacing(options.callsPerSecond)
    : createSharedPacing(options.callsPerSecond, sharedPace(options.service));

const client = createGenerationClient({ baseUrl: options.service, token: 'token', pace: pacing.pace });
let calls = 0;
let late: number[] = [];
const dueTimes = new Map<string, number>();

const jobs: JobRecords = {
  ...store.jobs,
  async claim(which, now, limit) {
    const claimed = await store.jobs.claim(which, now, limit);
    for (const { serviceId = '', due = now } of claimed) dueTimes.set(serviceId, due);
    return claimed;
  },
};

const orchestrator = createOrchestrator({
  store: { ...store, jobs },
  members,
  models: store.keyv('durations'),
  client: {
    run: client.run,
    probe: client.probe,
    async status(job) {
      const report = await client.status(job);
      const now = systemClock.now();
      late.push(now - (dueTimes.get(job.id) ?? now));
      calls += 1;
      return report;
    },
  },
  callsWaiting: pacing.waiting,
  ports: idlePorts,
  limits: {
    userConcurrentJobs: 2,
    userWaitingJobs: 5,
    userJobsPerMinute: 10,
    serviceConcurrentJobs: Math.max(1, options.jobs),
    serviceCallsPerSecond: options.callsPerSecond,
  },
  deadlines: standardTimes.deadlines,
  floorsMs: { image: 200, video: 200 },
  clock: systemClock,
  random: Math.random,
  log: quiet,
});

await orchestrator.start();
const startMs = performance.now() - began;

const RESOLUTION_MS = 5;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const inMs = (nanoseconds: number): number => nanoseconds / 1e6 - RESOLUTION_MS;
let cpu = process.cpuUsage();
let loop = performance.eventLoopUtilization();

process.on('message', (message) => {
  if (message === 'measure') {
    calls = 0;
    late = [];
    cpu = process.cpuUsage();
    loop = performance.eventLoopUtilization();
    delays.enable();
    return;
  }
  delays.disable();
  const delay = { p50: inMs(delays.percentile(50)), p99: inMs(delays.percentile(99)), max: inMs(delays.max) };
  const { user, system } = process.cpuUsage(cpu);
  const { utilization: busy } = performance.eventLoopUtilization(loop);
  const heapBytes = memory() - atFirst;
  const cpuMs = (user + system) / 1000;
  const report: WorkerReport = { calls, late, cpuMs, busy, delay, heapBytes, startMs };
  process.send?.(report);
});

process.on('disconnect', () => process.exit());
process.send?.('ready');
