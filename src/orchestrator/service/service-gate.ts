import type { Clock } from '../../base/clock.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import { type Breaker, createBreaker, LONGEST_PROBE_MS, type OutageReason } from './breaker.ts';

/** Decides which calls to the service may be made, see `createServiceGate`. */
export type Gate = ReturnType<typeof createServiceGate>;

const UNAVAILABLE_AFTER = 5;
/** Fewer failures may be caused by the jobs: one may cost more credits than are left. */
const ACCOUNT_AFTER = 3;
/** Short pauses, so that results are seen soon after an outage. One call every few seconds does no harm. */
const OUTAGE_PAUSES = { firstPauseMs: 1_000, longestPauseMs: 5_000 };
/** Longer pauses for when polls succeed and submissions do not, because the outcome of each attempt is unknown. */
const SUBMISSION_PAUSES = { firstPauseMs: 1_000, longestPauseMs: 30_000 };
/** Pauses of outages that only the owner can end. */
const OWNER_PAUSES = { firstPauseMs: 15_000, longestPauseMs: 60_000 };
/**
 * How many jobs in a row must be answered with 429 before all wait. Fewer may be caused by those jobs, which then wait alone.
 */
const BUSY_AFTER = 3;
/** Pauses while the service answers with 429. Each retry costs a photo that is fetched and decoded again. */
const BUSY_PAUSES = { firstPauseMs: 1_000, longestPauseMs: 5_000 };
const LONGEST_REST_MS = 60_000;
/** A call that took longer to fail than this counts as not answered at all. */
const HANG_MS = 5_000;
/** After a successful probe, polls pass for this time before the next one. */
const PASSING_MS = 5_000;
/** For how long an outage counts as met lately; longer than jobs rest between two tries. */
const MET_MS = 180_000;

/**
 * Circuit breakers for the calls that use one of the credentials. Lack of credits, and a service that accepts no submissions,
 * stop submissions alone: jobs that run are paid for, so their polls continue.
 */
export function createServiceGate(options: {
  readonly clock: Clock;
  readonly random: () => number;
  readonly changed?: () => void;
}) {
  const { clock } = options;
  const breaker = (pauses: typeof OUTAGE_PAUSES, threshold: number): Breaker =>
    createBreaker({ ...options, ...pauses, threshold });
  const service = breaker(OUTAGE_PAUSES, UNAVAILABLE_AFTER);
  const submissions = breaker(SUBMISSION_PAUSES, UNAVAILABLE_AFTER);
  const account = breaker(OWNER_PAUSES, ACCOUNT_AFTER);
  /** Opens when the service is busy (429). That is no outage: jobs wait in line as usual. */
  const busy = breaker(BUSY_PAUSES, 1);
  /**
   * During an outage one submission at a time is tried, until this time. Polls probe independently, because fetching the photo
   * of that submission may take long.
   */
  let tryingUntil = 0;
  /** Jobs that were answered with 429 since the last one was accepted; at most `BUSY_AFTER`. */
  const limited = new Set<string>();
  /** Whether the latest failed poll was not answered at all. */
  let pollsHang = false;
  let metAt = Number.NEGATIVE_INFINITY;
  const all = [service, submissions, account, busy];
  const maySubmit = (): boolean => clock.now() >= tryingUntil && all.every((breaker) => breaker.wouldAdmit());
  const outage = (): OutageReason | undefined => account.outage() ?? submissions.outage() ?? service.outage();

  return {
    maySubmit,
    /** Admits one submission; `report` must follow. */
    admitSubmission(): boolean {
      if (!maySubmit()) return false;
      tryingUntil = outage() === undefined ? 0 : clock.now() + LONGEST_PROBE_MS;
      return submissions.admit() && account.admit() && busy.admit();
    },
    /**
     * Whether a poll may be made. `probe`: no poll was answered lately, which may be caused by those jobs, so a harmless call
     * must be made first and reported with `report` or `letPollsPass`.
     */
    admitPoll(): 'yes' | 'no' | 'probe' {
      if (service.outage() !== undefined && pollsHang && !service.isPassing())
        return service.admit() ? 'probe' : 'no';
      return service.admit() ? 'yes' : 'no';
    },
    /** Reports that the probe before a poll was answered: polls may pass for a while. */
    letPollsPass: (): void => service.letPass(PASSING_MS),
    /**
     * Reports how an admitted call ended. `error`: undefined if it succeeded, null if it was not made. `call`: `probe` is a
     * failed harmless call that was made instead of a submission. `begunAt`: when the call began. `job`: whose submission it
     * was.
     */
    report(call: 'submission' | 'poll' | 'probe', error: unknown, begunAt?: number, job = ''): void {
      if (call === 'poll' && isOutage(error)) pollsHang = clock.now() - (begunAt ?? clock.now()) >= HANG_MS;
      if (call === 'probe') service.failed(reasonOf(error));
      else reportTo(service, error, begunAt);
      if (call !== 'poll') {
        tryingUntil = 0;
        reportTo(submissions, call === 'probe' ? null : error, begunAt);
        reportToAccount(account, error);
        reportBusy(busy, limited, error, job);
        options.changed?.();
      }
      if (error !== undefined && error !== null && outage() !== undefined) metAt = clock.now();
    },
    /** The outage that keeps submissions from being made. */
    outage,
    /** The outage, if a call has met it lately: without jobs there are no calls, so it may have ended since. */
    outageMet: (): OutageReason | undefined => (clock.now() < metAt + MET_MS ? outage() : undefined),
    /** Whether only one submission at a time is tried, because there is an outage or the service is busy. */
    isTrial: (): boolean => outage() !== undefined || busy.outage() !== undefined,
    /** The outage that keeps polls from being made. */
    pollOutage: service.outage,
    /** When to try a submission again; undefined: now. */
    retryAt(): number | undefined {
      const trying = tryingUntil > clock.now() ? tryingUntil : undefined;
      const times = [trying, ...all.map((breaker) => breaker.retryAt())].filter((at) => at !== undefined);
      return times.length === 0 ? undefined : Math.max(...times);
    },
  };
}

