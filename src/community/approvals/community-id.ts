import { isIdOf, PLATFORMS } from '../../adapters/profiles.ts';

/** A community that can be approved, named as the owners' notice names it: `telegram:-100123`, `telegram:dm:42`. */
export function readCommunityId(typed: string): string | undefined {
  const id = typed.trim().toLowerCase();
  const [name, rest = ''] = id.split(/:(.*)/s);
  const platform = PLATFORMS.find((each) => each === name);
  if (platform === undefined) return undefined;
  const isKnown = rest.startsWith('dm:')
    ? isIdOf(platform, 'directChat', rest.slice(3))
    : isIdOf(platform, 'community', rest);
  return isKnown ? id : undefined;
}
