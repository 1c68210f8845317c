/** A process on a PostgreSQL as far as jobs go, within this one: the store and the orchestrator are real. */

import { type Clock, machineTime, systemClock } from '../../../../src/base/clock.ts';
import { defined } from '../../../../src/base/defined.ts';
import type { JobRecords } from '../../../../src/orchestrator/job/records.ts';
import { createOrchestrator } from '../../../../src/orchestrator/orchestrator.ts';
import type { JobPorts, Service } from '../../../../src/orchestrator/steps/effects.ts';
import { idlePorts, standardTimes } from '../../../fakes/job-ports.ts';
import { openStoreAt } from '../../../fakes/open-store-at.ts';
import { png } from '../../../unit/orchestrator/world.ts';

export interface InProcessOptions {
  readonly clock?: Clock;
  readonly jobs?: Partial<JobRecords>;
  readonly isAlive?: () => boolean;
  readonly draw?: JobPorts['draw'];
  readonly status?: Service['status'];
  /** Until then the service does not answer a run. */
  readonly answer?: () => Promise<void>;
}

/** All that is opened is closed with `opened`. */
export async function startInProcess(opened: AsyncDisposableStack, url: string, more: InProcessOptions = {}) {
  const { clock = systemClock } = more;
  const { store, members, close } = await openStoreAt(url, [], { now: clock.now, machine: machineTime });
  opened.defer(close);
  const runs: string[] = [];
  const orchestrator = createOrchestrator({
    store: { ...store, jobs: { ...store.jobs, ...more.jobs } },
    members: { ...members, ...defined({ isAlive: more.isAlive }) },
    models: store.keyv('durations'),
    client: {
      async run(request, { record }) {
        if (!(await record.ready())) throw new Error('called off');
        runs.push(JSON.stringify(request));
        await more.answer?.();
        return { id: `service-${runs.length}` };
      },
      probe: async () => undefined,
      status: more.status ?? (async () => ({ state: 'completed', output: png })),
    },
    callsWaiting: () => 0,
    ports: { ...idlePorts, ...defined({ draw: more.draw }) },
    limits: {
      userConcurrentJobs: 2,
      userWaitingJobs: 5,
      userJobsPerMinute: 10,
      serviceConcurrentJobs: 8,
      serviceCallsPerSecond: 1_000,
    },
    deadlines: standardTimes.deadlines,
    floorsMs: { image: 10, video: 10 },
    clock,
    random: Math.random,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await orchestrator.start();
  opened.defer(orchestrator.stop);
  return { orchestrator, members, runs };
}
