import type { CommunityGate } from '../../command/community-gate.ts';
import { isSameChannel } from '../../command/place.ts';
import type { CommunityRules } from './settings.ts';

/** Reads the rules at every call, so that a block or pause takes effect at once. */
export function createCommunityGate(
  rules: Pick<CommunityRules, 'isBlocked' | 'show' | 'presentPlace' | 'blockedWordIn' | 'language'>,
  unapproved: CommunityGate['unapproved'] = async () => false,
): CommunityGate {
  const blocked: CommunityGate['blocked'] = (caller, place) => rules.isBlocked(place.community, caller.id);
  return {
    unapproved,
    blocked,
    async refusal(caller, asked, texts) {
      const place = await rules.presentPlace(asked);
      if (await unapproved(caller, place)) return { code: 'unapproved' };
      if (await blocked(caller, place)) return { code: 'blocked' };
      const { paused, channels } = await rules.show(place.community);
      if (paused !== undefined) return { code: 'paused', pause: paused };
      if (!place.direct && channels?.some((each) => isSameChannel(each, place)) === false)
        return { code: 'other-channel', channels };
      const word = texts.length > 0 && (await rules.blockedWordIn(place.community, texts.join('\n')));
      return word ? { code: 'banned-word' } : undefined;
    },
    language: ({ community }) => rules.language(community),
  };
}
