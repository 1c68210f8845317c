import type { Assumptions } from './assumptions.ts';
import { readErrorBody } from './error-body.ts';
import { GenerationError, type GenerationErrorKind } from './errors.ts';
import { ExchangeFailure, type ResponseHead } from './exchange.ts';
import { InvalidResponse, UnusableResult } from './invalid-response.ts';
import { type CallKind, parseRetryAfter } from './retry.ts';

const KINDS = new Map<number, GenerationErrorKind>([
  [401, 'unauthorized'],
  [402, 'credits'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [408, 'unavailable'],
  [410, 'not-found'],
  [429, 'rate-limited'],
]);

function hasSideEffects(call: CallKind): boolean {
  return call === 'run' || call === 'mutation';
}

/** The error of a response without success status. */
export function errorOfStatus(
  endpoint: string,
  head: ResponseHead,
  body: Buffer,
  fields: Assumptions['errorBody'],
  secrets: readonly string[],
  now: number,
): GenerationError {
  const { status } = head;
  const { code, detail } = readErrorBody(body, fields, secrets);
  const rest = status < 400 ? 'redirected' : 'refused';
  const kind = KINDS.get(status) ?? (status >= 500 ? 'unavailable' : rest);
  const words = [code, detail].filter((word) => word !== undefined).join(': ');
  const redirect = kind === 'redirected' ? 'a redirect (is the base URL right?)' : '';
  return new GenerationError({
    kind,
    endpoint,
    message: `HTTP ${status}${words || redirect ? ` ${words || redirect}` : ''}`,
    status,
    code,
    detail,
    retryAfterMs: parseRetryAfter(head.retryAfter, now),
    // A 500, 502 or 504 may hide an accepted job. 303 says that the request was processed and its answer is elsewhere.
    mayHaveArrived: kind === 'unavailable' || status === 303,
  });
}

/** Turns any failure of an attempt into a GenerationError. */
export function errorOfFailure(endpoint: string, call: CallKind, failure: unknown): GenerationError {
  if (failure instanceof GenerationError) return failure;
  if (failure instanceof ExchangeFailure) {
    const kind = kindOfExchangeFailure(call, failure);
    const message = `${failure.reason === 'timeout' ? 'timed out' : 'no answer'} (${failure.message})`;
    return new GenerationError({ kind, endpoint, message, mayHaveArrived: failure.sent });
  }
  // The status was a success, so the service has probably acted.
  const read = failure instanceof UnusableResult ? 'unusable-result' : 'bad-response';
  const kind = hasSideEffects(call) ? 'unknown-outcome' : read;
  const message = failure instanceof InvalidResponse ? failure.message : 'the answer could not be read';
  return new GenerationError({ kind, endpoint, message, mayHaveArrived: true });
}

function kindOfExchangeFailure(call: CallKind, failure: ExchangeFailure): GenerationErrorKind {
  if (failure.reason === 'aborted') return 'aborted';
  if (!failure.sent) return 'unreachable';
  return hasSideEffects(call) ? 'unknown-outcome' : 'unavailable';
}
