import type { View } from '../../command/view.ts';
import type { Campaign } from '../../community/campaigns/campaign-records.ts';
import type { CampaignNotices } from '../../community/campaigns/carry-out.ts';
import type { Audit } from '../../community/rules/audit.ts';
import type { Log } from '../../log/log.ts';
import type { Store } from '../../store/tables/store.ts';
import { wordsFor } from '../../words/words.ts';
import type { Outgoing } from '../platforms/outgoing.ts';

/** What becomes of campaigns: an audit line, which the log channel gets too; what went wrong also to the moderator who made it. */
export function createCampaignNotices(
  audit: Pick<Audit, 'note'>,
  lines: Pick<Store['audit'], 'since'>,
  outgoing: Pick<Outgoing, 'say'>,
  log: Pick<Log, 'warn'>,
): CampaignNotices {
  const tell = ({ by, alias, label }: Campaign, what: 'missed' | 'failed' | 'delayed'): void => {
    const view: View = { tone: 'failed', lines: [wordsFor(by.locale).campaign.notices[what](alias, label)] };
    outgoing
      .say({ caller: by }, view)
      .catch((error: unknown) => log.warn({ err: error }, 'a moderator could not be told of a campaign'));
  };
  const isNoted = async (community: string, action: string, at: number, name: string): Promise<boolean> => {
    for await (const line of lines.since(at, community))
      if (line.action === action && line.detail.name === name) return true;
    return false;
  };

  return {
    async happened(community, campaign, { what, at, reason = '' }, again) {
      const { by, alias: name, label: filter } = campaign;
      const action = `campaign.${what}`;
      if (again && (await isNoted(community, action, at, name))) return;
      await audit.note(by, { community }, action, { name, filter, reason });
      if (what === 'missed' || what === 'failed') tell(campaign, what);
    },
    async delayed(community, campaign) {
      const { by, alias: name, label: filter } = campaign;
      await audit.note(by, { community }, 'campaign.delayed', { name, filter });
      tell(campaign, 'delayed');
    },
  };
}
