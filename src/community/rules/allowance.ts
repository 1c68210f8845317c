import { defined } from '../../base/defined.ts';
import type { CommunitySettings } from '../../command/community-settings.ts';
import { roleKey } from '../../command/place.ts';
import type { Allowance } from '../../command/usage-port.ts';

export type AllowanceOf = ReturnType<typeof createAllowanceOf>;

/** Credits that a moderator or an owner has given. */
interface Given {
  readonly credits: number;
  readonly byOwner?: true;
}

/**
 * Makes the rules of allowances. `standard`: the owner's default. `most`: the limit of what moderators can give, which does
 * not apply to owners.
 */
export function createAllowanceOf(standard: number, most: number) {
  /** The most that moderators can give one person a day: no more than the daily credits, if an owner has set those. */
  const mostGiven = ({ credits = most, creditsByOwner }: CommunitySettings): number =>
    creditsByOwner ? Math.min(credits, most) : most;
  const counted = (rules: CommunitySettings, { credits, byOwner }: Given): number =>
    byOwner ? credits : Math.min(credits, mostGiven(rules));
  const given = (rules: CommunitySettings, one: Given, source: Allowance['source']): Allowance => ({
    credits: counted(rules, one),
    source,
    ...defined({ byOwner: one.byOwner }),
  });
  const ofCommunity = (rules: CommunitySettings): Allowance =>
    rules.credits === undefined
      ? { credits: standard, source: 'default', byOwner: true }
      : given(rules, { credits: rules.credits, ...defined({ byOwner: rules.creditsByOwner }) }, 'community');
  return {
    counted,
    ofCommunity,
    most,
    mostGiven,
    /** Finds a person's allowance: their own, else the highest of their roles, else the community's, else the default. */
    of(rules: CommunitySettings, person: string, roles: readonly string[] = []): Allowance {
      const { allowances = [] } = rules;
      const own = allowances.find(({ who }) => who === person);
      if (own !== undefined) return given(rules, own, 'own');
      const held = new Set(roles.map(roleKey));
      const [best] = allowances
        .filter(({ who }) => held.has(who))
        .toSorted((one, other) => counted(rules, other) - counted(rules, one));
      return best === undefined ? ofCommunity(rules) : given(rules, best, 'role');
    },
  };
}
