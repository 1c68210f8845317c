import type { Clock } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import { createAliasNames, createAliasRecords } from '../../community/aliases/alias-records.ts';
import { createAliases } from '../../community/aliases/aliases.ts';
import { createCatalogs } from '../../community/catalog/catalog.ts';
import { createFilterNames } from '../../community/catalog/filter-names.ts';
import { createReferences } from '../../community/catalog/references.ts';
import type { GenerationClient } from '../../generation-client/client.ts';

/** Filter names: the catalogs, and the aliases of communities. */
export function openFilterNames(parts: {
  readonly store: Records;
  /** Keeps the catalogs across restarts. */
  readonly lists: Records;
  readonly service: string;
  readonly client: Pick<GenerationClient, 'aliases' | 'catalog' | 'customFilters'>;
  readonly clock: Clock;
  /** Whether other processes use the store. */
  readonly isShared: boolean;
  readonly onError: (error: unknown, what: string) => void;
}) {
  const { client, clock, onError } = parts;
  const records = createAliasRecords(parts.store);
  const aliasNames = createAliasNames(records.all, clock, parts.isShared, (error) =>
    onError(error, 'alias names could not be read'),
  );
  const catalogs = createCatalogs({
    source: client,
    records: parts.lists,
    service: parts.service,
    clock,
    onError: (error, catalog) => onError(error, `the catalog ${catalog} could not be refreshed`),
  });
  const aliases = createAliases({
    records,
    service: client.aliases,
    customFilters: client.customFilters,
    knownFilters: () => catalogs.load('mine'),
    changed: aliasNames.changed,
    now: clock.now,
  });
  const resolve = createReferences(catalogs, aliases.named, aliasNames.peek);
  const filterNames = createFilterNames(catalogs, aliasNames);
  return { aliases, aliasesOf: records.all, catalogs, resolve, filterNames };
}
