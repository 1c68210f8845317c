import type { Clock } from '../clock.ts';

/** Reads bodies from the network within limits of size and rate. */

/** Thrown if a transfer is too slow. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** The least rate of a transfer; one with fewer bytes in a window is aborted. */
export interface LeastRate {
  readonly bytes: number;
  readonly windowMs: number;
}

export const LEAST_RATE: LeastRate = { bytes: 64 * 1024, windowMs: 15_000 };
/** A window may be this many times slower than the average that is needed, because later ones may be faster. */
const PATIENCE = 4;

/** The watch of one transfer's rate, see `watchRate`. */
export type RateWatch = ReturnType<typeof watchRate>;

/** Watches the rate of one transfer; `signal` aborts it with `TooSlow`. */
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
    /** Sets the expected size: memory is reserved for it, so a transfer that cannot finish in time is aborted early. */
    expect(bytes: number): void {
      needed = Math.max(least, (bytes * windowMs) / longestMs / PATIENCE);
    },
    /** Stops the watch while `work` is awaited, because nothing is read meanwhile. */
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
  /** Awaited before more than the first bytes are kept, so that a stalled body reserves no memory. */
  readonly reserve?: ((bytes: number) => Promise<unknown>) | undefined;
  readonly rate?: RateWatch | undefined;
}

/** Parses a Content-Length header; undefined if it is absent or not a length. */
export function parseLength(value: string | string[] | null | undefined): number | undefined {
  const length = Number(value ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : undefined;
}

/** Content-Length if the body is not compressed, so that it is the length of what is read. */
export const announcedBytes = (headers: Headers): number | undefined =>
  headers.has('content-encoding') ? undefined : parseLength(headers.get('content-length'));

const FREE_BYTES = 64 * 1024;
/** The assumed size of a body without a length, as a fraction of the maximum, for the least rate. */
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
    // The body has more bytes than announced.
    if (size + chunk.byteLength > whole.length) whole = Buffer.concat([whole.subarray(0, size)], maxBytes);
    whole.set(chunk, size);
    size += chunk.byteLength;
  }
  return whole?.subarray(0, size) ?? Buffer.concat(first);
}
