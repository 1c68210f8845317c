import type { CommunitySettings } from '../../command/ports.ts';

/** A person's daily credits in a community. */
export interface Allowance {
  readonly credits: number;
  readonly source: 'community' | 'default';
}

export type AllowanceOf = ReturnType<typeof createAllowanceOf>;

/** `standard`: the owner's default. `most`: what moderators can give; what an owner gave counts as it is. */
export function createAllowanceOf(standard: number, most: number) {
  return (rules: Pick<CommunitySettings, 'credits' | 'creditsByOwner'>): Allowance =>
    rules.credits === undefined
      ? { credits: standard, source: 'default' }
      : {
          credits: rules.creditsByOwner ? rules.credits : Math.min(rules.credits, most),
          source: 'community',
        };
}
