import type { Clock } from '../../base/clock.ts';
import type { Approvals } from '../../community/approvals/approvals.ts';
import { createAudit } from '../../community/rules/audit.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { ReportRecords } from '../../community/rules/report-records.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/tables/store.ts';
import { languages, type Words } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { Residents } from '../platforms/residents.ts';
import { approvalNoticeRecordRules, createApprovalNotices } from './approval-notices.ts';
import { ceilingNoticeRecordRules, createCeilingNotices } from './ceiling-notices.ts';
import { createHeldNotices } from './held-notices.ts';
import { createLogChannel } from './log-channel.ts';
import {
  createAliasNotices,
  createCampaignNotices,
  createListTroubles,
  createOwnerNotices,
} from './notices.ts';
import { createOwners } from './owners.ts';
import { createReports } from './reports.ts';

export type Notices = ReturnType<typeof openNotices>;

/** Notices to owners and moderators who have not asked for them, and the audit trail, which log channels show. */
export function openNotices(parts: {
  readonly config: Config;
  readonly store: Pick<Store, 'keyv' | 'audit' | 'trouble'>;
  readonly platforms: PlatformRegistry;
  readonly residents: Pick<Residents, 'owners'>;
  readonly rules: CommunityRules;
  readonly approvals: Approvals;
  readonly reports: ReportRecords;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { config, store, platforms, rules, approvals, reports, clock, log } = parts;
  const owners = createOwners(config, parts.residents.owners);
  const { tell: tellOwners, tellOfCeiling } = createOwnerNotices(
    { owners, platforms, clock, log, price: config.creditPrice },
    store.trouble,
  );
  const wordsIn = async (community: string): Promise<Words> => {
    const chosen = await rules.language(community).catch(() => undefined);
    return chosen === undefined ? owners.words : languages[chosen];
  };
  const channel = createLogChannel(rules, platforms, clock, log);
  const audit = createAudit(store.audit, channel.tell, clock.now, owners.inConsole);
  return {
    owners,
    tellOwners,
    /** In the language of a community's log channel. */
    wordsIn,
    audit,
    askForApproval: createApprovalNotices(
      { platforms, owners, clock, log },
      approvals,
      store.keyv('approval-notices', approvalNoticeRecordRules),
    ),
    ceilings: createCeilingNotices(
      store.keyv('ceilings', ceilingNoticeRecordRules),
      { day: config.ceilings.service, month: config.ceilings.month },
      { tell: tellOfCeiling, clock, log },
    ),
    listTrouble: createListTroubles(tellOwners, clock, log),
    aliasBroken: createAliasNotices(channel, audit, { wordsIn, clock, log }),
    campaigns: createCampaignNotices(audit, store.audit, platforms, log),
    held: createHeldNotices({ platforms, owners, wordsIn, channel }),
    reported: createReports({ clock, platforms, owners, wordsIn, audit, channel, reports }),
  };
}
