import type { Clock } from '../../base/clock.ts';
import { randomId } from '../../base/random-id.ts';
import { aliasRecords } from '../../community/aliases/alias-records.ts';
import { approvalRecords, createApprovals } from '../../community/approvals/approvals.ts';
import { campaignRecords } from '../../community/campaigns/campaign-records.ts';
import { createCommunityRules, ruleRecords } from '../../community/rules/community-rules.ts';
import { consentRecords, createConsents } from '../../community/rules/consent.ts';
import { createLeftCommunities, leftRecords } from '../../community/rules/left-communities.ts';
import { createReportRecords, reportRecords } from '../../community/rules/report-records.ts';
import type { Config } from '../../config/config.ts';
import type { Store } from '../../store/tables/store.ts';

export type CommunityRecords = ReturnType<typeof openCommunityRecords>;

/** The records about communities. Notices need these records, and the rest of the communities needs records and notices. */
export function openCommunityRecords(config: Config, store: Pick<Store, 'keyv'>, { now }: Clock) {
  const settings = store.keyv('settings', ruleRecords);
  const aliases = store.keyv('aliases', aliasRecords);
  const campaigns = store.keyv('campaigns', campaignRecords);
  const approvals = store.keyv('approvals', approvalRecords);
  return {
    aliases,
    campaigns,
    /** The namespaces whose keys are ids of communities. */
    byCommunity: [settings, aliases, campaigns, approvals],
    rules: createCommunityRules(settings, now),
    approvals: createApprovals(approvals, now, () => randomId(9)),
    consents: createConsents(store.keyv('consent', consentRecords), config.consent === 'required', now),
    reports: createReportRecords(store.keyv('reports', reportRecords), now),
    leftCommunities: createLeftCommunities(store.keyv('left', leftRecords), now),
  };
}
