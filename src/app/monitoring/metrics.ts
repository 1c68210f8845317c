import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Members } from '../../base/members.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { FinalJob } from '../../orchestrator/job/job.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import { unseenMs } from '../figures/series.ts';

/** Metrics of this process, for Prometheus. */
export function createMetrics(
  stats: () => Promise<OrchestratorStats>,
  damaged: () => number = () => 0,
  members?: Pick<Members, 'id' | 'watch'>,
) {
  const registry = new Registry();
  const nameMember = (): void => void registry.setDefaultLabels(members ? { member: members.id() } : {});
  nameMember();
  members?.watch({ joined: nameMember });
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  new Gauge({
    name: 'darkroom_jobs',
    help: 'Unfinished jobs, waiting or running',
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
    help: '1 while calls with these credentials are suspended, by reason',
    labelNames: ['credentials', 'reason'],
    registers,
    async collect() {
      const { outages } = await stats();
      this.reset();
      for (const [credentials, reason] of Object.entries(outages)) {
        this.set({ credentials, reason: reason ?? 'none' }, reason === undefined ? 0 : 1);
      }
    },
  });
  const ended = new Counter({
    name: 'darkroom_jobs_finished_total',
    help: 'Jobs that reached their final state',
    labelNames: ['kind', 'state', 'failure'],
    registers,
  });
  const seconds = new Histogram({
    name: 'darkroom_job_seconds',
    help: 'From acceptance to the result',
    labelNames: ['kind'],
    buckets: [2, 5, 10, 20, 40, 60, 120, 240, 480, 900, 1800],
    registers,
  });
  const unseen = new Histogram({
    name: 'darkroom_result_unseen_seconds',
    help: 'Upper bound of the time from a result being ready to being seen',
    labelNames: ['kind'],
    buckets: [0.5, 1, 2, 5, 10, 20, 60],
    registers,
  });
  const polls = new Histogram({
    name: 'darkroom_status_calls_per_job',
    help: 'Status calls until a job was seen to be finished',
    labelNames: ['kind'],
    buckets: [1, 2, 3, 5, 8, 12, 20, 40],
    registers,
  });
  const calls = new Counter({
    name: 'darkroom_service_calls_total',
    help: 'HTTP calls to the generation service',
    labelNames: ['lane'],
    registers,
  });
  const callErrors = new Counter({
    name: 'darkroom_service_errors_total',
    help: 'Calls to the generation service that failed',
    labelNames: ['endpoint', 'error'],
    registers,
  });

  return {
    registry,
    finished(job: FinalJob): void {
      const { kind } = job.request;
      ended.inc({ kind, state: job.state, failure: job.failure?.code ?? '' });
      if (job.state !== 'done') return;
      seconds.observe({ kind }, (job.finishedAt - job.createdAt) / 1000);
      unseen.observe({ kind }, unseenMs(job) / 1000);
      polls.observe({ kind }, job.looks + 1);
    },
    called: (lane: string): void => calls.inc({ lane }),
    callFailed(error: unknown): void {
      if (error instanceof GenerationError) callErrors.inc({ endpoint: error.endpoint, error: error.kind });
    },
  };
}
