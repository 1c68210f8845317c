import { createHash } from 'node:crypto';
import { backoff } from '../base/backoff.ts';
import { createByteCache } from '../base/byte-cache.ts';
import type { Clock } from '../base/clock.ts';
import { createFairBudget, type TakenUnits, withSlot } from '../base/limits/fair-budget.ts';
import { DownloadMissing, DownloadRefused, type Downloads } from '../base/network/download.ts';
import { TooSlow } from '../base/network/read-body.ts';
import type { Log } from '../log/log.ts';
import type { Conversion } from '../picture/conversion.ts';
import type { Decoder } from '../picture/decoder.ts';
import { inspectPicture } from '../picture/inspect.ts';
import { PictureRefused } from '../picture/structure.ts';

/** A preview as a small square JPEG. */
interface PreviewTile {
  readonly bytes: Buffer;
  /** Hash of the picture that the tile was made from. */
  readonly hash: string;
}

export interface TilesDependencies {
  readonly downloads: Pick<Downloads, 'get' | 'mayLink'>;
  readonly decoder: Pick<Decoder, 'convert'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'debug'>;
  /** The origin of the embedded service: its previews are files of this program and have the size of tiles already. */
  readonly ownOrigin?: string;
  /** Whether tiles get the visible mark. */
  readonly hasMark: boolean;
}

export const TILE_SIDE = 320;

const PREVIEW_BYTES = 2 * 1024 * 1024;
const SQUARE: Conversion = {
  maxPixels: 12_000_000,
  failOn: 'error',
  square: TILE_SIDE,
  to: { format: 'jpeg', quality: 85 },
  // A photo of 12 megapixels needs 300 ms.
  cpuMs: 1_000,
};
/** The least side, and the greatest ratio of the sides: smaller or narrower pictures show nothing, and cost much to enlarge. */
const LEAST_SIDE = 32;
const MOST_RATIO = 5;
/** Timeout of one download. */
const DOWNLOAD_MS = 10_000;
/** After this time a download no longer counts against the limit, so that slow ones do not block the others. */
const SLOW_MS = 400;
/** Limit of concurrent downloads, half a page for each origin. */
const AT_ONCE = { total: 26, perPerson: 13 };
const MEMORY = { total: 24 * 1024 * 1024, perPerson: 12 * 1024 * 1024 };
/**
 * Limit of concurrent decodes: two, so that photos have one of the decoder's slots, and a slow preview does not block the
 * others.
 */
const DECODED = { total: 2, perPerson: 1 };

/**
 * Creates a function that downloads a preview, bounded in bytes, pixels and time, and cuts a tile out of it. Origins take
 * turns.
 */
function createFetchTile({ downloads, decoder, clock, ownOrigin, hasMark }: TilesDependencies) {
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
      const got = await downloads.get(url, { maxBytes: PREVIEW_BYTES, reserve, signal, lane: 'read', begun });
      if (got === 'too-large') throw new DownloadRefused('too large for a preview');
      return got.bytes;
    } finally {
      for (const cancel of cancels) cancel();
      slot.release();
    }
  };

  const square = (bytes: Buffer, origin: string, closed: AbortSignal): Promise<Buffer> => {
    const { width, height } = inspectPicture(bytes, SQUARE.maxPixels);
    const shorter = Math.min(width, height);
    const longer = Math.max(width, height);
    if (shorter < LEAST_SIDE || longer > shorter * MOST_RATIO)
      throw new PictureRefused('format', 'too small or too narrow');
    return withSlot(
      decoded,
      origin,
      () => decoder.convert(bytes, { ...SQUARE, hasMark }, origin, closed),
      closed,
    );
  };

  /** `known` is returned if the picture is still the same. */
  return async (url: string, known: PreviewTile | undefined, closed: AbortSignal): Promise<PreviewTile> => {
    if (!downloads.mayLink(url)) throw new DownloadRefused('not a link that may be followed');
    const { origin } = new URL(url);
    let held: TakenUnits | undefined;
    const reserve = async (bytes: number): Promise<void> => {
      held = await memory.take(origin, bytes, closed);
    };
    try {
      const bytes = await download(url, origin, reserve, closed);
      const hash = createHash('sha256').update(bytes).digest('base64url');
      if (known?.hash === hash) return known;
      const isReady = origin === ownOrigin && !hasMark;
      return { bytes: isReady ? bytes : await square(bytes, origin, closed), hash };
    } finally {
      held?.release();
    }
  };
}

const MOST_BYTES = 16 * 1024 * 1024;
/** The size of a cache entry besides its picture; failures are cached as well. */
const ENTRY_BYTES = 256;
/** Limit of concurrent loads; beyond it none are begun, and the next view asks again. */
const MOST_LOADING = 200;

const FRESH_MS = 6 * 3_600_000;
/** Pause before a preview that was refused is requested again. */
const REFUSED_MS = 15 * 60_000;
/** First pause after another failure: the service may make a preview when it is first requested, so it is there soon after. */
const FAILED_MS = 5_000;
const LONGEST_FAILED_MS = 2 * 60_000;

interface Known {
  readonly tile?: PreviewTile | undefined;
  /** When to request the preview again. */
  readonly nextAt: number;
  /** Failures since the last successful download. */
  readonly failures: number;
}

/** Whether the failure will not end by itself soon. */
const isRefused = (error: unknown): boolean =>
  error instanceof PictureRefused || error instanceof DownloadRefused || error instanceof DownloadMissing;

/** Creates the cache of tiles; old ones are shown while they are refreshed in the background. */
export function createTiles(parts: TilesDependencies) {
  const { clock, log } = parts;
  const fetchTile = createFetchTile(parts);
  const closed = new AbortController();
  const cache = createByteCache<Known>(MOST_BYTES, ({ tile }) => ENTRY_BYTES + (tile?.bytes.byteLength ?? 0));
  const loading = new Map<string, Promise<void>>();

  const load = async (url: string, key: string): Promise<void> => {
    const { tile: before, failures = 0 } = cache.get(key) ?? {};
    try {
      const tile = await fetchTile(url, before, closed.signal);
      cache.set(key, { tile, nextAt: clock.now() + FRESH_MS, failures: 0 });
    } catch (error) {
      if (closed.signal.aborted) return;
      const refused = isRefused(error);
      cache.set(key, {
        tile: refused ? undefined : before,
        nextAt: clock.now() + (refused ? REFUSED_MS : backoff(failures, FAILED_MS, LONGEST_FAILED_MS)),
        failures: failures + 1,
      });
      log.debug({ err: error }, 'a preview could not be fetched');
    } finally {
      loading.delete(key);
    }
  };

  return {
    /** The tile, if it is known. `coming` settles when a missing one was downloaded; never rejects. */
    get(url: string): { readonly tile: PreviewTile | undefined; readonly coming: Promise<void> | undefined } {
      // The key is a hash, because addresses may be long.
      const key = createHash('sha256').update(url).digest('base64url');
      const known = cache.get(key);
      const isDue = known === undefined || clock.now() >= known.nextAt;
      if (isDue && !loading.has(key) && loading.size < MOST_LOADING && !closed.signal.aborted)
        loading.set(key, load(url, key));
      return { tile: known?.tile, coming: known?.tile === undefined ? loading.get(key) : undefined };
    },
    close: (): void => closed.abort(new Error('the previews are closed')),
  };
}
