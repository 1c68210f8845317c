import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Clock, createRepeat, waitAtMost } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { CatalogEntry } from '../../command/catalog-port.ts';
import type { CustomFilter, ServiceCatalogEntry as ServiceEntry } from '../../generation-client/lists.ts';
import { FILTER_LIST_NAMES, type FilterListName } from '../../kinds/choices.ts';
import { createBackgroundCache } from '../brief-cache.ts';

export type Catalogs = ReturnType<typeof createCatalogs>;

const entry = z.object({
  reference: z.string(),
  name: z.string(),
  model: z.enum(['face', 'group', 'unknown']),
  preview: z.string().exactOptional(),
});

/** Tells the store whether a stored list is valid. */
export const catalogRecordRules = {
  isValid: (_: string, value: unknown): boolean =>
    z.looseObject({ service: z.string(), entries: z.array(entry) }).safeParse(value).success,
};

const FRESH_MS = 10 * 60_000;
/** The life of the list of custom filters is short, because a user who has just made a filter wants to use it. */
const FRESH_CUSTOM_MS = 60_000;
/** The pause after a load that failed. */
const RETRY_MS = 15_000;
/** How long a user waits for a list that is not loaded yet, which is well within the platforms' deadlines. */
const DEFAULT_WAIT_MS = 1500;

const toEntry = (
  { id, name, preview }: { readonly id: number | string; readonly name: string; readonly preview?: string },
  model: CatalogEntry['model'],
): CatalogEntry => ({ reference: String(id), name, model, ...defined({ preview }) });

/** Caches the lists of filters. They are refreshed in the background, and served stale while the service is down. */
export function createCatalogs(parts: {
  readonly source: {
    catalog(
      name: 'face-v6' | 'face-v1' | 'realistic' | 'stylized' | 'classic',
    ): Promise<readonly ServiceEntry[]>;
    customFilters(): Promise<readonly CustomFilter[]>;
  };
  /** The lists of the last run, for a start while the service is down or slow. Lists of another `service` are ignored. */
  readonly records: Records;
  readonly service: string;
  readonly clock: Clock;
  onError(error: unknown, catalog: FilterListName): void;
}) {
  const { source, records, service, clock, onError } = parts;
  const record = z.object({ service: z.literal(service), entries: z.array(entry) });
  /** The lists of the last run. */
  const last = new Map<FilterListName, readonly CatalogEntry[]>();
  const lastLoaded = Promise.all(
    FILTER_LIST_NAMES.map(async (name) => {
      try {
        const { data } = record.safeParse(await records.get(name));
        if (data !== undefined) last.set(name, data.entries);
      } catch (error) {
        onError(error, name);
      }
    }),
  );
  const written = new Map<FilterListName, string>();
  const store = async (name: FilterListName, entries: readonly CatalogEntry[]): Promise<void> => {
    const text = JSON.stringify(entries);
    if (written.get(name) === text) return;
    await records.set(name, { service, entries });
    written.set(name, text);
  };

  const fetchList = async (name: FilterListName): Promise<readonly CatalogEntry[]> => {
    if (name === 'mine') {
      const filters = await source.customFilters();
      return filters.map(({ model, previews: [preview], ...filter }) =>
        toEntry({ ...filter, ...defined({ preview }) }, model),
      );
    }
    const entries = await source.catalog(name === 'face' ? 'face-v6' : name);
    const model = name === 'face' || name === 'face-v1' ? 'face' : 'group';
    return entries.map((entry) => toEntry(entry, model));
  };
  const lists = createBackgroundCache(
    async (name: FilterListName, before: readonly CatalogEntry[] | undefined = last.get(name)) => {
      const entries = await fetchList(name);
      store(name, entries).catch((error: unknown) => onError(error, name));
      // An unchanged list stays the same object, because what is prepared for searching is cached per list.
      return before !== undefined && isDeepStrictEqual(entries, before) ? before : entries;
    },
    clock,
    {
      freshMs: (name) => (name === 'mine' ? FRESH_CUSTOM_MS : FRESH_MS),
      retryMs: RETRY_MS,
      most: FILTER_LIST_NAMES.length,
      onError,
    },
  );

  /** The cached list, or undefined if it is not loaded yet. An old list is refreshed in the background. */
  const peek = (name: FilterListName): readonly CatalogEntry[] | undefined =>
    lists.get(name).value ?? last.get(name);

  return {
    peek,
    /** Waits a moment for a list that is not loaded; undefined if it does not come in time. Never throws. */
    async load(name: FilterListName, waitMs = DEFAULT_WAIT_MS): Promise<readonly CatalogEntry[] | undefined> {
      if (peek(name) === undefined) await lastLoaded;
      const known = peek(name);
      const { loading } = lists.get(name);
      if (known !== undefined || loading === undefined) return known;
      // The wait counts from the start of the request, so that a slow service makes no caller wait again.
      const left = loading.since + waitMs - clock.now();
      if (left > 0) await waitAtMost(clock, left, loading.done);
      return left > 0 ? peek(name) : undefined;
    },
    /** Loads all lists and refreshes them until stopped. */
    start(): () => void {
      const refresh = (): void => FILTER_LIST_NAMES.forEach((name) => void peek(name));
      const refreshing = createRepeat(clock, RETRY_MS, refresh);
      refresh();
      refreshing.start();
      return refreshing.stop;
    },
  };
}
