import type { Incoming } from '../../command/desk.ts';
import type { RemovalOutcome, RemovalsPort } from '../../command/removals-port.ts';
import { refuse } from '../../community/community-error.ts';
import type { CommunityRules } from '../../community/rules/community-rules.ts';
import type { Moderators, Permission } from '../../community/rules/moderators.ts';
import { saysWhichChat } from '../../safety/removal/message-link.ts';
import type { Removal } from '../../safety/removal/removal-records.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';
import type { FindResult } from './find-result.ts';
import type { Removals } from './removals.ts';

const outcomeOf = (removal: Removal, isKnown: boolean): RemovalOutcome => ({
  messages: removal.messages,
  remaining: removal.remaining,
  blanked: removal.blanked ?? 0,
  unreachable: removal.unreachable ?? 0,
  unknown: removal.unknown ?? 0,
  photos: removal.photos,
  blocked: removal.blocked,
  isKnown,
});

/** Moderators remove results of their own community, owners those of any. */
export function createRemovalsPort(parts: {
  readonly findResult: FindResult;
  readonly platforms: Pick<PlatformRegistry, 'readLink'>;
  readonly rules: Pick<CommunityRules, 'idsOf' | 'present'>;
  readonly moderators: Pick<Moderators, 'isOwner'>;
  readonly removals: Pick<Removals, 'find' | 'remove'>;
}) {
  const { findResult, platforms, rules, moderators, removals } = parts;

  return (incoming: Incoming, permission: Permission): RemovalsPort => {
    const { caller, place, pressed } = incoming;
    const isOwner = moderators.isOwner(caller);
    const mayIn = async (community: string): Promise<boolean> =>
      isOwner || (await rules.present(community)) === place.community;

    return {
      async remove(named, reason) {
        await permission.demand();
        const result = await platforms.readLink(named.trim());
        const here = isOwner && saysWhichChat(result) ? undefined : await rules.idsOf(place.community);
        const job = await findResult(result, here);
        const id = job?.id ?? result;
        // Begun before a crash, or by another moderator: it is the same removal.
        const community = (await removals.find(id))?.community ?? job?.place.community;
        // What is in other communities is not even told of.
        if (community === undefined || !(await mayIn(community))) return refuse({ code: 'result-unknown' });
        const removed = await removals.remove(id, reason, { caller, isOwner }, pressed);
        if (removed === undefined) return refuse({ code: 'result-unknown' });
        if (removed === 'none') return refuse({ code: 'result-none' });
        if (removed === 'limit') return refuse({ code: 'removals-limit' });
        return outcomeOf(removed.removal, removed.isKnown);
      },
    };
  };
}