function reportToAccount(account: Breaker, error: unknown): void {
  const kind = error instanceof GenerationError ? error.kind : undefined;
  if (error === undefined) account.succeeded();
  else if (kind === 'credits') account.failed('credits');
  else if (kind === 'unauthorized') account.failed('credentials');
  else if (kind === 'redirected') account.failed('address');
  else account.undecided();
}

function reportBusy(busy: Breaker, limited: Set<string>, error: unknown, job: string): void {
  const kind = error instanceof GenerationError ? error.kind : undefined;
  if (error instanceof GenerationError && kind === 'rate-limited') {
    if (limited.size < BUSY_AFTER) limited.add(job);
    if (limited.size < BUSY_AFTER) busy.undecided();
    else {
      busy.failed('unavailable');
      busy.rest(Math.min(LONGEST_REST_MS, error.retryAfterMs ?? 0));
    }
  } else if (error === undefined || kind === 'refused') {
    limited.clear();
    busy.succeeded();
  } else busy.undecided();
}

const OUTAGE_KINDS: readonly unknown[] = ['unavailable', 'unreachable', 'unknown-outcome', 'redirected'];
/** Errors that say nothing about the service's health. */
const NEUTRAL_KINDS: readonly unknown[] = ['rule', 'aborted', 'bad-response', 'rate-limited'];

const isOutage = (error: unknown): boolean =>
  error instanceof GenerationError && OUTAGE_KINDS.includes(error.kind);

/**
 * Whether an answer shows that the service is not there, or that something else answers in its place. For a poll a garbled
 * answer does not count: it may be caused by that job.
 */
export const isNoAnswer = (error: unknown): boolean =>
  isOutage(error) || (error instanceof GenerationError && error.kind === 'bad-response');

const reasonOf = (error: unknown): OutageReason =>
  error instanceof GenerationError && error.kind === 'redirected' ? 'address' : 'unavailable';

/** Reports a call's outcome to a breaker. Any answer of the service counts as success, a refusal included. */
function reportTo(service: Breaker, error: unknown, begunAt?: number): void {
  const kind = error instanceof GenerationError ? error.kind : undefined;
  if (isOutage(error)) service.failed(reasonOf(error), begunAt);
  else if (error !== undefined && (kind === undefined || NEUTRAL_KINDS.includes(kind))) service.undecided();
  else service.succeeded();
}
