import type { Clock } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import { randomId } from '../../base/random-id.ts';
import { type Caller, personKey } from '../../command/place.ts';
import { createApprovalsPort } from '../../community/approvals/approvals-port.ts';
import { createAliasesPort } from '../../community/campaigns/aliases-port.ts';
import { createCampaigns } from '../../community/campaigns/campaigns.ts';
import { listRecords } from '../../community/catalog/catalog.ts';
import { createFilterOrders } from '../../community/catalog/filter-order.ts';
import { createAllowanceOf } from '../../community/rules/allowance.ts';
import { createCommunityGate } from '../../community/rules/community-rules.ts';
import { createModerators } from '../../community/rules/moderators.ts';
import { createSettingsPort } from '../../community/rules/settings-port.ts';
import { createCommunityStats } from '../../community/stats/community-stats.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../log/log.ts';
import type { Decoder } from '../../picture/decoder.ts';
import type { Store } from '../../store/tables/store.ts';
import type { Notices } from '../notices/open.ts';
import type { Photos } from '../photos/open.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { ConnectedService } from '../service/connect-service.ts';
import { createCatalogPort } from './catalog-port.ts';
import { createCommunityWatch } from './community-watch.ts';
import { createNames } from './filter-names.ts';
import type { CommunityRecords } from './records.ts';
import { createStatsPort } from './stats-port.ts';

export type Communities = ReturnType<typeof openCommunities>;

/** How many of a person's jobs are searched for recent filters; reading one costs a tenth of a millisecond. */
const RECENT_JOBS = 25;

/** Communities: who moderates them and what is admitted there, names of filters, campaigns, statistics, and what becomes of one that is left. */
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
}) {
  const { config, store, members, platforms, service, decoder, records, notices, clock, log } = parts;
  const { rules, approvals } = records;
  const { owners, audit } = notices;

  // Who may, and what is admitted
  const moderators = createModerators(
    owners.people.map(personKey),
    async (caller, place) => (await platforms.of(place.platform)?.isModerator(caller, place)) ?? false,
    owners.inConsole,
  );
  const approvalNeeded = config.communities === 'approved';
  const isUnapproved = async (caller: Caller, community: string): Promise<boolean> =>
    approvalNeeded && !moderators.isOwner(caller) && !(await approvals.isApproved(community));
  const gate = createCommunityGate(rules, (caller, { community }) => isUnapproved(caller, community));
  const approvalsPort = createApprovalsPort({
    approvals,
    rules,
    moderators,
    audit,
    gate,
    say: platforms.say,
    isNeeded: approvalNeeded,
    ownerWords: owners.words,
  });
  const allowances = createAllowanceOf(config.user.dailyCredits, config.user.mostDailyCredits);
  const settingsPort = createSettingsPort({
    rules,
    moderators,
    audit,
    allowances,
    grants: store.grants,
    personName: async (user, place) => platforms.of(place.platform)?.personName?.(user, place),
    onDisk: store.jobs.onDisk,
    now: clock.now,
  });

  // Filters and their names
  const { aliases, aliasesOf, filterNames, catalogs, resolve } = createNames({
    store: records.aliases,
    lists: store.keyv('catalogs', listRecords),
    service: service.access.url,
    client: service.client,
    clock,
    isShared: members.isShared,
    onError: notices.listTrouble,
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
    idsOf: rules.idsOf,
    clock,
    onError: (error) => log.warn({ err: error }, 'the order of filters could not be read'),
  });
  const catalogPort = createCatalogPort({ filterNames, filterOrders, previews: parts.previews, platforms });

  // Work that begins by itself
  const campaigns = createCampaigns(records.campaigns, {
    aliases,
    zoneOf: rules.timeZone,
    isUnapproved,
    notices: notices.campaigns,
    members,
    clock,
    newId: () => randomId(9),
    onError: (error) => log.warn({ err: error }, 'a campaign could not be carried out; it is tried again'),
  });
  const aliasesPort = createAliasesPort(aliases, campaigns, audit);
  const watch = createCommunityWatch({
    platforms,
    leftCommunities: records.leftCommunities,
    approvals,
    rules,
    aliases,
    campaigns,
    grants: store.grants,
    records: records.byCommunity,
    askOwners: approvalNeeded ? notices.askForApproval : undefined,
    members,
    clock,
    log,
  });

  const statsPort = createStatsPort(
    { decoder, clock, log },
    createCommunityStats({
      tallies: store.tallies,
      peopleOn: store.usage.peopleOn,
      idsOf: rules.idsOf,
      timeZoneOf: rules.timeZone,
      aliasesOf,
      catalogs,
      clock,
    }),
  );

  return {
    moderators,
    gate,
    allowances,
    aliases,
    catalogs,
    filterNames,
    filterOrders,
    campaigns,
    watch,
    /** Turns what was typed into a filter. */
    resolve,
    catalogPort,
    aliasesPort,
    settingsPort,
    statsPort,
    approvalsPort,
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
      await records.leftCommunities.over(from);
    },
  };
}
