import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';

/**
 * Why the service cannot be used: it does not answer, the account has no credits, the credentials are wrong, or the address is.
 */
export type OutageReason = 'unavailable' | 'credits' | 'credentials' | 'address';

/** A circuit breaker, see `createBreaker`. */
export type Breaker = ReturnType<typeof createBreaker>;

/** After this time another call may probe although the last probe was not answered: the cause may be that one job. */
export const LONGEST_PROBE_MS = 10_000;

/**
 * A circuit breaker. Closed: all calls pass. Open: no call passes until a pause is over; then one call at a time probes the
 * service, and the first success closes the breaker.
 */
export function createBreaker(options: {
  readonly clock: Clock;
  readonly random: () => number;
  /** How many failures in a row open the breaker. */
  readonly threshold: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Called when `wouldAdmit` may have changed its answer. */
  readonly changed?: () => void;
}) {
  const { clock, random, threshold, firstPauseMs, longestPauseMs } = options;
  let failures = 0;
  let pauses = 0;
  let outage: OutageReason | undefined;
  let retryAt = 0;
  let probingUntil = 0;
  let passingUntil = 0;
  let succeededAt = Number.NEGATIVE_INFINITY;

  const pause = (): void => {
    const ceiling = backoff(pauses, firstPauseMs, longestPauseMs);
    pauses += 1;
    // Half of the pause is fixed and half random, so that several processes do not probe at the same moment.
    retryAt = Math.max(retryAt, clock.now() + ceiling * (0.5 + random() / 2));
  };
  const isPassing = (): boolean => outage !== undefined && clock.now() < passingUntil;
  const wouldAdmit = (): boolean => {
    const now = clock.now();
    if (isPassing()) return true;
    return now >= retryAt && (outage === undefined || now >= probingUntil);
  };

  return {
    /** Like `admit`, but without starting a probe. */
    wouldAdmit,
    isPassing,
    /**
     * Whether a call may be made now. During an outage, true makes the caller's call the probe, whose outcome must be reported.
     */
    admit(): boolean {
      if (!wouldAdmit()) return false;
      if (outage !== undefined && !isPassing()) probingUntil = clock.now() + LONGEST_PROBE_MS;
      return true;
    },
    succeeded(): void {
      const wasClosed = outage === undefined;
      failures = 0;
      pauses = 0;
      probingUntil = 0;
      succeededAt = clock.now();
      // Nearly all calls succeed while the breaker is closed, and change nothing that `changed` is for.
      if (wasClosed) return;
      retryAt = 0;
      outage = undefined;
      options.changed?.();
    },
    /**
     * Reports a failed call. A call that began (`begunAt`) before the last success says nothing about the service's present
     * state.
     */
    failed(reason: OutageReason, begunAt = Number.POSITIVE_INFINITY): void {
      probingUntil = 0;
      if (begunAt < succeededAt) return void options.changed?.();
      failures += 1;
      if (failures < threshold && outage === undefined) return;
      outage = reason;
      // Calls that were under way when the breaker opened fail as well; they do not lengthen the pause.
      if (clock.now() >= retryAt) pause();
      options.changed?.();
    },
    /** Lets all calls pass for a while during an outage, after something else has shown that the service answers. */
    letPass(ms: number): void {
      passingUntil = clock.now() + ms;
      probingUntil = 0;
      options.changed?.();
    },
    /** Reports a call that was not made, or whose outcome says nothing about the service: the next call may probe. */
    undecided(): void {
      probingUntil = 0;
      options.changed?.();
    },
    /** Lets no call pass for a while, as the service asked for; this is no outage. */
    rest(ms: number): void {
      retryAt = Math.max(retryAt, clock.now() + ms);
      probingUntil = 0;
      options.changed?.();
    },
    outage: (): OutageReason | undefined => outage,
    /** When a call may be made again; undefined: now. */
    retryAt(): number | undefined {
      const at = Math.max(retryAt, outage === undefined ? 0 : probingUntil);
      return at > clock.now() ? at : undefined;
    },
  };
}
