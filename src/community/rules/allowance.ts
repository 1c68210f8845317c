import type { CommunitySettings } from '../../command/community-settings.ts';
import { roleKey } from '../../command/place.ts';
import type { Allowance } from '../../command/ports.ts';

export type AllowanceOf = ReturnType<typeof createAllowanceOf>;

/** What a moderator or an owner gave. */
interface Given {
  readonly credits: number;
  readonly byOwner?: true;
}

/** `standard`: the owner's default. `most`: what moderators can give; what an owner gave counts as it is. */
export function createAllowanceOf(standard: number, most: number) {
  const counted = ({ credits, byOwner }: Given): number => (byOwner ? credits : Math.min(credits, most));
  const given = (one: Given, source: Allowance['source']): Allowance => ({
    credits: counted(one),
    source,
    ...(one.byOwner ? { byOwner: true } : {}),
  });
  const ofCommunity = ({ credits, creditsByOwner }: CommunitySettings): Allowance =>
    credits === undefined
      ? { credits: standard, source: 'default', byOwner: true }
      : given({ credits, ...(creditsByOwner ? { byOwner: true } : {}) }, 'community');
  return {
    counted,
    ofCommunity,
    most,
    /** What moderators can grant one person a day: where an owner set the daily credits, no more than those. */
    mostGranted: ({ credits = most, creditsByOwner }: CommunitySettings): number =>
      creditsByOwner ? Math.min(credits, most) : most,
    /** A person's own, else the highest of their roles, else the community's, else the default. */
    of(rules: CommunitySettings, person: string, roles: readonly string[] = []): Allowance {
      const { allowances = [] } = rules;
      const own = allowances.find(({ who }) => who === person);
      if (own !== undefined) return given(own, 'own');
      const held = new Set(roles.map(roleKey));
      const [best] = allowances
        .filter(({ who }) => held.has(who))
        .toSorted((one, other) => counted(other) - counted(one));
      return best === undefined ? ofCommunity(rules) : given(best, 'role');
    },
  };
}
