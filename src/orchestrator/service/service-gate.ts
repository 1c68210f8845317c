import type { Clock } from '../../base/clock.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import { type Breaker, createBreaker, LONGEST_PROBE_MS, type Outage } from './breaker.ts';

export type Gate = ReturnType<typeof createServiceGate>;

const UNAVAILABLE_AFTER = 5;
/** Fewer may be a matter of those jobs: one may cost more than is left. */
const ACCOUNT_AFTER = 3;
/** Short: after an outage results should be seen about as soon as without one. One call every few seconds does no harm. */
const OUTAGE_PAUSES = { firstPauseMs: 1_000, longestPauseMs: 5_000 };
/** Polls succeed, submissions do not: the outcome of each attempt is unknown. */
const SUBMISSION_PAUSES = { firstPauseMs: 1_000, longestPauseMs: 30_000 };
/** Only a person can end these. */
const OWNER_PAUSES = { firstPauseMs: 15_000, longestPauseMs: 60_000 };
/** Jobs in a row that are answered with 429. Fewer may be a matter of those jobs, which then wait alone. */
const BUSY_AFTER = 3;
/** The service takes no more for now. Each try costs a photo that is fetched and read anew. */
const BUSY_PAUSES = { firstPauseMs: 1_000, longestPauseMs: 5_000 };
const LONGEST_REST_MS = 60_000;
/** A call that took longer to fail was not answered at all. */
const HANG_MS = 5_000;
/** Before something harmless is asked again. */
const PASSING_MS = 5_000;
/** Longer than jobs rest between two tries. */
const MET_MS = 180_000;

/**
 * The way to what needs one of the credentials. Lack of credits stops submissions alone, and so does a service that takes none:
 * what runs already is paid for, and polls of it go on.
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
  /** No outage: those who wait stand in line as usual. */
  const busy = breaker(BUSY_PAUSES, 1);
  /** In an outage one at a time tries to submit. Polls try beside it: getting its photo may take it long. */
  let tryingUntil = 0;
  /** Jobs that were answered with 429 since the last one was taken; no more of them than matter. */
  const limited = new Set<string>();
  /** The polls that failed last were not answered. */
  let pollsHang = false;
  let metAt = Number.NEGATIVE_INFINITY;
  const all = [service, submissions, account, busy];
  const maySubmit = (): boolean => clock.now() >= tryingUntil && all.every((breaker) => breaker.wouldAdmit());
  const outage = (): Outage | undefined => account.outage() ?? submissions.outage() ?? service.outage();

  return {
    maySubmit,
    /** Takes the turn: `report` must follow. */
    admitSubmission(): boolean {
      if (!maySubmit()) return false;
      tryingUntil = outage() === undefined ? 0 : clock.now() + LONGEST_PROBE_MS;
      return submissions.admit() && account.admit() && busy.admit();
    },
    /**
     * `probe`: no poll was answered lately, which may be a matter of those jobs. Something harmless is to be asked first, and
     * `report` must follow.
     */
    admitPoll(): 'yes' | 'no' | 'probe' {
      if (service.outage() !== undefined && pollsHang && !service.isPassing())
        return service.admit() ? 'probe' : 'no';
      return service.admit() ? 'yes' : 'no';
    },
    /** What was asked before a poll was answered: polls may pass for a while. */
    letPollsPass: (): void => service.letPass(PASSING_MS),
    /**
     * How a call that was admitted ended; `undefined`: it succeeded, `null`: it was not made. `probe`: one that came to
     * nothing instead of a submission. `begunAt`: when it began. `job`: whose submission it was.
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
      }
      if (error !== undefined && error !== null && outage() !== undefined) metAt = clock.now();
    },
    /** What keeps submissions from being made. */
    outage,
    /** The same if a call has met it lately. Without jobs there are no calls, so it may have ended since. */
    outageMet: (): Outage | undefined => (clock.now() < metAt + MET_MS ? outage() : undefined),
    /** One at a time tries to submit: there is an outage, or the service takes no more for now. */
    isTrial: (): boolean => outage() !== undefined || busy.outage() !== undefined,
    /** What keeps polls from being made. */
    pollOutage: service.outage,
    /** When it is worth trying again; undefined: now. */
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
/** These say nothing about the service's health. */
const NEUTRAL_KINDS: readonly unknown[] = ['rule', 'aborted', 'bad-response', 'rate-limited'];

const isOutage = (error: unknown): boolean =>
  error instanceof GenerationError && OUTAGE_KINDS.includes(error.kind);

/** Something other than the service answered for a list. A single garbled poll may be a matter of that job. */
export const isNoAnswer = (error: unknown): boolean =>
  isOutage(error) || (error instanceof GenerationError && error.kind === 'bad-response');

const reasonOf = (error: unknown): Outage =>
  error instanceof GenerationError && error.kind === 'redirected' ? 'address' : 'unavailable';

/** Any other answer shows that the service is there, a refusal included. */
function reportTo(service: Breaker, error: unknown, begunAt?: number): void {
  const kind = error instanceof GenerationError ? error.kind : undefined;
  if (isOutage(error)) service.failed(reasonOf(error), begunAt);
  else if (error !== undefined && (kind === undefined || NEUTRAL_KINDS.includes(kind))) service.undecided();
  else service.succeeded();
}
