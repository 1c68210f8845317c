import { createHash } from 'node:crypto';
import { backoff } from '../base/backoff.ts';
import { createByteCache } from '../base/byte-cache.ts';
import { DownloadMissing, DownloadRefused } from '../base/network/download.ts';
import type { Log } from '../log/log.ts';
import { PictureRefused } from '../picture/structure.ts';
import { createFetchTile, type FetchTileParts, type PreviewTile } from './fetch-tile.ts';

export interface TilesParts extends FetchTileParts {
  readonly log: Pick<Log, 'debug'>;
}

const MOST_BYTES = 16 * 1024 * 1024;
/** What an entry takes besides its picture; failures are kept, too. */
const ENTRY_BYTES = 256;
/** More are not begun; the next view asks again. */
const MOST_LOADING = 200;

const FRESH_MS = 6 * 3_600_000;
/** Pauses before a failed one is asked for again. */
const REFUSED_MS = 15 * 60_000;
/** The service may make it when it is asked for the first time: it is there soon after. */
const FAILED_MS = 5_000;
const LONGEST_FAILED_MS = 2 * 60_000;

interface Known {
  readonly tile?: PreviewTile | undefined;
  /** When to ask for it again. */
  readonly nextAt: number;
  /** Since it was last fetched. */
  readonly failures: number;
}

/** It will not get better by itself soon. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof PictureRefused || error instanceof DownloadRefused || error instanceof DownloadMissing
  );
}

/** The tiles of previews, cached; old ones are shown while they are refreshed in the background. */
export function createTiles(parts: TilesParts) {
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
    /** The tile as far as it is known. `coming`: settles when one that is missing was fetched; never rejects. */
    get(url: string): { readonly tile: PreviewTile | undefined; readonly coming: Promise<void> | undefined } {
      // Addresses may be long.
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
