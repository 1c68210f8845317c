import { backoff } from '../../base/backoff.ts';
import type { GenerationError } from './errors.ts';

/** `poll` is a status call; the caller schedules its repetition. */
export type CallKind = 'run' | 'poll' | 'read' | 'mutation';

const RETRY_LIMITS = {
  attempts: { run: 3, poll: 1, read: 4, mutation: 3 },
  baseMs: 250,
  capMs: 8000,
  /** A longer Retry-After is left to the caller: the error carries it. */
  maxRetryAfterMs: 10_000,
};

/** A longer Retry-After counts as an hour. */
const RETRY_AFTER_CAP_MS = 3_600_000;

/** Whether a repetition cannot do (and charge for) something twice. */
function mayRepeat(call: CallKind, error: GenerationError): boolean {
  if (error.kind === 'unreachable' || error.kind === 'rate-limited')
    return !error.mayHaveArrived || isRepeatable(call);
  return isRepeatable(call) && (error.kind === 'unavailable' || error.kind === 'bad-response');
}

export const isRepeatable = (call: CallKind): boolean => call === 'read' || call === 'poll';

/** Full jitter: spreads calls that failed together over the whole interval. */
export const fullJitter = (attempt: number, random: () => number): number =>
  random() * backoff(attempt, RETRY_LIMITS.baseMs, RETRY_LIMITS.capMs);

/** The delay before attempt `attempt + 1` (the first is 0); undefined: give up. */
export function delayBeforeRetry(
  call: CallKind,
  error: GenerationError,
  attempt: number,
  random: () => number,
): number | undefined {
  if (attempt + 1 >= RETRY_LIMITS.attempts[call] || !mayRepeat(call, error)) return undefined;
  const asked = error.retryAfterMs ?? 0;
  return asked > RETRY_LIMITS.maxRetryAfterMs ? undefined : asked + fullJitter(attempt, random);
}

/** Retry-After as seconds or as an HTTP date, bounded; undefined when absent or invalid. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : httpDate(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(RETRY_AFTER_CAP_MS, Math.max(0, Math.ceil(ms)));
}

/** Date.parse also takes "-5" or "1.5 x" for dates; an HTTP date starts with a day's name. */
const httpDate = (text: string): number =>
  /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
