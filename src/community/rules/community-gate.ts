import type { CommunityGate } from '../../command/community-gate.ts';
import { isSameChannel } from '../../command/place.ts';
import type { CommunityRules } from './settings.ts';

/** Reads the rules at every call, so that a block or pause takes effect at once. */
export function createCommunityGate(
  rules: Pick<CommunityRules, 'isBlocked' | 'show' | 'blockedWordIn' | 'language'>,
  unapproved: CommunityGate['unapproved'] = async () => false,
): CommunityGate {
  return {
    unapproved,
    blocked: (caller, place) => rules.isBlocked(place.community, caller.id),
    async otherChannels(place) {
      if (place.direct) return undefined;
      const { channels } = await rules.show(place.community);
      return channels?.some((each) => isSameChannel(each, place)) ? undefined : channels;
    },
    paused: async (place) => (await rules.show(place.community)).paused,
    banned: async (place, texts) =>
      (await rules.blockedWordIn(place.community, texts.join('\n'))) !== undefined,
    language: ({ community }) => rules.language(community),
  };
}
