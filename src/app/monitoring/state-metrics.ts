import { Gauge, type Registry } from 'prom-client';
import type { Adapter } from '../../adapters/adapter.ts';
import type { Members } from '../../base/members/members.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';

export interface StateParts {
  readonly stats: () => Promise<OrchestratorStats>;
  /** How many records of the store cannot be read. */
  readonly damaged: () => number;
  readonly callsWaiting: () => number;
  readonly adapters: () => Iterable<Pick<Adapter, 'platform' | 'trouble'>>;
  readonly members: Pick<Members, 'count'>;
}

const REASONS = ['unavailable', 'credits', 'credentials', 'address'] as const;

/** How things stand when they are asked for. */
export function addStateMetrics(
  { stats, damaged, callsWaiting, adapters, members }: StateParts,
  registers: Registry[],
): void {
  new Gauge({
    name: 'darkroom_jobs',
    help: 'Unfinished jobs in the store, waiting or running',
    labelNames: ['where'],
    registers,
    async collect() {
      const { waiting, running } = await stats();
      this.set({ where: 'waiting' }, waiting);
      this.set({ where: 'running' }, running);
    },
  });
  new Gauge({
    name: 'darkroom_damaged_records',
    help: 'Records of the store that cannot be read and are set aside',
    registers,
    collect() {
      this.set(damaged());
    },
  });
  new Gauge({
    name: 'darkroom_service_outage',
    help: '1 while calls with these credentials are suspended for this reason, else 0',
    labelNames: ['credentials', 'reason'],
    registers,
    async collect() {
      const { outages } = await stats();
      for (const [credentials, outage] of Object.entries(outages))
        for (const reason of REASONS) this.set({ credentials, reason }, outage === reason ? 1 : 0);
    },
  });
  new Gauge({
    name: 'darkroom_service_calls_waiting',
    help: 'Calls to the generation service that wait for their turn',
    registers,
    collect() {
      this.set(callsWaiting());
    },
  });
  new Gauge({
    name: 'darkroom_platform_outage',
    help: '1 while this process cannot work with the platform, else 0',
    labelNames: ['platform'],
    registers,
    collect() {
      for (const adapter of adapters())
        this.set({ platform: adapter.platform }, adapter.trouble() === undefined ? 0 : 1);
    },
  });
  new Gauge({
    name: 'darkroom_members',
    help: 'Processes that share the store and are alive',
    registers,
    collect() {
      this.set(members.count());
    },
  });
}
