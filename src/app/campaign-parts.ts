import { type Clock, waitAtMost } from '../base/clock.ts';
import type { Members } from '../base/members/members.ts';
import type { Aliases } from '../community/aliases/aliases.ts';
import { createCampaignRecords } from '../community/campaigns/campaign-records.ts';
import { createCampaignTimer } from '../community/campaigns/campaign-timer.ts';
import { createCampaigns } from '../community/campaigns/campaigns.ts';
import {
  type CampaignNotices,
  type CarryOutParts,
  createCarryOut,
} from '../community/campaigns/carry-out.ts';

/** An answer waits so long for what is due at once. */
const LONGEST_NUDGE_MS = 2_000;

/** Campaigns: what moderators schedule, and the timer that carries it out. */
export function createCampaignParts(parts: {
  readonly store: Parameters<typeof createCampaignRecords>[0];
  readonly aliases: Pick<Aliases, 'forPerson' | 'pointTo'>;
  readonly zoneOf: (community: string) => Promise<string>;
  readonly isUnapproved: CarryOutParts['isUnapproved'];
  readonly notices: CampaignNotices;
  readonly members: Pick<Members, 'hold'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly onError: (error: unknown) => void;
}) {
  const { aliases, zoneOf, isUnapproved, notices, members, clock, newId, onError } = parts;
  const { now } = clock;
  const records = createCampaignRecords(parts.store);
  const carryOut = createCarryOut({ records, aliases, isUnapproved, notices, now });
  const campaignTimer = createCampaignTimer({ records, carryOut, members, clock, onError });
  const nudge = async (community: string): Promise<void> => {
    await waitAtMost(clock, LONGEST_NUDGE_MS, campaignTimer.nudge(community));
  };
  return { campaignTimer, campaigns: createCampaigns({ records, aliases, zoneOf, nudge, clock, newId }) };
}
