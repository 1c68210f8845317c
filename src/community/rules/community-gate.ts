import type { Gate } from '../../command/community-gate.ts';
import type { CommunityRules } from './settings.ts';

/** What a community decided, asked anew each time: a block or a pause holds from the next word on. */
export const createGate = (rules: Pick<CommunityRules, 'isBlocked' | 'show' | 'blockedWordIn'>): Gate => ({
  blocked: (caller, place) => rules.isBlocked(place.community, caller.id),
  paused: async (place) => (await rules.show(place.community)).paused,
  banned: async (place, texts) =>
    (await rules.blockedWordIn(place.community, texts.join('\n'))) !== undefined,
});
