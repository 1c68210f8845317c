import { Agent, request } from 'undici';
import type { Clock } from '../base/clock.ts';
import { parseLength, readBody, watchRate } from '../base/network/read-body.ts';
import { refuseSmallPieces } from '../base/network/small-pieces.ts';
import type { Adapter } from './adapter.ts';

/** How long and how large the download of one photo may be. */
export interface PhotoLimits {
  readonly clock: Clock;
  readonly longestMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly reserve: Parameters<Adapter['photo']>[3];
}

/** Keeps connections to the platforms' hosts open for a few seconds. */
const hosts = new Agent({ connect: { timeout: 10_000 }, allowH2: false }).compose(refuseSmallPieces);

/**
 * Downloads a photo with a minimum rate, and follows no redirect. Resolves with `status` if the host answers without
 * success.
 */
export async function download(
  url: string,
  limits: PhotoLimits,
): Promise<Uint8Array | 'too-large' | { readonly status: number }> {
  const { maxBytes, reserve } = limits;
  const rate = watchRate(limits.clock, undefined, limits.longestMs);
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: hosts,
      // A compressed body could be larger than its Content-Length says.
      headers: { 'accept-encoding': 'identity' },
      signal: AbortSignal.any([limits.signal, rate.signal]),
    });
    // The stream emits an error if it is destroyed before its end, which is expected here.
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
