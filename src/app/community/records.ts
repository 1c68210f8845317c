import type { Clock } from '../../base/clock.ts';
import { randomId } from '../../base/random-id.ts';
import { aliasRecordRules } from '../../community/aliases/alias-records.ts';
import { approvalRecordRules, createApprovals } from '../../community/approvals/approvals.ts';
import { campaignRecordRules } from '../../community/campaigns/campaign-records.ts';
import { communityRecordRules, createCommunityRules } from '../../community/rules/community-rules.ts';
import { consentRecordRules, createConsents } from '../../community/rules/consent.ts';
import { createLeftCommunities, leftCommunityRecordRules } from '../../community/rules/left-communities.ts';
import { createReportRecords, reportRecordRules } from '../../community/rules/report-records.ts';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../store/tables/store.ts';

export type CommunityRecords = ReturnType<typeof openCommunityRecords>;

/** The records about communities. Notices need these records, and the rest of the communities needs records and notices. */
export function openCommunityRecords(config: Config, store: Pick<Store, 'keyv'>, { now }: Clock) {
  const settings = store.keyv('settings', communityRecordRules);
  const aliases = store.keyv('aliases', aliasRecordRules);
  const campaigns = store.keyv('campaigns', campaignRecordRules);
  const approvals = store.keyv('approvals', approvalRecordRules);
  return {
    aliases,
    campaigns,
    /** The namespaces whose keys are ids of communities. */
    byCommunity: [settings, aliases, campaigns, approvals],
    rules: createCommunityRules(settings, now),
    approvals: createApprovals(approvals, now, () => randomId(9)),
    consents: createConsents(store.keyv('consent', consentRecordRules), config.consent === 'required', now),
    reports: createReportRecords(store.keyv('reports', reportRecordRules), now),
    leftCommunities: createLeftCommunities(store.keyv('left', leftCommunityRecordRules), now),
  };
}
