import { setTimeout as wait } from 'node:timers/promises';
import type { Assumptions } from './assumptions.ts';
import { errorSink } from './body-sinks.ts';
import { GenerationError } from './errors.ts';
import { type BodySink, type Exchange, exchange, type ResponseHead } from './exchange.ts';
import type { RequestBody } from './request-body.ts';
import { errorOfFailure, errorOfStatus } from './response-error.ts';
import { type CallKind, delayBeforeRetry, isRepeatable } from './retry.ts';
import { DEFAULT_TIMEOUTS, type Lane, openPools, type Timeouts } from './transport.ts';

/** The purpose of a call, which decides when its turn comes. */
export interface Purpose {
  lane: Lane;
  /** The person and the community that asked for the call: askers take turns. */
  askers?: readonly string[] | undefined;
}

/** Rate limit: every HTTP attempt runs through it and waits for its turn. */
export type Pace = <T>(lane: Lane, attempt: () => Promise<T>, askers?: readonly string[]) => Promise<T>;

/** Callbacks that store durably whether a call may have arrived, before that changes. */
export interface CallRecord {
  /** Called before an attempt is sent; false cancels the attempt. */
  ready: () => Promise<boolean>;
  /** Called after an attempt of which nothing has arrived; the next one follows after a pause. */
  unsent: () => Promise<void>;
}

/** One call to the service with all that its attempts need. */
export interface Call<T> extends Purpose {
  /** Name of the endpoint in error messages. */
  endpoint: string;
  kind: CallKind;
  method: Exchange<T>['method'];
  path: string;
  credentials: 'key' | 'token';
  body?: string | RequestBody | undefined;
  /** Called when the body was sent. Its photos are released then, so the call is not retried after that. */
  bodySent?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
  reserve?: Exchange<T>['reserve'];
  record?: CallRecord | undefined;
  /** Makes the sink that reads the body of a successful response. */
  read: (head: ResponseHead) => BodySink<T>;
}

/** Makes a call with retries. */
export type SendCall = <T>(call: Call<T>) => Promise<T>;

/** Address, credentials and limits of the connections to the service. */
export interface ConnectionOptions {
  baseUrl: string;
  /** The API key, for face swap, group swap and the catalogs. */
  apiKey?: string | undefined;
  apiKeyHeader?: string | undefined;
  /** The bearer token, for video and aliases. */
  token?: string | undefined;
  pace?: Pace | undefined;
  random?: (() => number) | undefined;
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  /** The number of connections for each lane. */
  connections?: number | undefined;
}

const MOST_ERROR_BYTES = 64 * 1024;

/**
 * Creates the function that makes calls: adds credentials, waits for the rate limit, retries, and turns every failure into a
 * `GenerationError`.
 */
export function createCalls(options: ConnectionOptions, assumptions: Assumptions) {
  const { apiKey, apiKeyHeader = 'X-API-Key', token, random = Math.random } = options;
  const { pace = (_, attempt) => attempt(), sleep = (ms, signal) => wait(ms, undefined, { signal }) } =
    options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pools = openPools(base, timeouts, options.connections ?? 64);
  const secrets = [apiKey, token].filter((secret) => secret !== undefined);

  function headersFor<T>(call: Call<T>): Record<string, string> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (call.body !== undefined) headers['content-type'] = 'application/json';
    if (call.credentials === 'token' && token !== undefined) headers.authorization = `Bearer ${token}`;
    if (call.credentials === 'key' && apiKey !== undefined)
      headers[apiKeyHeader.toLowerCase()] = `${assumptions.apiKeyPrefix}${apiKey}`;
    return headers;
  }

  async function attempt<T>(call: Call<T>): Promise<T> {
    const { endpoint, kind, lane, method, path, body, signal, read } = call;
    const open = (head: ResponseHead): BodySink<T> =>
      head.status < 300
        ? read(head)
        : errorSink(MOST_ERROR_BYTES, (bytes) =>
            errorOfStatus(endpoint, head, bytes, assumptions.errorBody, secrets, Date.now()),
          );
    if (call.record !== undefined && !(await call.record.ready())) {
      const message = 'called off before it was sent';
      throw new GenerationError({ kind: 'aborted', endpoint, message, mayHaveArrived: false });
    }
    try {
      const headersMs = Math.min(timeouts.headersMs, isRepeatable(kind) ? timeouts.repeatableMs : Infinity);
      // Run calls have no such timeout: if they were cut off, their outcome would be unknown.
      const beginningMs = isRepeatable(kind) ? timeouts.beginningMs : undefined;
      const bodySent = call.bodySent && (() => sent(call));
      const request = { method, path: prefix + path, headers: headersFor(call), body, bodySent, signal };
      const limits = { headersMs, beginningMs, reserve: call.reserve };
      return await exchange(pools[lane], { ...request, ...limits, open }, timeouts.totalMs);
    } catch (failure) {
      throw errorOfFailure(endpoint, kind, failure);
    }
  }

  const send: SendCall = async (call) => {
    for (let count = 0; ; count += 1) {
      try {
        return await pace(call.lane, () => attempt(call), call.askers);
      } catch (error) {
        if (!(error instanceof GenerationError)) throw error;
        const delay = delayBeforeRetry(call.kind, error, count, random);
        const isReleased = typeof call.body === 'object' && !call.body.isWhole;
        if (delay === undefined || isReleased) throw error;
        const pause = async (): Promise<void> => {
          await call.record?.unsent();
          await sleep(delay, call.signal);
        };
        await pause().catch(() => {
          throw error;
        });
      }
    }
  };
  return {
    send,
    /** The credentials, which are removed from all text that is shown or logged. */
    secrets,
    // Closes the connections after running calls have ended (bounded by `totalMs`): cutting off a run call would leave its
    // outcome unknown.
    async close(): Promise<void> {
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}

function sent<T>({ body, bodySent }: Call<T>): void {
  if (typeof body === 'object') body.release();
  bodySent?.();
}
