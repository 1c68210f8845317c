import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Adapter } from '../../adapters/adapter.ts';
import { afterAnswersAreSent, machineTime } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { FaceCheckEvent } from '../../command/face-check-port.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { FinalJob } from '../../orchestrator/job/job.ts';
import type { JobRecords } from '../../orchestrator/job/records.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import type { ContentEvent } from '../../safety/content/check.ts';
import { resultDelayMs } from '../figures/series.ts';

/** Gauges with the names of counters. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];
const REASONS = ['unavailable', 'credits', 'credentials', 'address'] as const;

/** Seconds: up to the longest that a job of this program takes. */
const LONG = [1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200, 1800, 3600];
const SHORT = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10];

const options = (registry: Registry, name: string, help: string, labelNames: string[]) => ({
  name: `darkroom_${name}`,
  help,
  labelNames,
  registers: [registry],
});

/** Metrics of this process, for Prometheus: docs/operating.md describes each. No label names a person or a community. */
export function createMetrics(members: Pick<Members, 'id' | 'isShared' | 'watch'>) {
  const registry = new Registry();
  const nameMember = (): void =>
    void registry.setDefaultLabels(members.isShared ? { member: members.id() } : {});
  nameMember();
  members.watch({ joined: nameMember });
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);

  const counter = (name: string, help: string, ...labels: string[]) =>
    new Counter(options(registry, name, help, labels));
  const histogram = (name: string, help: string, buckets: number[], ...labels: string[]) =>
    new Histogram({ ...options(registry, name, help, labels), buckets });

  const ended = counter(
    'jobs_finished_total',
    'Jobs that reached their final state',
    'kind',
    'state',
    'failure',
  );
  const credits = counter('credits_spent_total', 'Credits of jobs that ended and were charged', 'kind');
  const duration = histogram('job_duration_seconds', 'From acceptance to the result', LONG, 'kind');
  const submission = histogram(
    'job_submission_seconds',
    'From acceptance to the service having taken the job',
    [0.25, 0.5, ...LONG],
    'kind',
  );
  const unseen = histogram(
    'result_unseen_seconds',
    'Upper bound of the time from a result being ready to being seen',
    [0.25, 0.5, 1, 2, 3, 5, 10, 20, 60],
    'kind',
  );
  const polls = histogram(
    'job_status_calls',
    'Status calls until a job was seen to be finished',
    [1, 2, 3, 5, 8, 12, 20, 40],
    'kind',
  );
  const late = histogram(
    'poll_lateness_seconds',
    'From the time that a poll was planned for to its beginning',
    SHORT,
  );
  const answers = histogram(
    'first_answer_seconds',
    'From the arrival of a command, a text or a press to its answer being ready',
    SHORT,
    'platform',
  );
  const calls = histogram(
    'service_call_duration_seconds',
    'HTTP calls to the generation service, from their turn to their end',
    [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
    'lane',
  );
  const callErrors = counter(
    'service_errors_total',
    'Calls to the generation service that failed',
    'endpoint',
    'error',
  );
  const refusals = counter(
    'ends_refused_total',
    'Results and other ends of jobs that a platform refused to show, in each form and place that was tried',
    'platform',
  );
  const faceChecks = counter(
    'face_checks_total',
    'Questions about photos that do not show who they should, and what people chose then',
    'event',
  );
  const contentChecks = counter(
    'content_checks_total',
    'Photos that were refused for their content, and looks at the content of pictures that could not be made',
    'event',
  );
  const transactions = histogram(
    'store_transaction_duration_seconds',
    'Transactions of jobs, until they are committed',
    [0.001, ...SHORT],
    'transaction',
  );
  const stored = async <T>(transaction: string, work: () => Promise<T>): Promise<T> => {
    const begunAt = machineTime.passed();
    try {
      return await work();
    } finally {
      const tookMs = machineTime.passed() - begunAt;
      afterAnswersAreSent(() => transactions.observe({ transaction }, seconds(tookMs)));
    }
  };

  return {
    registry,
    /** Jobs in the store, with the time that the transactions take which people wait for. */
    timed: (jobs: JobRecords): JobRecords => ({
      ...jobs,
      accept: (order) => stored('accept', () => jobs.accept(order)),
      save: (...change) => stored('save', () => jobs.save(...change)),
      claim: (...which) => stored('claim', () => jobs.claim(...which)),
      take: (options) => stored('take', () => jobs.take(options)),
      onDisk: () => stored('sync', () => jobs.onDisk()),
    }),
    finished(job: FinalJob): void {
      const { kind } = job.request;
      ended.inc({ kind, state: job.state, failure: job.failure?.code ?? '' });
      if (job.charge === 'spent') credits.inc({ kind }, job.credits);
      if (job.state !== 'done') return;
      duration.observe({ kind }, seconds(job.finishedAt - job.createdAt));
      submission.observe({ kind }, seconds(job.submittedAt - job.createdAt));
      unseen.observe({ kind }, seconds(resultDelayMs(job)));
      polls.observe({ kind }, job.looks);
    },
    polled: (lateMs: number): void => late.observe(seconds(lateMs)),
    answered: (platform: string, ms: number): void => answers.observe({ platform }, seconds(ms)),
    faceChecked: (event: FaceCheckEvent): void => faceChecks.inc({ event }),
    contentChecked: (event: ContentEvent): void => contentChecks.inc({ event }),
    refused: (platform: string): void => refusals.inc({ platform }),
    called: (lane: string, ms: number): void => calls.observe({ lane }, seconds(ms)),
    callFailed(error: unknown): void {
      if (error instanceof GenerationError) callErrors.inc({ endpoint: error.endpoint, error: error.kind });
    },
  };
}

