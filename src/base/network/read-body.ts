import type { Clock } from '../clock.ts';

/** The sender is too slow. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** A transfer with fewer bytes than this in one window is aborted. */
export interface LeastRate {
  readonly bytes: number;
  readonly windowMs: number;
}

export const LEAST_RATE: LeastRate = { bytes: 64 * 1024, windowMs: 15_000 };
/** A window may be this many times slower than needed on average: the rest may come faster. */
const PATIENCE = 4;

export type RateWatch = ReturnType<typeof watchRate>;

/** Watches one transfer; `signal` aborts it with `TooSlow`. */
export function watchRate(
  clock: Clock,
  { bytes: least, windowMs }: LeastRate = LEAST_RATE,
  longestMs = Number.POSITIVE_INFINITY,
) {
  const controller = new AbortController();
  let received = 0;
  let needed = least;
  let windows = 0;
  let isStopped = false;
  let cancel = (): void => {};
  const next = (): void => {
    cancel = clock.after(windowMs, () => {
      windows += 1;
      if (received < needed || windows * windowMs >= longestMs)
        controller.abort(new TooSlow('sent too slowly'));
      else next();
      received = 0;
    });
  };
  next();
  return {
    signal: controller.signal,
    received(bytes: number): void {
      received += bytes;
    },
    /** Memory is reserved for this many bytes, so a transfer that cannot finish in time is aborted early. */
    expect(bytes: number): void {
      needed = Math.max(least, (bytes * windowMs) / longestMs / PATIENCE);
    },
    /** Time during which we do not read does not count. */
    async pausedFor<T>(work: Promise<T>): Promise<T> {
      cancel();
      try {
        return await work;
      } finally {
        received = 0;
        if (!isStopped) next();
      }
    },
    stop(): void {
      isStopped = true;
      cancel();
    },
  };
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** Content-Length, if the body is not compressed. */
  readonly announced?: number | undefined;
  /** Awaited before more than the first bytes are kept, so that a stalled body reserves nothing. */
  readonly reserve?: ((bytes: number) => Promise<unknown>) | undefined;
  readonly rate?: RateWatch | undefined;
}

/** The value of a Content-Length header; undefined when it is absent or not a length. */
export function parseLength(value: string | string[] | null | undefined): number | undefined {
  const length = Number(value ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

/** Content-Length, where the body is not compressed: it is then the length of what is read. */
export const announcedBytes = (headers: Headers): number | undefined =>
  headers.has('content-encoding') ? undefined : parseLength(headers.get('content-length'));

const FREE_BYTES = 64 * 1024;
/** For the rate, a body without a length is assumed to be this fraction of the maximum. */
const UNANNOUNCED = 1 / 4;

/** Reads a body into one buffer of the announced size; `too-large` as soon as that is known. */
export async function readBody(body: AsyncIterable<Uint8Array> | null, limits: BodyLimits) {
  const { maxBytes, announced, reserve, rate } = limits;
  if (announced !== undefined && announced > maxBytes) return 'too-large';
  const first: Uint8Array[] = [];
  let whole: Buffer | undefined;
  let size = 0;
  for await (const chunk of body ?? []) {
    rate?.received(chunk.byteLength);
    if (size + chunk.byteLength > maxBytes) return 'too-large';
    if (whole === undefined) {
      first.push(chunk);
      size += chunk.byteLength;
      if (size <= FREE_BYTES) continue;
      const capacity = Math.max(size, announced ?? maxBytes);
      const reserved = reserve?.(capacity) ?? Promise.resolve();
      await (rate?.pausedFor(reserved) ?? reserved);
      rate?.expect(announced ?? maxBytes * UNANNOUNCED);
      whole = Buffer.allocUnsafeSlow(capacity);
      whole.set(Buffer.concat(first));
      first.length = 0;
      continue;
    }
    // More bytes than announced.
    if (size + chunk.byteLength > whole.length) whole = Buffer.concat([whole.subarray(0, size)], maxBytes);
    whole.set(chunk, size);
    size += chunk.byteLength;
  }
  return whole?.subarray(0, size) ?? Buffer.concat(first);
}
