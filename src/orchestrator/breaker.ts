import type { Clock } from '../clock.ts';

export type Outage = 'unavailable' | 'credits' | 'credentials' | 'address';

/**
 * Stops calls that are bound to fail. Closed: all may pass. Open: none until a pause is over; then one at a time
 * tries it out, and the first success closes it again.
 */
export interface Breaker {
  /** Whether a call may be made now. In an outage, yes means: you are the probe, report how it went. */
  admit(): boolean;
  /** The same question without becoming the probe. */
  wouldAdmit(): boolean;
  succeeded(): void;
  failed(reason: Outage): void;
  /** The call was not made, or says nothing about the service: the next one may probe. */
  undecided(): void;
  /** Lets nothing pass for a while, as the service asked; that is no outage. */
  rest(ms: number): void;
  outage(): Outage | undefined;
  /** When a call may be tried again; undefined: now. */
  retryAt(): number | undefined;
}

export interface BreakerOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** Failures in a row that open it. */
  readonly threshold: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Called when `wouldAdmit` may have changed its answer. */
  readonly changed?: () => void;
}

export function createBreaker(options: BreakerOptions): Breaker {
  const { clock, random, threshold, firstPauseMs, longestPauseMs } = options;
  let failures = 0;
  let pauses = 0;
  let outage: Outage | undefined;
  let retryAt = 0;
  let probing = false;

  const pause = (): void => {
    const ceiling = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(pauses, 20));
    pauses += 1;
    // Half of it is certain, half is drawn: several processes do not probe in step.
    retryAt = Math.max(retryAt, clock.now() + ceiling * (0.5 + random() / 2));
  };
  const wouldAdmit = (): boolean => clock.now() >= retryAt && (outage === undefined || !probing);

  return {
    wouldAdmit,
    admit() {
      if (!wouldAdmit()) return false;
      if (outage !== undefined) probing = true;
      return true;
    },
    succeeded() {
      failures = 0;
      pauses = 0;
      probing = false;
      retryAt = outage === undefined ? retryAt : 0;
      outage = undefined;
      options.changed?.();
    },
    failed(reason) {
      failures += 1;
      probing = false;
      if (failures < threshold && outage === undefined) return;
      outage = reason;
      // Calls that were under way when it opened fail too: they do not lengthen the pause.
      if (clock.now() >= retryAt) pause();
      options.changed?.();
    },
    undecided() {
      probing = false;
      options.changed?.();
    },
    rest(ms) {
      retryAt = Math.max(retryAt, clock.now() + ms);
      probing = false;
      options.changed?.();
    },
    outage: () => outage,
    retryAt: () => (retryAt > clock.now() ? retryAt : undefined),
  };
}
