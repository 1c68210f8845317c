import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import { listRecords } from '../../community/catalog/catalog.ts';
import { createFilterOrders } from '../../community/catalog/filter-order.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Notices } from '../notices/open.ts';
import type { Photos } from '../photos/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { ConnectedService } from '../service/connect-service.ts';
import { createCatalogPort } from './catalog-port.ts';
import { openFilterNames } from './filter-names.ts';
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
  readonly previews: Photos['previews'];
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { store, service, records, previews, platforms, clock, log, opened } = parts;
  const { aliases, aliasesOf, filterNames, catalogs, resolve } = openFilterNames({
    store: records.aliases,
    lists: store.keyv('catalogs', listRecords),
    service: service.access.url,
    client: service.client,
    clock,
    isShared: parts.members.isShared,
    onError: parts.notices.listTrouble,
  });
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
    resolve,
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
