import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import { randomId } from '../../base/random-id.ts';
import { createAliasesPort } from '../../community/campaigns/aliases-port.ts';
import { createCampaigns } from '../../community/campaigns/campaigns.ts';
import { createCommunityStats } from '../../community/stats/community-stats.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../log/log.ts';
import type { Decoder } from '../../picture/decoder.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Notices } from '../notices/open.ts';
import type { Photos } from '../photos/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { ConnectedService } from '../service/connect-service.ts';
import { openAccess } from './access.ts';
import { createCommunityWatch } from './community-watch.ts';
import { openFilters } from './filters.ts';
import type { CommunityRecords } from './records.ts';
import { createStatsPort } from './stats-port.ts';

export type Communities = ReturnType<typeof openCommunities>;

/** Communities: who may do what there, their filters, campaigns and statistics, and what becomes of one that the bot has left. */
export function openCommunities(parts: {
  readonly config: Config;
  readonly store: Store;
  readonly members: Members;
  readonly platforms: PlatformRegistry;
  readonly service: Pick<ConnectedService, 'access' | 'client'>;
  readonly decoder: Decoder;
  readonly records: CommunityRecords;
  readonly notices: Notices;
  readonly previews: Photos['previews'];
  readonly clock: Clock;
  readonly log: Log;
  readonly opened: AsyncDisposableStack;
}) {
  const { store, members, platforms, decoder, records, notices, clock, log, opened } = parts;
  const { rules, approvals, leftCommunities } = records;

  const access = openAccess(parts);
  const { start: startFilters, ...lists } = openFilters(parts);
  const { aliases, aliasesOf, catalogs } = lists;

  const campaigns = createCampaigns(records.campaigns, {
    aliases,
    zoneOf: rules.timeZone,
    isUnapproved: access.isUnapproved,
    notices: notices.campaigns,
    members,
    clock,
    newId: () => randomId(9),
    onError: (error) => log.warn({ err: error }, 'a campaign could not be carried out; it is tried again'),
  });
  const aliasesPort = createAliasesPort(aliases, campaigns, notices.audit);
  const watch = createCommunityWatch({
    platforms,
    leftCommunities,
    approvals,
    rules,
    aliases,
    campaigns,
    grants: store.grants,
    records: records.byCommunity,
    askOwners: access.approvalNeeded ? notices.askForApproval : undefined,
    members,
    clock,
    log,
  });
  const stats = createCommunityStats({
    tallies: store.tallies,
    peopleOn: store.usage.peopleOn,
    idsOf: rules.idsOf,
    timeZoneOf: rules.timeZone,
    aliasesOf,
    catalogs,
    clock,
  });

  return {
    ...access,
    ...lists,
    campaigns,
    watch,
    aliasesPort,
    statsPort: createStatsPort({ decoder, clock, log }, stats),
    /** A community got a new id. */
    async migrated(from: string, to: string): Promise<void> {
      await rules.move(from, to);
      // Given under the new id before this was known.
      const first = await rules.first(to);
      for (const { person } of first === to ? [] : await store.grants.list(to))
        await store.grants.follow(to, { community: first, person, at: clock.now() });
      await aliases.move(from, to);
      await campaigns.move(from, to, (id) => aliases.nameOf(to, id));
      await approvals.move(from, to);
      // The platform may have reported first that the bot is no longer in the old one.
      await leftCommunities.over(from);
    },
    /** Before the platforms: the first people who come are offered filters. */
    startFilters,
    /** After the platforms, which both ask and tell: what campaigns have to do by themselves, and where the bot still is. */
    startBackground(): void {
      opened.defer(campaigns.start());
      opened.defer(watch.start());
    },
  };
}
