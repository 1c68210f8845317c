import { Agent, request } from 'undici';
import type { Clock } from '../base/clock.ts';
import { parseLength, readBody, watchRate } from '../base/network/read-body.ts';
import { refuseSmallPieces } from '../base/network/small-pieces.ts';
import type { Adapter } from './adapter.ts';

export interface PhotoLimits {
  readonly clock: Clock;
  readonly longestMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly reserve: Parameters<Adapter['photo']>[3];
}

/** Connections to the hosts of the platforms, kept for a few seconds. */
const hosts = new Agent({ connect: { timeout: 10_000 }, allowH2: false }).compose(refuseSmallPieces);

/** Downloads a photo, not too slowly and without following redirects. `status`: of another answer than success. */
export async function download(
  url: string,
  limits: PhotoLimits,
): Promise<Uint8Array | 'too-large' | { readonly status: number }> {
  const { maxBytes, reserve } = limits;
  const rate = watchRate(limits.clock, undefined, limits.longestMs);
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: hosts,
      // A compressed photo could be larger than it says.
      headers: { 'accept-encoding': 'identity' },
      signal: AbortSignal.any([limits.signal, rate.signal]),
    });
    // Destroying the stream before its end emits an error, which is expected.
    body.on('error', () => undefined);
    try {
      if (statusCode >= 300 && statusCode < 400) throw new Error('the host of the photo redirects');
      if (statusCode < 200 || statusCode >= 300) return { status: statusCode };
      const announced = parseLength(headers['content-length']);
      const read = await readBody(body, { maxBytes, announced, reserve, rate });
      return read === 'too-large' ? read : new Uint8Array(read.buffer, read.byteOffset, read.byteLength);
    } finally {
      body.destroy();
    }
  } finally {
    rate.stop();
  }
}
