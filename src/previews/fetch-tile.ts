import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { createFairBudget, type Held, withSlot } from '../base/limits/fair-budget.ts';
import { DownloadRefused, type Downloads } from '../base/network/download.ts';
import { TooSlow } from '../base/network/read-body.ts';
import type { Conversion } from '../picture/conversion.ts';
import type { Decoder } from '../picture/decoder.ts';
import { inspectPicture } from '../picture/inspect.ts';
import { PictureRefused } from '../picture/structure.ts';

/** A preview as a small square JPEG. */
export interface PreviewTile {
  readonly bytes: Buffer;
  /** Hash of the picture that it was made from. */
  readonly hash: string;
}

export interface FetchTileParts {
  readonly downloads: Pick<Downloads, 'get' | 'mayLink'>;
  readonly decoder: Pick<Decoder, 'convert'>;
  readonly clock: Clock;
  /** The origin of the embedded service: its previews are files of this program, and tiles already. */
  readonly ownOrigin?: string;
}

export const TILE_SIDE = 320;

const MAX_BYTES = 2 * 1024 * 1024;
const SQUARE: Conversion = {
  maxPixels: 12_000_000,
  failOn: 'error',
  square: TILE_SIDE,
  to: { format: 'jpeg', quality: 85 },
  // A photo of 12 megapixels needs 300 ms.
  cpuMs: 1_000,
};
/** Smaller or narrower ones show nothing, and cost much to enlarge. */
const LEAST_SIDE = 32;
const MOST_RATIO = 5;
/** For one download. */
const DOWNLOAD_MS = 10_000;
/** After this a download no longer counts, so that slow ones do not keep the others waiting. */
const SLOW_MS = 400;
/** Half a page of one origin. */
const AT_ONCE = { total: 26, perPerson: 13 };
const MEMORY = { total: 24 * 1024 * 1024, perPerson: 12 * 1024 * 1024 };
/** Two, so that photos have one of the decoder's slots, and one slow preview does not stop the others. */
const DECODED = { total: 2, perPerson: 1 };

/** Fetches a preview, bounded in bytes, pixels and time, and cuts a tile out of it. Origins take turns. */
export function createFetchTile({ downloads, decoder, clock, ownOrigin }: FetchTileParts) {
  const slots = createFairBudget(AT_ONCE);
  const memory = createFairBudget(MEMORY);
  const decoded = createFairBudget(DECODED);

  const download = async (
    url: string,
    origin: string,
    reserve: (bytes: number) => Promise<void>,
    closed: AbortSignal,
  ): Promise<Buffer> => {
    const slot = await slots.take(origin, 1, closed);
    const late = new AbortController();
    const cancels: (() => void)[] = [];
    const begun = (): void => {
      cancels.push(
        clock.after(SLOW_MS, slot.release),
        clock.after(DOWNLOAD_MS, () => late.abort(new TooSlow('the preview took too long'))),
      );
    };
    try {
      const signal = AbortSignal.any([late.signal, closed]);
      const got = await downloads.get(url, { maxBytes: MAX_BYTES, reserve, signal, lane: 'read', begun });
      if (got === 'too-large') throw new DownloadRefused('too large for a preview');
      return got.bytes;
    } finally {
      for (const cancel of cancels) cancel();
      slot.release();
    }
  };

  const square = (bytes: Buffer, origin: string, closed: AbortSignal): Promise<Buffer> => {
    const { width, height } = inspectPicture(bytes, SQUARE.maxPixels);
    const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
    if (shorter < LEAST_SIDE || longer > shorter * MOST_RATIO)
      throw new PictureRefused('format', 'too small or too narrow');
    return withSlot(decoded, origin, () => decoder.convert(bytes, SQUARE, origin, closed), closed);
  };

  /** `known`: returned if the picture is still the same. */
  return async (url: string, known: PreviewTile | undefined, closed: AbortSignal): Promise<PreviewTile> => {
    if (!downloads.mayLink(url)) throw new DownloadRefused('not a link that may be followed');
    const { origin } = new URL(url);
    let held: Held | undefined;
    const reserve = async (bytes: number): Promise<void> => {
      held = await memory.take(origin, bytes, closed);
    };
    try {
      const bytes = await download(url, origin, reserve, closed);
      const hash = createHash('sha256').update(bytes).digest('base64url');
      if (known?.hash === hash) return known;
      return { bytes: origin === ownOrigin ? bytes : await square(bytes, origin, closed), hash };
    } finally {
      held?.release();
    }
  };
}
