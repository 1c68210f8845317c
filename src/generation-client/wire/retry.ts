import { backoff } from '../../base/backoff.ts';
import type { GenerationError } from './errors.ts';

/** `look` is a status call: its repetition belongs to whoever schedules the looks, not to the client. */
export type CallKind = 'run' | 'look' | 'read' | 'mutation';

export type RetryLimits = {
  attempts: Record<CallKind, number>;
  baseMs: number;
  capMs: number;
  /** A longer Retry-After is not waited for in memory; the error goes up and carries it. */
  patienceMs: number;
};

export const defaultRetryLimits: RetryLimits = {
  attempts: { run: 3, look: 1, read: 4, mutation: 3 },
  baseMs: 250,
  capMs: 8000,
  patienceMs: 10_000,
};

/** An hour: whatever a service asks for, nothing waits longer on its word. */
const longestRetryAfterMs = 3_600_000;

/** Whether the very same call may be made again without any risk of doing (and paying) something twice. */
function mayRepeat(call: CallKind, error: GenerationError): boolean {
  if (error.kind === 'unreachable' || error.kind === 'rate-limited')
    return !error.mayHaveArrived || isRepeatable(call);
  return isRepeatable(call) && (error.kind === 'unavailable' || error.kind === 'bad-response');
}

export const isRepeatable = (call: CallKind): boolean => call === 'read' || call === 'look';

/** Full jitter: spreads a crowd that failed together evenly over the whole interval. */
export function fullJitter(attempt: number, random: () => number, limits: RetryLimits): number {
  return random() * backoff(attempt, limits.baseMs, limits.capMs);
}

/** How long to wait before attempt number `attempt + 1` (the first is 0), or undefined: give up. */
export function delayBeforeRetry(
  call: CallKind,
  error: GenerationError,
  attempt: number,
  random: () => number,
  limits: RetryLimits = defaultRetryLimits,
): number | undefined {
  if (attempt + 1 >= limits.attempts[call] || !mayRepeat(call, error)) return undefined;
  const asked = error.retryAfterMs ?? 0;
  return asked > limits.patienceMs ? undefined : asked + fullJitter(attempt, random, limits);
}

/** Retry-After as seconds or as an HTTP date, bounded; undefined when absent or senseless. */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : httpDate(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(longestRetryAfterMs, Math.max(0, Math.ceil(ms)));
}

/** Date.parse also takes "-5" or "1.5 x" for dates; an HTTP date starts with a day's name. */
const httpDate = (text: string): number =>
  /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
