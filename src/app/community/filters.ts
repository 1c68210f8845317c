import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import { createAliasNames, createAliasRecords } from '../../community/aliases/alias-records.ts';
import { createAliases } from '../../community/aliases/aliases.ts';
import { catalogRecordRules, createCatalogs } from '../../community/catalog/catalog.ts';
import { createFilterNames } from '../../community/catalog/filter-names.ts';
import { createFilterOrders } from '../../community/catalog/filter-order.ts';
import { createReferences } from '../../community/catalog/references.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Notices } from '../notices/open.ts';
import type { Photos } from '../photos/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { ConnectedService } from '../service/connect-service.ts';
import { createCatalogPort } from './catalog-port.ts';
import type { CommunityRecords } from './records.ts';

/** How many of a person's jobs are searched for recent filters; reading one costs a tenth of a millisecond. */
const RECENT_JOBS = 25;

/** The filters that people choose from: the service's catalogs, the communities' aliases, and the order in which they are offered. */
export function openFilters(parts: {
  readonly store: Pick<Store, 'keyv' | 'jobs' | 'tallies'>;
  readonly members: Pick<Members, 'isShared'>;
  readonly platforms: PlatformRegistry;
  readonly service: Pick<ConnectedService, 'access' | 'client'>;
  readonly records: Pick<CommunityRecords, 'aliases' | 'rules'>;
  readonly notices: Pick<Notices, 'listTrouble'>;
  readonly previews: Pick<Photos['previews'], 'sheet' | 'warm'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { store, service, records, notices, previews, platforms, clock, log, opened } = parts;
  const { client } = service;
  const aliasRecords = createAliasRecords(records.aliases);
  const aliasesOf = aliasRecords.all;
  const aliasNames = createAliasNames(aliasesOf, clock, parts.members.isShared, (error) =>
    notices.listTrouble(error, 'alias names could not be read'),
  );
  const catalogs = createCatalogs({
    source: client,
    records: store.keyv('catalogs', catalogRecordRules),
    service: service.access.url,
    clock,
    onError: (error, catalog) => notices.listTrouble(error, `the catalog ${catalog} could not be refreshed`),
  });
  const aliases = createAliases({
    records: aliasRecords,
    service: client.aliases,
    customFilters: client.customFilters,
    knownFilters: () => catalogs.load('mine'),
    changed: aliasNames.changed,
    now: clock.now,
  });
  const filterNames = createFilterNames(catalogs, aliasNames);
  const filterOrders = createFilterOrders({
    async jobsOf(person) {
      const jobs = await store.jobs.ofPerson(person, RECENT_JOBS);
      return jobs
        .filter(({ forget }) => !forget)
        .map(({ request, place, private: isPrivate }) => ({
          request,
          community: place.community,
          channel: place.channel,
          private: isPrivate,
        }));
    },
    tallies: store.tallies,
    aliasesOf,
    idsOf: records.rules.idsOf,
    clock,
    onError: (error) => log.warn({ err: error }, 'the order of filters could not be read'),
  });
  const catalogPort = createCatalogPort({ filterNames, filterOrders, previews, platforms });

  return {
    aliases,
    aliasesOf,
    catalogs,
    filterNames,
    filterOrders,
    /** Turns what was typed into a filter. */
    resolve: createReferences(catalogs, aliases.named, aliasNames.peek),
    catalogPort,
    /** Loads the lists and keeps them new, and repairs aliases that a crash left unfinished. */
    start(): void {
      opened.defer(catalogs.start());
      aliases
        .reconcile()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'aliases could not be repaired; the next /alias list retries'),
        );
    },
  };
}
