import { backoff } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';

export type Outage = 'unavailable' | 'credits' | 'credentials' | 'address';

export type Breaker = ReturnType<typeof createBreaker>;

/** Others try while one is not answered: it may be a matter of that job. */
export const LONGEST_PROBE_MS = 10_000;

/**
 * Stops calls that are bound to fail. Closed: all may pass. Open: none until a pause is over; then one at a time
 * tries it out, and the first success closes it again.
 */
export function createBreaker(options: {
  readonly clock: Clock;
  readonly random: () => number;
  /** Failures in a row that open it. */
  readonly threshold: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Called when `wouldAdmit` may have changed its answer. */
  readonly changed?: () => void;
}) {
  const { clock, random, threshold, firstPauseMs, longestPauseMs } = options;
  let failures = 0;
  let pauses = 0;
  let outage: Outage | undefined;
  let retryAt = 0;
  let probingUntil = 0;
  let passingUntil = 0;
  let succeededAt = Number.NEGATIVE_INFINITY;

  const pause = (): void => {
    const ceiling = backoff(pauses, firstPauseMs, longestPauseMs);
    pauses += 1;
    // Half of it is certain, half is drawn: several processes do not probe in step.
    retryAt = Math.max(retryAt, clock.now() + ceiling * (0.5 + random() / 2));
  };
  const isPassing = (): boolean => outage !== undefined && clock.now() < passingUntil;
  const wouldAdmit = (): boolean => {
    const now = clock.now();
    if (isPassing()) return true;
    return now >= retryAt && (outage === undefined || now >= probingUntil);
  };

  return {
    /** The same question without becoming the probe. */
    wouldAdmit,
    isPassing,
    /** Whether a call may be made now. In an outage, yes means: you are the probe, report how it went. */
    admit(): boolean {
      if (!wouldAdmit()) return false;
      if (outage !== undefined && !isPassing()) probingUntil = clock.now() + LONGEST_PROBE_MS;
      return true;
    },
    succeeded(): void {
      failures = 0;
      pauses = 0;
      probingUntil = 0;
      succeededAt = clock.now();
      retryAt = outage === undefined ? retryAt : 0;
      outage = undefined;
      options.changed?.();
    },
    /** `begunAt`: when the call began. One that began before the last success says nothing about the service. */
    failed(reason: Outage, begunAt = Number.POSITIVE_INFINITY): void {
      probingUntil = 0;
      if (begunAt < succeededAt) return void options.changed?.();
      failures += 1;
      if (failures < threshold && outage === undefined) return;
      outage = reason;
      // Calls that were under way when it opened fail too: they do not lengthen the pause.
      if (clock.now() >= retryAt) pause();
      options.changed?.();
    },
    /** For a while all calls pass although the outage lasts: something else has shown that the service answers. */
    letPass(ms: number): void {
      passingUntil = clock.now() + ms;
      probingUntil = 0;
      options.changed?.();
    },
    /** The call was not made, or says nothing about the service: the next one may probe. */
    undecided(): void {
      probingUntil = 0;
      options.changed?.();
    },
    /** Lets nothing pass for a while, as the service asked; that is no outage. */
    rest(ms: number): void {
      retryAt = Math.max(retryAt, clock.now() + ms);
      probingUntil = 0;
      options.changed?.();
    },
    outage: (): Outage | undefined => outage,
    /** When a call may be tried again; undefined: now. */
    retryAt(): number | undefined {
      const at = Math.max(retryAt, outage === undefined ? 0 : probingUntil);
      return at > clock.now() ? at : undefined;
    },
  };
}
