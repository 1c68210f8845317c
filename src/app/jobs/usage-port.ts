import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Incoming } from '../../command/desk.ts';
import { type Caller, personKey } from '../../command/place.ts';
import type { UsagePort } from '../../command/usage-port.ts';
import type { AllowanceOf } from '../../community/rules/allowance.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { Permission } from '../../community/rules/moderators.ts';
import type { Config } from '../../config/config.ts';
import { dayEnd } from '../../orchestrator/job/day.ts';
import type { JobOrder, UsageCount, UsageRecords } from '../../orchestrator/job/records.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { GrantRecords } from '../../store/tables/grants.ts';
import { monthCredits } from '../figures/month-credits.ts';

export type CreditsFor = ReturnType<typeof createCredits>['creditsFor'];

/** The part paid from the day's credits, without grants. A community has no grants of its own. */
const dayPart = ({ spent, reserved, granted = 0 }: UsageCount): number => spent + reserved - granted;

/** What a person can spend, and has spent, in a community. */
export function createCredits(
  parts: {
    readonly orchestrator: Pick<Orchestrator, 'usage' | 'communityUsage'>;
    readonly rules: Pick<CommunityRules, 'first' | 'otherIds' | 'show'>;
    readonly allowances: AllowanceOf;
    readonly grants: Pick<GrantRecords, 'left'>;
    readonly records: Pick<UsageRecords, 'totalsOn'>;
    readonly isOwner: (caller: Caller) => boolean;
    readonly clock: Pick<Clock, 'now'>;
  },
  config: Pick<Config, 'ceilings' | 'creditPrice'>,
) {
  const { orchestrator, rules, allowances, grants, records, isOwner, clock } = parts;
  const { community: communityCeiling } = config.ceilings;
  /** Credits used today under other ids of the same community (it got a new id): they count too. */
  const usedUnderOtherIds = async (community: string, read: (id: string) => Promise<UsageCount>) => {
    const counts = await Promise.all((await rules.otherIds(community)).map(read));
    return counts.reduce((sum, count) => sum + dayPart(count), 0);
  };

  return {
    /** What a new job can be paid from. */
    async creditsFor({
      caller,
      roles,
      place: { community },
    }: Pick<Incoming, 'caller' | 'place' | 'roles'>): Promise<
      Pick<JobOrder, 'dailyCredits' | 'mostGiven' | 'grantsOf' | 'communityCredits'>
    > {
      const { credits, byOwner } = allowances.of(await rules.show(community), caller.id, roles);
      const person = personKey(caller);
      const before = await usedUnderOtherIds(community, (id) => orchestrator.usage(id, person));
      const communityCredits =
        communityCeiling === undefined
          ? undefined
          : communityCeiling - (await usedUnderOtherIds(community, orchestrator.communityUsage));
      const grantsOf = await rules.first(community);
      const mostGiven = byOwner ? undefined : allowances.most - before;
      return { dailyCredits: credits - before, grantsOf, ...defined({ mostGiven, communityCredits }) };
    },
    usagePort: (incoming: Incoming, permission: Permission): UsagePort => ({
      async mine() {
        const { caller, roles } = incoming;
        const { community } = incoming.place;
        const person = personKey(caller);
        const before = await usedUnderOtherIds(community, (id) => orchestrator.usage(id, person));
        const count = await orchestrator.usage(community, person);
        const first = await rules.first(community);
        const left = await grants.left(first, person);
        const { granted = 0 } = count;
        const { given = 0 } = await orchestrator.usage(first, person);
        const spent = Math.min(count.spent, dayPart(count));
        const { credits, source, byOwner } = allowances.of(await rules.show(community), caller.id, roles);
        // Grants come first out of what moderators can give in a day.
        const limit = byOwner ? credits : Math.max(0, Math.min(credits, allowances.most - given));
        return {
          used: before + spent,
          reserved: dayPart(count) - spent,
          limit,
          source,
          resetsAt: dayEnd(clock.now()),
          granted: { used: granted, left },
        };
      },
      async community() {
        await permission.demand();
        const { community } = incoming.place;
        const before = await usedUnderOtherIds(community, orchestrator.communityUsage);
        const { spent, reserved, people, jobs } = await orchestrator.communityUsage(community);
        return { used: before + spent, reserved, people, jobs, ...defined({ ceiling: communityCeiling }) };
      },
      async month() {
        const limits = defined({ ceiling: config.ceilings.month, price: config.creditPrice });
        if (!isOwner(incoming.caller) || Object.keys(limits).length === 0) return undefined;
        return { used: await monthCredits(records, clock.now()), ...limits };
      },
    }),
  };
}
