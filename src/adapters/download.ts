import type { Clock } from '../base/clock.ts';
import { announcedBytes, readBody, watchRate } from '../base/network/read-body.ts';
import type { Adapter } from './adapter.ts';

export interface PhotoLimits {
  readonly clock: Clock;
  readonly longestMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly reserve: Parameters<Adapter['photo']>[3];
}

/** Downloads a photo, not too slowly and without following redirects. `status`: of another answer than success. */
export async function download(
  url: string,
  limits: PhotoLimits,
): Promise<Uint8Array | 'too-large' | { readonly status: number }> {
  const { maxBytes, reserve } = limits;
  const rate = watchRate(limits.clock, undefined, limits.longestMs);
  try {
    const signal = AbortSignal.any([limits.signal, rate.signal]);
    const { ok, status, headers, body } = await fetch(url, { redirect: 'error', signal });
    const announced = announcedBytes(headers);
    const read = ok ? await readBody(body, { maxBytes, announced, reserve, rate }) : { status };
    if (Buffer.isBuffer(read)) return new Uint8Array(read.buffer, read.byteOffset, read.byteLength);
    await body?.cancel();
    return read;
  } finally {
    rate.stop();
  }
}
