import type { Aliases } from '../community/aliases/aliases.ts';
import type { Approvals } from '../community/approvals/approvals.ts';
import type { Campaigns } from '../community/campaigns/campaigns.ts';
import type { CommunityRules } from '../community/rules/settings.ts';
import type { GrantRecords } from '../store/tables/grants.ts';

export interface ForgetParts {
  readonly rules: CommunityRules;
  readonly aliases: Pick<Aliases, 'clear'>;
  readonly campaigns: Pick<Campaigns, 'clear'>;
  readonly approvals: Pick<Approvals, 'forget'>;
  readonly grants: Pick<GrantRecords, 'list' | 'takeBack'>;
  readonly now: () => number;
}

/**
 * Forgets what a community has here: campaigns, aliases (at the service, too), grants, settings (but for an
 * owner's word), its approval. Jobs, counters and audit
 * lines end by themselves. Safe to repeat after a crash: the settings, which know its other ids, go last.
 */
export function createForgetCommunity({ rules, aliases, campaigns, approvals, grants, now }: ForgetParts) {
  return async (community: string): Promise<void> => {
    await campaigns.clear(community);
    await aliases.clear(community);
    const first = await rules.first(community);
    const others = await rules.otherIds(community);
    const ids = [community, ...others];
    for (const { person } of await grants.list(first))
      await grants.takeBack({ community: first, ids, person, at: now() });
    await approvals.forget(ids);
    await rules.forget(community, others);
  };
}
