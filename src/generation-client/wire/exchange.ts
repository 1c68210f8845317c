import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { RequestBody } from './request-body.ts';

export type ResponseHead = {
  status: number;
  contentLength: number | undefined;
  retryAfter: string | undefined;
};

/** Takes a response body as it arrives; whatever it throws ends the exchange. */
export type BodySink<T> = { write: (chunk: Buffer) => void; end: () => T };

export type Exchange<T> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | RequestBody | undefined;
  /** All of the body has been handed to the connection. */
  bodySent?: (() => void) | undefined;
  signal: AbortSignal | undefined;
  /**
   * Waited for before more than the beginning of the answer is read, and once more where one that is not announced is larger
   * than ordinary ones. The time of the answer begins anew after that.
   */
  reserve?: ((bytes: number) => Promise<void>) | undefined;
  /** From the request to the first byte of the answer. */
  headersMs: number;
  /**
   * From the first byte of the answer to its end, or to more than a beginning; for each such time memory is held only if a part
   * of the rest has arrived. Undefined: only the whole is timed.
   */
  beginningMs?: number | undefined;
  open: (head: ResponseHead) => BodySink<T>;
};

/** Read without asking: a look at an unfinished job is far smaller. */
const freeBytes = 64 * 1024;
/** A picture in base64, as large as the service makes them. */
const ordinaryBytes = 16 * 1024 * 1024;
/** Of what was announced, this part has to arrive in each window; of what was not, this part of a quarter of an ordinary one. */
const leastPart = 1 / 32;

/** No usable answer. `sent` is false only if not one byte of the request can have left. */
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
 * One HTTP exchange on undici's lowest layer: body chunks go straight to the sink, with no stream object
 * between, and `onRequestStart` tells reliably whether a request can have left at all.
 */
export function exchange<T>(dispatcher: Dispatcher, request: Exchange<T>, totalMs: number): Promise<T> {
  const { method, path, headers, signal, headersMs, open } = request;
  return new Promise<T>((resolve, reject) => {
    let sent = false;
    let settled = false;
    let sink: BodySink<T> | undefined;
    let announced: number | undefined;
    let received = 0;
    /** May be received before (more) memory is asked for. */
    let covered = freeBytes;
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
    /** What a sink throws ends the exchange; nothing reaches it afterwards. */
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
    /** A trickle would keep its connection, its memory and whoever waits for the answer, for the whole time. */
    const timeWindow = (ms: number): void => {
      const isBeginning = covered === freeBytes;
      const from = isBeginning ? 0 : received;
      const least = isBeginning ? freeBytes + 1 : from + leastPart * (announced ?? ordinaryBytes / 4);
      window = setTimeout(() => {
        if (received < least) timedOut(`less than ${Math.ceil(least - from)} bytes within ${ms} ms`);
        else if (!isBeginning) timeWindow(ms);
      }, ms);
    };
    /** The time in which we wait for memory is ours, and says nothing about the service. */
    const askForMemory = (
      reserve: NonNullable<Exchange<T>['reserve']>,
      answering: Dispatcher.DispatchController,
    ): void => {
      covered = announced ?? (covered < ordinaryBytes ? ordinaryBytes : Number.POSITIVE_INFINITY);
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
        // Given up while waiting for a connection: undici writes nothing of a request aborted here.
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
      const { body, length } = onWire(request);
      const sized = length === undefined ? headers : { ...headers, 'content-length': String(length) };
      dispatcher.dispatch({ method, path, headers: sized, body, headersTimeout: headersMs }, handler);
    } catch (error) {
      fail(connectionFailure(asError(error), sent));
    }
  });
}

type OnWire = { body: string | Readable | null; length?: number };

function onWire<T>({ body, bodySent }: Exchange<T>): OnWire {
  if (body === undefined || typeof body === 'string') return { body: body ?? null };
  return {
    body: Readable.from(sending(body, bodySent), { objectMode: false, highWaterMark: 1 }),
    length: body.length,
  };
}

function* sending(body: RequestBody, sent: (() => void) | undefined): Iterable<Buffer> {
  yield* body.pieces();
  sent?.();
}

function readHead(status: number, headers: Record<string, string | string[] | undefined>): ResponseHead {
  const length = Number(single(headers['content-length']) ?? Number.NaN);
  return {
    status,
    contentLength: Number.isSafeInteger(length) && length >= 0 ? length : undefined,
    retryAfter: single(headers['retry-after']),
  };
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

const asError = (value: unknown): Error => (value instanceof Error ? value : new Error('failed'));

/** Errors of the HTTP library may hold the request; only their code goes on. */
function connectionFailure(error: Error, sent: boolean): ExchangeFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'failed';
  return new ExchangeFailure(/TIMEOUT|ETIMEDOUT/.test(code) ? 'timeout' : 'connection', sent, code);
}
