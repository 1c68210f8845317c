import type { Clock } from '../clock.ts';
import { GenerationError } from '../generation-client/errors.ts';
import { type Breaker, createBreaker, type Outage } from './breaker.ts';

/**
 * The way to one half of the service. Lack of credits stops submissions alone: what runs already is paid for, and
 * looks at it go on.
 */
export interface Gate {
  maySubmit(): boolean;
  /** Takes the turn: `report` must follow. */
  admitSubmission(): boolean;
  admitLook(): boolean;
  /** How a call that was admitted ended; `undefined`: it succeeded, `null`: it was not made. */
  report(call: 'submission' | 'look', error: unknown): void;
  outage(): Outage | undefined;
  /** When it is worth trying again; undefined: now. */
  retryAt(): number | undefined;
}

export interface GateOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly changed?: () => void;
}

const UNAVAILABLE_AFTER = 5;
/** Short: after an outage results should be seen about as soon as without one. One call every few seconds harms nobody. */
const OUTAGE_PAUSES = { firstPauseMs: 1_000, longestPauseMs: 5_000 };
/** Only a person can end these. */
const OWNER_PAUSES = { firstPauseMs: 15_000, longestPauseMs: 60_000 };
const LONGEST_REST_MS = 60_000;

export function createGate(options: GateOptions): Gate {
  const service = createBreaker({ ...options, ...OUTAGE_PAUSES, threshold: UNAVAILABLE_AFTER });
  const account = createBreaker({ ...options, ...OWNER_PAUSES, threshold: 1 });

  return {
    maySubmit: () => service.wouldAdmit() && account.wouldAdmit(),
    admitSubmission() {
      if (!service.wouldAdmit() || !account.wouldAdmit()) return false;
      return service.admit() && account.admit();
    },
    admitLook: () => service.admit(),
    report(call, error) {
      if (call === 'look') reportTo(service, error);
      else reportSubmission(service, account, error);
    },
    outage: () => account.outage() ?? service.outage(),
    retryAt() {
      const times = [service.retryAt(), account.retryAt()].filter((at) => at !== undefined);
      return times.length === 0 ? undefined : Math.max(...times);
    },
  };
}

function reportSubmission(service: Breaker, account: Breaker, error: unknown): void {
  reportTo(service, error);
  if (error === undefined) return account.succeeded();
  if (error instanceof GenerationError) {
    if (error.kind === 'credits') return account.failed('credits');
    if (error.kind === 'unauthorized') return account.failed('credentials');
    if (error.kind === 'rate-limited') {
      account.rest(Math.min(LONGEST_REST_MS, error.retryAfterMs ?? 1_000));
      return;
    }
  }
  account.undecided();
}

/** Any answer at all shows that the service is there, a refusal included. */
function reportTo(service: Breaker, error: unknown): void {
  if (error === undefined) return service.succeeded();
  if (!(error instanceof GenerationError)) return service.undecided();
  switch (error.kind) {
    case 'unavailable':
    case 'unreachable':
    case 'unknown-outcome':
      return service.failed('unavailable');
    case 'rule':
    case 'aborted':
    case 'bad-response':
    case 'rate-limited':
      return service.undecided();
    default:
      return service.succeeded();
  }
}
