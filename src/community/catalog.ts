import type { Clock } from '../clock.ts';
import { type CatalogEntry, type CatalogName, catalogNames } from '../command/call.ts';
import type { CustomFilter, CatalogEntry as ServiceEntry } from '../generation-client/lists.ts';

/** The lists of filters, kept in memory: refreshed behind people's backs, served stale when the service is down. */
export interface Catalogs {
  /** What is known now; undefined: nothing yet. An old list is refreshed in the background. */
  peek(name: CatalogName): readonly CatalogEntry[] | undefined;
  /** Waits a moment for a list that was never loaded; undefined when it does not come. Never throws. */
  load(name: CatalogName): Promise<readonly CatalogEntry[] | undefined>;
  /** Loads all of them now and keeps them fresh until stopped. */
  start(): () => void;
}

export interface CatalogParts {
  readonly source: {
    catalog(name: 'face-v6' | 'realistic' | 'stylized' | 'classic'): Promise<readonly ServiceEntry[]>;
    customFilters(): Promise<readonly CustomFilter[]>;
  };
  readonly clock: Clock;
  onError(error: unknown, catalog: CatalogName): void;
}

const freshMs: Readonly<Record<CatalogName, number>> = {
  face: 10 * 60_000,
  realistic: 10 * 60_000,
  stylized: 10 * 60_000,
  classic: 10 * 60_000,
  // Somebody who has just built a filter wants to use it.
  mine: 60_000,
};
/** After a failure the service is left alone for this long. */
const restMs = 15_000;
/** How long a person waits for a list that was never loaded: well inside the platforms' deadlines. */
const patienceMs = 1500;

interface Shelf {
  entries?: readonly CatalogEntry[];
  /** When to ask the service again. */
  nextAt: number;
  loading?: Promise<void> | undefined;
}

const standard = (model: 'face' | 'group', entries: readonly ServiceEntry[]): readonly CatalogEntry[] =>
  entries.map(({ id, name, preview }) => ({
    reference: String(id),
    name,
    model,
    ...(preview === undefined ? {} : { preview }),
  }));

const custom = (filters: readonly CustomFilter[]): readonly CatalogEntry[] =>
  filters.map(({ id, name, model, previews: [preview] }) => ({
    reference: id,
    name,
    model,
    ...(preview === undefined ? {} : { preview }),
  }));

export const createCatalogs = ({ source, clock, onError }: CatalogParts): Catalogs => {
  const shelves = new Map<CatalogName, Shelf>(catalogNames.map((name) => [name, { nextAt: 0 }]));

  const fetchList = async (name: CatalogName): Promise<readonly CatalogEntry[]> => {
    if (name === 'mine') return custom(await source.customFilters());
    if (name === 'face') return standard('face', await source.catalog('face-v6'));
    return standard('group', await source.catalog(name));
  };

  /** One call at a time for each list, however many people ask. */
  const refresh = (name: CatalogName, shelf: Shelf): Promise<void> => {
    shelf.loading ??= fetchList(name)
      .then(
        (entries) => {
          shelf.entries = entries;
          shelf.nextAt = clock.now() + freshMs[name];
        },
        (error: unknown) => {
          shelf.nextAt = clock.now() + restMs;
          onError(error, name);
        },
      )
      .finally(() => {
        shelf.loading = undefined;
      });
    return shelf.loading;
  };

  const shelfOf = (name: CatalogName): Shelf => shelves.get(name) ?? { nextAt: 0 };

  const peek: Catalogs['peek'] = (name) => {
    const shelf = shelfOf(name);
    if (clock.now() >= shelf.nextAt) void refresh(name, shelf);
    return shelf.entries;
  };

  return {
    peek,
    async load(name) {
      const known = peek(name);
      const { loading } = shelfOf(name);
      if (known !== undefined || loading === undefined) return known;
      await new Promise<void>((resolve) => {
        const stop = clock.after(patienceMs, resolve);
        void loading.then(() => {
          stop();
          resolve();
        });
      });
      return shelfOf(name).entries;
    },
    start() {
      let cancel: () => void = () => undefined;
      const round = (): void => {
        for (const name of catalogNames) peek(name);
        cancel = clock.after(restMs, round);
      };
      round();
      return () => cancel();
    },
  };
};
