/** The part of a request that a user must change so that the service accepts it. */
export type ServiceRefusalReason =
  | 'filter-unknown'
  | 'filter-unfit'
  | 'filter-broken'
  | 'photo-unreadable'
  | 'photo-too-large'
  | 'options-unfit';

const BY_CODE = new Map<string, ServiceRefusalReason>([
  ['INVALID_IMAGE', 'photo-unreadable'],
  ['FILTER_NOT_FOUND', 'filter-unknown'],
  ['FILTER_BLOCKED', 'filter-unfit'],
  // The code is assumed: the interface describes this error without its code.
  ['FILTER_TYPE_MISMATCH', 'filter-unfit'],
  ['WORKFLOW_FETCH_FAILED', 'filter-broken'],
  ['INVALID_QUALITY_MODE', 'options-unfit'],
  ['INVALID_ASPECT_RATIO_FOR_MODEL', 'options-unfit'],
  ['INVALID_VIDEO_MODEL', 'options-unfit'],
]);

/** Thrown by a sink for a response body that cannot be used; becomes a `GenerationError`. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

/** Thrown if the job has a result that cannot be used, so that polling longer is pointless. */
export class UnusableResult extends InvalidResponse {}

export const GENERATION_ERROR_KINDS = [
  /** The request breaks a rule of the interface; nothing was sent. */
  'rule',
  /** The service rejected this request. */
  'refused',
  'unauthorized',
  'credits',
  'not-found',
  'rate-limited',
  /** The service or the connection fails; a read may be retried. */
  'unavailable',
  /** A redirect: the address is wrong, or a proxy wants a login. */
  'redirected',
  /** The request cannot have arrived: refused connection, DNS, connect timeout. */
  'unreachable',
  /** The request was sent and no usable response came back. Never retried automatically. */
  'unknown-outcome',
  /** The response to a read is not what the interface describes. */
  'bad-response',
  /** A poll returned `completed` without a readable result. */
  'unusable-result',
  /** Cancelled by the caller. */
  'aborted',
] as const;
/** The kinds of failures that callers must distinguish. */
export type GenerationErrorKind = (typeof GENERATION_ERROR_KINDS)[number];

interface GenerationErrorFields {
  kind: GenerationErrorKind;
  /** Name of the endpoint or list, never a URL. */
  endpoint: string;
  /** Plain words for the log, free of credentials. */
  message: string;
  status?: number | undefined;
  /** The service's `error_code`. */
  code?: string | undefined;
  /** The service's own words: bounded, plain text. */
  detail?: string | undefined;
  retryAfterMs?: number | undefined;
  /** Whether the service may have acted on (and charged for) the request. */
  mayHaveArrived: boolean;
}

/** The only error that calls of the service reject with. */
export class GenerationError extends Error {
  override readonly name = 'GenerationError';
  readonly kind: GenerationErrorKind;
  readonly endpoint: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly mayHaveArrived: boolean;
  /** The part of the request that the user must change, if known. */
  readonly reason: ServiceRefusalReason | undefined;

  // The error has no `cause`: errors of the HTTP library can hold the request with its headers, and loggers print causes.
  constructor(fields: GenerationErrorFields) {
    super(`${fields.endpoint}: ${fields.message}`);
    this.kind = fields.kind;
    this.endpoint = fields.endpoint;
    this.status = fields.status;
    this.code = fields.code;
    this.detail = fields.detail;
    this.retryAfterMs = fields.retryAfterMs;
    this.mayHaveArrived = fields.mayHaveArrived;
    this.reason =
      BY_CODE.get(fields.code?.toUpperCase() ?? '') ??
      (fields.status === 413 ? 'photo-too-large' : undefined);
  }
}

/** Makes the error for a request that breaks a rule of the interface; nothing was sent. */
export const ruleError = (endpoint: string, rule: string): GenerationError =>
  new GenerationError({ kind: 'rule', endpoint, message: rule, detail: rule, mayHaveArrived: false });
