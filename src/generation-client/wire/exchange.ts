import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { parseLength } from '../../base/network/read-body.ts';
import type { RequestBody } from './request-body.ts';

/** The parts of a response's head that are used. */
export interface ResponseHead {
  status: number;
  contentLength: number | undefined;
  retryAfter: string | undefined;
}

/** Receives a response body in chunks; an error that it throws ends the exchange. */
export interface BodySink<T> {
  write: (chunk: Buffer) => void;
  end: () => T;
}

/** One HTTP request and how its response is read. */
export interface Exchange<T> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | RequestBody | undefined;
  /** Called when the whole body was written to the connection. */
  bodySent?: (() => void) | undefined;
  signal: AbortSignal | undefined;
  /**
   * Backpressure: awaited before more than the start of the response is read, and again if a response without Content-Length is
   * larger than usual. Timeouts restart after that.
   */
  reserve?: ((bytes: number) => Promise<void>) | undefined;
  /** Timeout from the request to the first byte of the response. */
  headersMs: number;
  /**
   * Timeout in which a small response must end and a large one must pass its start; after that a part of the remaining bytes
   * must arrive in each such period. Undefined: only the total time is limited.
   */
  beginningMs?: number | undefined;
  open: (head: ResponseHead) => BodySink<T>;
}

/** Bytes that are read without a reservation: the status of an unfinished job is far smaller. */
const FREE_BYTES = 64 * 1024;
/** The size of a usual picture in base64. */
const ORDINARY_BYTES = 16 * 1024 * 1024;
/** The part of Content-Length (or of a quarter of a usual picture) that must arrive in each period. */
const LEAST_PART = 1 / 32;

/** Thrown if there is no usable response. `sent` is false only if no byte of the request can have been sent. */
export class ExchangeFailure extends Error {
  override readonly name = 'ExchangeFailure';
  readonly reason: 'aborted' | 'timeout' | 'connection';
  readonly sent: boolean;

  constructor(reason: ExchangeFailure['reason'], sent: boolean, message: string) {
    super(message);
    this.reason = reason;
    this.sent = sent;
  }
}

/**
 * Makes one HTTP exchange with undici's `dispatch`: chunks go to the sink without a stream between, and `onRequestStart` tells
 * reliably whether anything of a request can have been sent.
 */
export function exchange<T>(dispatcher: Dispatcher, request: Exchange<T>, totalMs: number): Promise<T> {
  const { method, path, headers, signal, headersMs, open } = request;
  return new Promise<T>((resolve, reject) => {
    let sent = false;
    let settled = false;
    let sink: BodySink<T> | undefined;
    let announced: number | undefined;
    let received = 0;
    /** Bytes that may be received before the next reservation. */
    let covered = FREE_BYTES;
    let controller: Dispatcher.DispatchController | undefined;

    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      stopTimers();
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const fail = (error: Error): void => {
      settle(() => reject(error));
      controller?.abort(error);
    };
    /** Runs a step of the response; an error of the sink ends the exchange. */
    const guarded = (step: () => void): void => {
      if (settled) return;
      try {
        step();
      } catch (error) {
        fail(asError(error));
      }
    };
    const onAbort = (): void => fail(new ExchangeFailure('aborted', sent, 'stopped by the caller'));
    const timedOut = (message: string): void => fail(new ExchangeFailure('timeout', sent, message));
    let deadline: NodeJS.Timeout | undefined;
    let window: NodeJS.Timeout | undefined;
    const stopTimers = (): void => {
      clearTimeout(deadline);
      clearTimeout(window);
    };
    const timeWhole = (): void => {
      deadline = setTimeout(() => timedOut(`no complete answer within ${totalMs} ms`), totalMs);
    };
    /**
     * Sets the timeout of the current period, because a response that trickles in would hold its connection and memory for the
     * whole time.
     */
    const timeWindow = (ms: number): void => {
      const isBeginning = covered === FREE_BYTES;
      const from = isBeginning ? 0 : received;
      const least = isBeginning ? FREE_BYTES + 1 : from + LEAST_PART * (announced ?? ORDINARY_BYTES / 4);
      window = setTimeout(() => {
        if (received < least) timedOut(`less than ${Math.ceil(least - from)} bytes within ${ms} ms`);
        else if (!isBeginning) timeWindow(ms);
      }, ms);
    };
    /**
     * Pauses the response until memory is reserved. Timers stop meanwhile, because waiting for memory is not the service's
     * fault.
     */
    const askForMemory = (
      reserve: NonNullable<Exchange<T>['reserve']>,
      answering: Dispatcher.DispatchController,
    ): void => {
      covered = announced ?? (covered < ORDINARY_BYTES ? ORDINARY_BYTES : Number.POSITIVE_INFINITY);
      stopTimers();
      answering.pause();
      reserve(covered).then(
        () => {
          if (settled) return;
          timeWhole();
          if (request.beginningMs !== undefined) timeWindow(request.beginningMs);
          answering.resume();
        },
        (error: unknown) => fail(asError(error)),
      );
    };
    timeWhole();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) return onAbort();

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // The exchange was cancelled while waiting for a connection: undici sends nothing of a request that is aborted here.
        if (settled) started.abort(new Error('given up'));
        else sent = true;
      },
      onResponseStart(_, status, responseHeaders) {
        guarded(() => {
          if (status < 200) return;
          const head = readHead(status, responseHeaders);
          announced = head.contentLength;
          sink = open(head);
          if (request.beginningMs !== undefined) timeWindow(request.beginningMs);
        });
      },
      onResponseData(answering, chunk) {
        guarded(() => {
          received += chunk.length;
          if (received > covered && request.reserve !== undefined) askForMemory(request.reserve, answering);
          sink?.write(chunk);
        });
      },
      onResponseEnd() {
        guarded(() => {
          if (sink === undefined) throw new ExchangeFailure('connection', sent, 'no answer');
          const value = sink.end();
          settle(() => resolve(value));
        });
      },
      onResponseError(_, error) {
        fail(connectionFailure(error, sent));
      },
    };
    try {
      const { body = null, bodySent } = request;
      const isText = body === null || typeof body === 'string';
      const sized = isText ? headers : { ...headers, 'content-length': String(body.length) };
      const stream = isText
        ? body
        : Readable.from(sending(body, bodySent), { objectMode: false, highWaterMark: 1 });
      dispatcher.dispatch({ method, path, headers: sized, body: stream, headersTimeout: headersMs }, handler);
    } catch (error) {
      fail(connectionFailure(asError(error), sent));
    }
  });
}

function* sending(body: RequestBody, sent: (() => void) | undefined): Iterable<Buffer> {
  yield* body.pieces();
  sent?.();
}

function readHead(status: number, headers: Record<string, string | string[] | undefined>): ResponseHead {
  return {
    status,
    contentLength: parseLength(headers['content-length']),
    retryAfter: [headers['retry-after']].flat()[0],
  };
}

const asError = (value: unknown): Error => (value instanceof Error ? value : new Error('failed'));

/** Converts an error of undici. Only its code is kept, because the error may contain the request. */
function connectionFailure(error: Error, sent: boolean): ExchangeFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return new ExchangeFailure(/TIMEOUT|ETIMEDOUT/.test(code) ? 'timeout' : 'connection', sent, code);
}