/** A clock that was corrected must not make a sum fall. */
const seconds = (ms: number): number => Math.max(0, ms) / 1000;

/** Adds how things stand when the metrics are asked for. */
export function addGauges(
  registry: Registry,
  sources: {
    readonly stats: () => Promise<Pick<OrchestratorStats, 'waiting' | 'running'>>;
    readonly outages: () => OrchestratorStats['outages'];
    /** How many records of the store cannot be read. */
    readonly damaged: () => number;
    readonly callsWaiting: () => number;
    /** The credits that everybody together has used this month. */
    readonly monthCredits: () => Promise<number>;
    /** `SERVICE_MONTHLY_CREDITS` */
    readonly monthCeiling: number | undefined;
    readonly adapters: () => Iterable<Pick<Adapter, 'platform' | 'trouble'>>;
    readonly members: Pick<Members, 'count'>;
  },
): void {
  const { stats, outages, damaged, callsWaiting, monthCredits, monthCeiling, adapters, members } = sources;
  const gauge = (
    name: string,
    help: string,
    labels: string[],
    collect: (gauge: Gauge) => void | Promise<void>,
  ) =>
    new Gauge({
      ...options(registry, name, help, labels),
      collect() {
        return collect(this);
      },
    });

  gauge('jobs', 'Unfinished jobs in the store, waiting or running', ['where'], async (now) => {
    const { waiting, running } = await stats();
    now.set({ where: 'waiting' }, waiting);
    now.set({ where: 'running' }, running);
  });
  gauge('damaged_records', 'Records of the store that cannot be read and are set aside', [], (now) =>
    now.set(damaged()),
  );
  gauge(
    'service_outage',
    '1 while calls with these credentials are suspended for this reason, else 0',
    ['credentials', 'reason'],
    (now) => {
      for (const [credentials, outage] of Object.entries(outages()))
        for (const reason of REASONS) now.set({ credentials, reason }, outage === reason ? 1 : 0);
    },
  );
  gauge('service_calls_waiting', 'Calls to the generation service that wait for their turn', [], (now) =>
    now.set(callsWaiting()),
  );
  gauge(
    'platform_outage',
    '1 while this process cannot work with the platform, else 0',
    ['platform'],
    (now) => {
      for (const { platform, trouble } of adapters()) now.set({ platform }, trouble() === undefined ? 0 : 1);
    },
  );
  gauge(
    'month_credits',
    'Credits that everybody together has used in this calendar month (UTC)',
    [],
    async (now) => now.set(await monthCredits()),
  );
  if (monthCeiling !== undefined)
    gauge('month_credits_ceiling', 'The most credits that everybody together can use a month', [], (now) =>
      now.set(monthCeiling),
    );
  gauge('members', 'Processes that share the store and are alive', [], (now) => now.set(members.count()));
}
