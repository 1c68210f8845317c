import { systemClock } from '../../base/clock.ts';
import { createDownloads, DownloadMissing, DownloadRefused } from '../../base/network/download.ts';
import { invalidImage } from '../interface/http-error.ts';

export interface FetchLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Reads a public http(s) address into memory, or throws INVALID_IMAGE. */
export function createFetchLink(allowPrivate: boolean) {
  const headers = { accept: 'image/*', 'user-agent': 'darkroom-generation-service' };
  const downloads = createDownloads(undefined, systemClock, { allowHttp: true, allowPrivate, headers });
  return async (address: string, { maxBytes, timeoutMs }: FetchLimits): Promise<Buffer> => {
    // One deadline for the whole chain: a slow server cannot gain time by redirecting.
    const signal = AbortSignal.timeout(timeoutMs);
    const found = await downloads.get(address, { maxBytes, signal }).catch((error: unknown) => {
      if (error instanceof DownloadRefused || error instanceof DownloadMissing)
        throw invalidImage(`The image URL ${error.message}.`);
      throw invalidImage(
        signal.aborted ? 'The image URL took too long.' : 'The image URL could not be read.',
      );
    });
    if (found === 'too-large') throw invalidImage(`The image is larger than ${maxBytes} bytes.`);
    return found.bytes;
  };
}
