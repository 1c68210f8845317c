import { isIdOf, type Platform } from '../../adapters/profiles.ts';
import { type Caller, type Place, personKey } from '../../command/place.ts';
import { CommunityError } from '../community-error.ts';

/** Owners may moderate everywhere; for others the platform is asked each time. */
export type Moderators = ReturnType<typeof createModerators>;

/** Throws for ids that no person on the platform can have. */
function requirePerson(user: string, platform: Platform): void {
  if (!isIdOf(platform, 'speaker', user)) throw new CommunityError({ code: 'not-a-person', typed: user });
}

export function createModerators(
  owners: readonly string[],
  askPlatform: (caller: Caller, place: Place) => Promise<boolean>,
) {
  const known = new Set(owners);

  const is = async (caller: Caller, place: Place): Promise<boolean> => {
    if (caller.platform !== place.platform) return false;
    if (known.has(personKey(caller))) return true;
    // A direct chat has no moderators.
    return place.direct ? false : askPlatform(caller, place);
  };

  return {
    is,
    isOwner: (caller: Caller): boolean => known.has(personKey(caller)),
    /** Throws unless the caller may moderate; called by every change, in addition to the desk's check. */
    async demand(caller: Caller, place: Place): Promise<void> {
      if (!(await is(caller, place))) throw new CommunityError({ code: 'not-moderator' });
    },
    requirePerson,
    /** Throws for owners and for the caller, who cannot be blocked, and for ids that no person can have. */
    requireBlockable(user: string, by: Caller): void {
      requirePerson(user, by.platform);
      if (user === by.id) throw new CommunityError({ code: 'block-self' });
      if (known.has(personKey({ platform: by.platform, id: user })))
        throw new CommunityError({ code: 'block-owner' });
    },
  };
}
