import { defined } from '../../base/defined.ts';
import type { StatusReport } from '../../generation-client/result/status-report.ts';
import { GenerationError, type GenerationErrorKind } from '../../generation-client/wire/errors.ts';
import { failureWith } from '../job/failure.ts';
import { failed } from '../job/final-states.ts';
import type { DeliveringJob, Failure, RunningJob } from '../job/job.ts';
import type { StepEffects } from './effects.ts';

/** How many answers may say `completed` without a readable result, which may be late or garbled. */
const MOST_UNUSABLE = 8;
/**
 * Errors of a poll that may mean that the service has lost the job: it does not know it, refuses the status, or answers with
 * something else.
 */
const MISSING_KINDS: readonly GenerationErrorKind[] = ['not-found', 'refused', 'bad-response'];
/**
 * A job counts as lost after so many of these errors over so long a time: the service may know it again a moment later (a
 * restart, a replica that is behind).
 */
const MOST_MISSED = 5;
const LONGEST_MISSED_MS = 60_000;
/** Like `LONGEST_MISSED_MS`, for a job that the service has never reported yet: it may appear late. */
const NEVER_SEEN_MS = 120_000;

/** Poll step: asks the service for the status of a running job. A failed poll is retried until the job's deadline. */
export async function poll(job: RunningJob, fx: StepEffects): Promise<void> {
  const later = fx.postponed(job);
  if (later !== undefined && later < fx.deadline(job))
    return void (await fx.save(job, { ...job, due: later }, 'lossy'));
  let report: StatusReport;
  try {
    report = await fx.status(job);
  } catch (error) {
    return pollAgain(job, error, fx);
  }
  switch (report.state) {
    case 'completed':
      fx.sawFinished(job);
      // Delivery is a step of its own: fetching and showing a result may take long, and polls of other jobs must not wait for
      // it.
      fx.keepResult(report.output);
      return void (await fx.save(job, finished(job, fx.now(), fx.lastForwardJump())));
    case 'failed':
      fx.sawFinished(job);
      return fail(job, failureWith('generation-failed', report.reason), fx);
    default:
      return unfinished(job, report.state, fx);
  }
}

function finished(job: RunningJob, now: number, lastForwardJump: number): DeliveringJob {
  const { unusable: _, missed: __, ...known } = job;
  const times = job.submittedAt < lastForwardJump ? ({ untimed: true } as const) : {};
  return { ...known, state: 'delivering', finishedAt: now, ...times, attempts: 0, due: now };
}

async function unfinished(job: RunningJob, status: 'waiting' | 'running', fx: StepEffects): Promise<void> {
  const now = fx.now();
  fx.sawUnfinished(job);
  if (now >= fx.deadline(job)) return fail(job, failureWith('deadline'), fx);
  const { missed: _, ...known } = job;
  const seen: RunningJob = {
    ...known,
    lastStatus: status,
    statusSince: job.lastStatus === status ? (job.statusSince ?? now) : now,
    ...(status === 'waiting' ? { waitingUntil: now } : {}),
    lastLookAt: now,
    attempts: 0,
  };
  await fx.save(job, { ...seen, due: fx.nextPoll(seen) }, 'lossy');
}

async function pollAgain(job: RunningJob, error: unknown, fx: StepEffects): Promise<void> {
  const now = fx.now();
  const known = error instanceof GenerationError;
  fx.tellOwner(error);
  const reason = known ? DEADLINE_REASONS[error.kind] : undefined;
  if (now >= fx.deadline(job)) return fail(job, failureWith(reason ?? 'deadline'), fx);
  const unusable = (job.unusable ?? 0) + (known && error.kind === 'unusable-result' ? 1 : 0);
  if (unusable >= MOST_UNUSABLE) return fail(job, failureWith('result-unusable'), fx);
  const missed = known && MISSING_KINDS.includes(error.kind) ? missedOnceMore(job, now) : job.missed;
  if (missed !== undefined && known && isLost(job, missed, now, fx))
    return fail(job, failureWith(reason ?? 'job-unknown'), fx);
  const tried: RunningJob = {
    ...job,
    attempts: job.attempts + 1,
    ...(unusable > 0 ? { unusable } : {}),
    ...defined({ missed }),
  };
  const again = fx.afterFailedPoll(tried, known ? error.retryAfterMs : undefined);
  await fx.save(job, { ...tried, due: Math.min(again, Math.max(now + 1_000, fx.deadline(job))) }, 'lossy');
}

type Missed = NonNullable<RunningJob['missed']>;

const missedOnceMore = ({ missed }: RunningJob, now: number): Missed => ({
  since: missed?.since ?? now,
  count: (missed?.count ?? 0) + 1,
});

/**
 * Whether the service has lost the job. Only if the same status path answers for other jobs: if it answers for none, that is an
 * outage or a wrong path.
 */
function isLost(job: RunningJob, { since, count }: Missed, now: number, fx: StepEffects): boolean {
  const longest = job.lastLookAt === undefined ? NEVER_SEEN_MS : LONGEST_MISSED_MS;
  if (count < MOST_MISSED || now - Math.max(since, fx.lastForwardJump()) < longest) return false;
  return fx.answeredAt(job) > since;
}

/** The failure of a job at its deadline, by the error of its last poll. */
const DEADLINE_REASONS: Partial<Record<GenerationErrorKind, Failure['code']>> = {
  'bad-response': 'result-unusable',
  'unusable-result': 'result-unusable',
  unauthorized: 'service-credentials',
  'not-found': 'job-unknown',
  refused: 'job-unknown',
};

async function fail(job: RunningJob, failure: Failure, fx: StepEffects): Promise<void> {
  await fx.save(job, failed(job, failure, fx.now()));
}
