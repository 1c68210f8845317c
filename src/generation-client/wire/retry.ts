import { backoff } from '../../base/backoff.ts';
import type { GenerationError } from './errors.ts';

/** Kinds of calls by how they may be retried. `poll` is a status call, whose retries the caller schedules. */
export type CallKind = 'run' | 'poll' | 'read' | 'mutation';

const RETRY_LIMITS = {
  attempts: { run: 3, poll: 1, read: 4, mutation: 3 },
  baseMs: 250,
  capMs: 8000,
  /** A longer Retry-After is not waited for here: the error carries it to the caller. */
  maxRetryAfterMs: 10_000,
};

/** A longer Retry-After counts as an hour. */
const RETRY_AFTER_CAP_MS = 3_600_000;

/** Whether a retry is safe: it cannot do (and charge for) something twice. */
function mayRepeat(call: CallKind, error: GenerationError): boolean {
  if (error.kind === 'unreachable' || error.kind === 'rate-limited')
    return !error.mayHaveArrived || isRepeatable(call);
  return isRepeatable(call) && (error.kind === 'unavailable' || error.kind === 'bad-response');
}

/** Whether calls of this kind are idempotent. */
export const isRepeatable = (call: CallKind): boolean => call === 'read' || call === 'poll';

/** Backoff with full jitter, which spreads calls that failed together over the whole interval. */
export const backoffWithFullJitter = (attempt: number, random: () => number): number =>
  random() * backoff(attempt, RETRY_LIMITS.baseMs, RETRY_LIMITS.capMs);

/** The delay before attempt `attempt + 1` (the first is 0); undefined: no further retry. */
export function delayBeforeRetry(
  call: CallKind,
  error: GenerationError,
  attempt: number,
  random: () => number,
): number | undefined {
  if (attempt + 1 >= RETRY_LIMITS.attempts[call] || !mayRepeat(call, error)) return undefined;
  const asked = error.retryAfterMs ?? 0;
  return asked > RETRY_LIMITS.maxRetryAfterMs ? undefined : asked + backoffWithFullJitter(attempt, random);
}

/** Parses Retry-After, given as seconds or as an HTTP date, to bounded ms; undefined when absent or invalid. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : httpDate(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(RETRY_AFTER_CAP_MS, Math.max(0, Math.ceil(ms)));
}

/** Parses an HTTP date, which starts with a day's name: Date.parse alone accepts "-5" or "1.5 x" as dates. */
const httpDate = (text: string): number =>
  /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
