import { PLATFORMS, profileOf } from '../../adapters/profiles.ts';

/** A community that can be approved, named as the owners' notice names it: `telegram:-100123`, `telegram:dm:42`. */
export function readCommunityId(typed: string): string | undefined {
  const id = typed.trim().toLowerCase();
  const [name, rest = ''] = id.split(/:(.*)/s);
  const platform = PLATFORMS.find((each) => each === name);
  if (platform === undefined) return undefined;
  const { community, directChat } = profileOf(platform).ids;
  return (rest.startsWith('dm:') ? directChat.test(rest.slice(3)) : community.test(rest)) ? id : undefined;
}
