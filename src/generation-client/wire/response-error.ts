import { parseJson } from '../../base/parse-json.ts';
import type { Assumptions } from './assumptions.ts';
import { GenerationError, type GenerationErrorKind, InvalidResponse, UnusableResult } from './errors.ts';
import { ExchangeFailure, type ResponseHead } from './exchange.ts';
import { plainText } from './plain-text.ts';
import { type CallKind, parseRetryAfter } from './retry.ts';

const CODE_SHAPE = /^[A-Za-z0-9_.:-]{1,64}$/;
const CONTAINERS = ['error', 'detail', 'errors', 'data'];
const MOST_LEVELS = 4;

/**
 * Reads an error body. The interface does not document error bodies, so any is accepted: JSON of some framework, a list of
 * findings, plain text, a gateway's HTML page, nothing.
 */
function readErrorBody(body: Buffer, fields: Assumptions['errorBody'], secrets: readonly string[]) {
  const text = body.toString('utf8');
  const parsed = parseJson(text);
  if (parsed === undefined) return { code: undefined, detail: plainText(text, secrets) || undefined };
  const code = findCode(parsed, fields.code, 0);
  const detail = describe(parsed, fields.detail, 0);
  return {
    code: code === undefined || secrets.includes(code) ? undefined : code,
    detail: plainText(detail, secrets) || undefined,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function findCode(value: unknown, names: readonly string[], depth: number): string | undefined {
  if (depth > MOST_LEVELS) return undefined;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 10)) {
      const found = findCode(item, names, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const name of names) {
    const candidate = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof candidate === 'string' && CODE_SHAPE.test(candidate)) return candidate;
  }
  for (const name of CONTAINERS) {
    const found = Object.hasOwn(value, name) ? findCode(value[name], names, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  // Some services send the code in place of a message: {"error": "FILTER_NOT_FOUND"}.
  const error = Object.hasOwn(value, 'error') ? value.error : undefined;
  return typeof error === 'string' && /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(error) ? error : undefined;
}

function describe(value: unknown, names: readonly string[], depth: number): string {
  if (typeof value === 'string') return value.slice(0, 5000);
  if (depth > MOST_LEVELS) return '';
  if (Array.isArray(value)) {
    const parts = value.slice(0, 5).map((item) => describe(item, names, depth + 1));
    return parts.filter((part) => part !== '').join('; ');
  }
  if (!isObject(value)) return '';
  for (const name of names) {
    const text = Object.hasOwn(value, name) ? describe(value[name], names, depth + 1) : '';
    if (text !== '') return text;
  }
  // Some frameworks list findings by field: {"prompt": ["This field is required."]}.
  const byField = Object.entries(value)
    .filter(([, findings]) => Array.isArray(findings) && findings.every((item) => typeof item === 'string'))
    .slice(0, 5)
    .map(([field, findings]) => `${field.slice(0, 50)}: ${describe(findings, names, depth + 1)}`);
  return byField.join('; ');
}

const KINDS = new Map<number, GenerationErrorKind>([
  [401, 'unauthorized'],
  [402, 'credits'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [408, 'unavailable'],
  [410, 'not-found'],
  [429, 'rate-limited'],
]);

const hasSideEffects = (call: CallKind): boolean => call === 'run' || call === 'mutation';

/** Makes the error of a response whose status is not a success. */
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
    // Any 5xx and a 408 may hide an accepted job: a proxy may have answered. 303 says that the request was processed and that
    // its answer is elsewhere.
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
  // The status was a success, so the service has probably acted on the request.
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
