import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Members } from '../../base/members/members.ts';
import type { LookEvent } from '../../command/ports.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { FinalJob } from '../../orchestrator/job/job.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import { unseenMs } from '../figures/series.ts';
import { addStateMetrics, type StateParts } from './state-metrics.ts';

export interface MetricsParts extends StateParts {
  readonly stats: () => Promise<OrchestratorStats>;
  readonly members: Pick<Members, 'id' | 'watch' | 'count'>;
  /** Whether metrics name the process: there are others. */
  readonly isShared: boolean;
}

/** Gauges with the names of counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Seconds: up to the longest that a job of this program takes. */
const LONG = [1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 1800, 3600];
const SHORT = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10];

/** Metrics of this process, for Prometheus: docs/operating.md describes each. No label names a person or a community. */
export function createMetrics(parts: MetricsParts) {
  const registry = new Registry();
  const { members, isShared } = parts;
  const nameMember = (): void => void registry.setDefaultLabels(isShared ? { member: members.id() } : {});
  nameMember();
  members.watch({ joined: nameMember });
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  addStateMetrics(parts, registers);

  const ended = new Counter({
    name: 'darkroom_jobs_finished_total',
    help: 'Jobs that reached their final state',
    labelNames: ['kind', 'state', 'failure'],
    registers,
  });
  const credits = new Counter({
    name: 'darkroom_credits_spent_total',
    help: 'Credits of jobs that ended and were charged',
    labelNames: ['kind'],
    registers,
  });
  const duration = new Histogram({
    name: 'darkroom_job_duration_seconds',
    help: 'From acceptance to the result',
    labelNames: ['kind'],
    buckets: LONG,
    registers,
  });
  const submission = new Histogram({
    name: 'darkroom_job_submission_seconds',
    help: 'From acceptance to the service having taken the job',
    labelNames: ['kind'],
    buckets: [0.25, 0.5, ...LONG],
    registers,
  });
  const unseen = new Histogram({
    name: 'darkroom_result_unseen_seconds',
    help: 'Upper bound of the time from a result being ready to being seen',
    labelNames: ['kind'],
    buckets: [0.25, 0.5, 1, 2, 3, 5, 10, 20, 60],
    registers,
  });
  const polls = new Histogram({
    name: 'darkroom_job_status_calls',
    help: 'Status calls until a job was seen to be finished',
    labelNames: ['kind'],
    buckets: [1, 2, 3, 5, 8, 12, 20, 40],
    registers,
  });
  const late = new Histogram({
    name: 'darkroom_poll_lateness_seconds',
    help: 'From the time that a poll was planned for to its beginning',
    buckets: SHORT,
    registers,
  });
  const answers = new Histogram({
    name: 'darkroom_first_answer_seconds',
    help: 'From the arrival of a command, a text or a press to its answer being ready',
    labelNames: ['platform'],
    buckets: SHORT,
    registers,
  });
  const calls = new Histogram({
    name: 'darkroom_service_call_duration_seconds',
    help: 'HTTP calls to the generation service, from their turn to their end',
    labelNames: ['lane'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
    registers,
  });
  const callErrors = new Counter({
    name: 'darkroom_service_errors_total',
    help: 'Calls to the generation service that failed',
    labelNames: ['endpoint', 'error'],
    registers,
  });
  const refusals = new Counter({
    name: 'darkroom_ends_refused_total',
    help: 'Results and other ends of jobs that a platform refused to show, in each form and place that was tried',
    labelNames: ['platform'],
    registers,
  });
  const looks = new Counter({
    name: 'darkroom_face_checks_total',
    help: 'Questions about photos that do not show who they should, and what people chose then',
    labelNames: ['event'],
    registers,
  });
  const transactions = new Histogram({
    name: 'darkroom_store_transaction_duration_seconds',
    help: 'Transactions of jobs, until they are committed',
    labelNames: ['transaction'],
    buckets: [0.001, ...SHORT],
    registers,
  });

  return {
    registry,
    finished(job: FinalJob): void {
      const { kind } = job.request;
      ended.inc({ kind, state: job.state, failure: job.failure?.code ?? '' });
      if (job.charge === 'spent') credits.inc({ kind }, job.credits);
      if (job.state !== 'done') return;
      duration.observe({ kind }, seconds(job.finishedAt - job.createdAt));
      submission.observe({ kind }, seconds(job.submittedAt - job.createdAt));
      unseen.observe({ kind }, seconds(unseenMs(job)));
      polls.observe({ kind }, job.looks);
    },
    polled: (lateMs: number): void => late.observe(seconds(lateMs)),
    answered: (platform: string, ms: number): void => answers.observe({ platform }, seconds(ms)),
    stored: (transaction: string, ms: number): void => transactions.observe({ transaction }, seconds(ms)),
    looked: (event: LookEvent): void => looks.inc({ event }),
    refused: (platform: string): void => refusals.inc({ platform }),
    called: (lane: string, ms: number): void => calls.observe({ lane }, seconds(ms)),
    callFailed(error: unknown): void {
      if (error instanceof GenerationError) callErrors.inc({ endpoint: error.endpoint, error: error.kind });
    },
  };
}

/** A clock that was corrected must not make a sum fall. */
const seconds = (ms: number): number => Math.max(0, ms) / 1000;
