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
  /** Waited for, once, before more than the beginning of the answer is read. */
  reserve?: ((contentLength: number | undefined) => Promise<void>) | undefined;
  /** From the request to the first byte of the answer. */
  headersMs: number;
  /** From the first byte of the answer to its end, or to more than a beginning; undefined: only the whole is timed. */
  beginningMs?: number | undefined;
  open: (head: ResponseHead) => BodySink<T>;
};

/** Read without asking: a look at an unfinished job is far smaller. */
const freeBytes = 64 * 1024;

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
    let controller: Dispatcher.DispatchController | undefined;

    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      clearTimeout(beginning);
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
    const deadline = setTimeout(
      () => fail(new ExchangeFailure('timeout', sent, `no complete answer within ${totalMs} ms`)),
      totalMs,
    );
    let beginning: NodeJS.Timeout | undefined;
    /** A trickle would keep its connection, and whoever waits for the answer, for the whole time. */
    const timeBeginning = (ms: number): void => {
      beginning = setTimeout(() => {
        const slow = `less than ${freeBytes} bytes within ${ms} ms`;
        if (received <= freeBytes) fail(new ExchangeFailure('timeout', sent, slow));
      }, ms);
    };
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
          if (request.beginningMs !== undefined) timeBeginning(request.beginningMs);
        });
      },
      onResponseData(answering, chunk) {
        guarded(() => {
          const isBeginning = received <= freeBytes;
          received += chunk.length;
          if (isBeginning && received > freeBytes && request.reserve !== undefined) {
            answering.pause();
            request.reserve(announced).then(
              () => answering.resume(),
              (error: unknown) => fail(asError(error)),
            );
          }
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
