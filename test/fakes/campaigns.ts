import { createCampaignNotices } from '../../src/app/notices/notices.ts';
import type { Members } from '../../src/base/members/members.ts';
import type { Caller } from '../../src/command/place.ts';
import { createAliasRecords } from '../../src/community/aliases/alias-records.ts';
import { createAliases } from '../../src/community/aliases/aliases.ts';
import { campaignRecordRules } from '../../src/community/campaigns/campaign-records.ts';
import { createCampaigns } from '../../src/community/campaigns/campaigns.ts';
import { createAudit } from '../../src/community/rules/audit.ts';
import { createGenerationClient, type GenerationClient } from '../../src/generation-client/client.ts';
import type { Pace } from '../../src/generation-client/wire/call.ts';
import type { Store } from '../../src/store/tables/store.ts';
import { viewText } from './call.ts';
import type { FakeClock } from './clock.ts';
import { serviceError } from './orchestrator-world.ts';
import { createGenerationService } from './service/service.ts';
import { soleMember } from './sole-member.ts';

/** The moderator who schedules campaigns. */
export const mod: Caller = { platform: 'discord', id: '7', name: 'Mod', locale: 'en' };
/** A callback for the begin of a campaign that does nothing. */
export const noBegin = async (): Promise<void> => undefined;

/** Opens a generation service, with a client of it and the filters that aliases can point to. */
export const openService = async (pace?: Pace) => {
  const service = await createGenerationService({ dataDir: ':memory:' });
  const { url, apiKey, token } = service;
  const client = createGenerationClient({ baseUrl: url, apiKey, token, pace });
  const filters = (await client.customFilters()).filter(({ model }) => model === 'face');
  return {
    url,
    client,
    filters: filters.map(({ id }) => id),
    names: filters.map(({ name }) => name),
    async close() {
      await client.close();
      await service.close();
    },
  };
};

/** The error of a service that cannot be reached. */
export const away = serviceError('unavailable', true);

/** Opens one process of a program: aliases and campaigns over a store, the service and a clock. */
export const openProcess = (parts: {
  readonly store: Store;
  readonly client: GenerationClient;
  readonly clock: FakeClock;
  readonly members?: Members;
  readonly zone?: string;
  readonly isUnapproved?: () => boolean;
  readonly service?: Partial<GenerationClient['aliases']>;
  readonly customFilters?: GenerationClient['customFilters'];
}) => {
  const { store, client, clock, members = soleMember } = parts;
  const { now } = clock;
  const records = createAliasRecords(store.keyv('aliases'));
  const calls: string[] = [];
  const told: string[] = [];
  const errors: unknown[] = [];
  const service: GenerationClient['aliases'] = {
    ...client.aliases,
    ...parts.service,
    update: async (id, to) => {
      calls.push(to.filter);
      return (parts.service?.update ?? client.aliases.update)(id, to);
    },
  };
  const aliases = createAliases({
    records,
    service,
    customFilters: parts.customFilters ?? (() => client.customFilters()),
    knownFilters: async () => undefined,
    changed: () => undefined,
    now,
  });
  const notices = createCampaignNotices(
    createAudit(store.audit, () => undefined, now),
    store.audit,
    {
      async say(to, view) {
        told.push(`${'caller' in to ? to.caller.id : '-'}: ${viewText(view)}`);
        return { state: 'drawn' };
      },
    },
    { warn: () => undefined },
  );
  let ids = 0;
  const campaigns = createCampaigns(store.keyv('campaigns', campaignRecordRules), {
    aliases,
    zoneOf: async () => parts.zone ?? 'UTC',
    isUnapproved: async () => parts.isUnapproved?.() ?? false,
    notices,
    members,
    clock,
    newId: () => `${now()}-${++ids}`,
    onError: (error) => void errors.push(error),
  });
  return {
    aliases,
    campaigns,
    start: campaigns.start,
    /** Filters to which aliases were pointed at the service. */
    calls,
    /** Messages to moderators. */
    told,
    errors,
    schedule: (community: string, name: string, filter: string, from: string, until?: string) =>
      campaigns.schedule(community, mod, { name, filter, from, until }, noBegin),
    pointsTo: async (community: string, name: string) => (await aliases.show(community, name)).filter?.id,
    /** Audit lines of campaigns, oldest first. */
    trail: async (community: string): Promise<readonly string[]> =>
      (await store.audit.recent(community, 100))
        .toReversed()
        .map(({ action, detail }) => [action, detail.reason].filter(Boolean).join(' ')),
  };
};
/** A process of `openProcess`. */
export type Process = ReturnType<typeof openProcess>;
