import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { type CatalogEntry, type ListName, listNames } from '../../command/ports.ts';
import type { CustomFilter, CatalogEntry as ServiceEntry } from '../../generation-client/lists.ts';
import type { KeptLists } from './kept-lists.ts';

/** The lists of filters, kept in memory: refreshed behind people's backs, served stale when the service is down. */
export interface Catalogs {
  /** What is known now; undefined: nothing yet. An old list is refreshed in the background. */
  peek(name: ListName): readonly CatalogEntry[] | undefined;
  /** Waits a moment for a list that was never loaded; undefined when it does not come. Never throws. */
  load(name: ListName, patienceMs?: number): Promise<readonly CatalogEntry[] | undefined>;
  /** Loads all of them now and keeps them fresh until stopped. */
  start(): () => void;
}

export interface CatalogParts {
  readonly source: {
    catalog(
      name: 'face-v6' | 'face-v1' | 'realistic' | 'stylized' | 'classic',
    ): Promise<readonly ServiceEntry[]>;
    customFilters(): Promise<readonly CustomFilter[]>;
  };
  /** As they were before this process began. */
  readonly kept: KeptLists;
  readonly clock: Clock;
  onError(error: unknown, catalog: ListName): void;
}

const freshMs: Readonly<Record<ListName, number>> = {
  face: 10 * 60_000,
  'face-v1': 10 * 60_000,
  realistic: 10 * 60_000,
  stylized: 10 * 60_000,
  classic: 10 * 60_000,
  // Somebody who has just built a filter wants to use it.
  mine: 60_000,
};
/** After a failure the service is left alone for this long. */
const restMs = 15_000;
/** How long a person waits for a list that was never loaded: well inside the platforms' deadlines. */
const usualPatienceMs = 1500;

interface CachedList {
  entries?: readonly CatalogEntry[];
  /** When to ask the service again. */
  nextAt: number;
  loading?: { readonly since: number; readonly done: Promise<void> } | undefined;
}

const standard = (model: 'face' | 'group', entries: readonly ServiceEntry[]): readonly CatalogEntry[] =>
  entries.map(({ id, name, preview }) => ({
    reference: String(id),
    name,
    model,
    ...defined({ preview }),
  }));

const custom = (filters: readonly CustomFilter[]): readonly CatalogEntry[] =>
  filters.map(({ id, name, model, previews: [preview] }) => ({
    reference: id,
    name,
    model,
    ...defined({ preview }),
  }));

const isSame = (some: readonly CatalogEntry[], others: readonly CatalogEntry[] | undefined): boolean =>
  some.length === others?.length &&
  some.every(({ reference, name, model, preview }, at) => {
    const other = others[at];
    return (
      reference === other?.reference &&
      name === other.name &&
      model === other.model &&
      preview === other.preview
    );
  });

export const createCatalogs = ({ source, kept, clock, onError }: CatalogParts): Catalogs => {
  const lists = new Map<ListName, CachedList>(listNames.map((name) => [name, { nextAt: 0 }]));

  const fetchList = async (name: ListName): Promise<readonly CatalogEntry[]> => {
    if (name === 'mine') return custom(await source.customFilters());
    if (name === 'face') return standard('face', await source.catalog('face-v6'));
    if (name === 'face-v1') return standard('face', await source.catalog(name));
    return standard('group', await source.catalog(name));
  };

  /** One call at a time for each list, however many people ask. */
  const refresh = (name: ListName, cached: CachedList): void => {
    if (cached.loading !== undefined) return;
    const done = fetchList(name)
      .then(
        (entries) => {
          // What is prepared for searching a list is kept with it: one that did not change stays the same object.
          if (!isSame(entries, cached.entries)) cached.entries = entries;
          cached.nextAt = clock.now() + freshMs[name];
          kept.save(name, entries).catch((error: unknown) => onError(error, name));
        },
        (error: unknown) => {
          cached.nextAt = clock.now() + restMs;
          onError(error, name);
        },
      )
      .finally(() => {
        cached.loading = undefined;
      });
    cached.loading = { since: clock.now(), done };
  };

  /** What comes from the service goes before it, however long this takes. */
  const remember = async (name: ListName, cached: CachedList): Promise<void> => {
    try {
      const entries = await kept.load(name);
      if (entries !== undefined) cached.entries ??= entries;
    } catch (error) {
      onError(error, name);
    }
  };
  const remembered = Promise.all([...lists].map(([name, cached]) => remember(name, cached)));

  const cachedList = (name: ListName): CachedList => lists.get(name) ?? { nextAt: 0 };

  const peek: Catalogs['peek'] = (name) => {
    const cached = cachedList(name);
    if (clock.now() >= cached.nextAt) refresh(name, cached);
    return cached.entries;
  };

  return {
    peek,
    async load(name, patienceMs = usualPatienceMs) {
      if (cachedList(name).entries === undefined) await remembered;
      const known = peek(name);
      const { loading } = cachedList(name);
      if (known !== undefined || loading === undefined) return known;
      // Nobody waits again for a service that has already kept somebody waiting.
      const left = loading.since + patienceMs - clock.now();
      if (left <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const stop = clock.after(left, resolve);
        void loading.done.then(() => {
          stop();
          resolve();
        });
      });
      return cachedList(name).entries;
    },
    start() {
      let cancel: () => void = () => undefined;
      const round = (): void => {
        for (const name of listNames) peek(name);
        cancel = clock.after(restMs, round);
      };
      round();
      return () => cancel();
    },
  };
};
