import { type Caller, type Place, personKey } from '../../command/place.ts';
import { CommunityError } from '../community-error.ts';

/** Owners may moderate everywhere; for others the platform is asked each time. */
export interface Moderators {
  is(caller: Caller, place: Place): Promise<boolean>;
  /** Throws unless the caller may moderate; called by every change, in addition to the desk's check. */
  demand(caller: Caller, place: Place): Promise<void>;
  /** Throws for owners and for the caller, who cannot be blocked. */
  requireBlockable(user: string, by: Caller): void;
}

export function createModerators(
  owners: readonly string[],
  askPlatform: (caller: Caller, place: Place) => Promise<boolean>,
): Moderators {
  const known = new Set(owners);

  const is: Moderators['is'] = async (caller, place) => {
    if (caller.platform !== place.platform) return false;
    if (known.has(personKey(caller))) return true;
    // A direct chat has no moderators.
    return place.direct ? false : askPlatform(caller, place);
  };

  return {
    is,
    async demand(caller, place) {
      if (!(await is(caller, place))) throw new CommunityError({ code: 'not-moderator' });
    },
    requireBlockable(user, by) {
      if (user === by.id) throw new CommunityError({ code: 'block-self' });
      if (known.has(personKey({ platform: by.platform, id: user })))
        throw new CommunityError({ code: 'block-owner' });
    },
  };
}
