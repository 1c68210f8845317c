import { type Caller, type Place, personKey } from '../../command/place.ts';
import { CommunityProblem } from '../problem.ts';

/** Who may moderate: owners everywhere, otherwise whoever the platform says so now. */
export interface Moderators {
  is(caller: Caller, place: Place): Promise<boolean>;
  /** Throws unless the caller may: called by everything that changes a community, beside the desk's own check. */
  demand(caller: Caller, place: Place): Promise<void>;
  /** Throws when this person cannot be blocked: owners, and whoever does the blocking. */
  demandBlockable(user: string, by: Caller): void;
}

export const createModerators = (
  owners: readonly string[],
  askPlatform: (caller: Caller, place: Place) => Promise<boolean>,
): Moderators => {
  const known = new Set(owners);

  const is: Moderators['is'] = async (caller, place) => {
    if (caller.platform !== place.platform) return false;
    if (known.has(personKey(caller))) return true;
    // A direct message is nobody's community to moderate.
    return place.direct ? false : askPlatform(caller, place);
  };

  return {
    is,
    async demand(caller, place) {
      if (!(await is(caller, place))) throw new CommunityProblem({ code: 'not-moderator' });
    },
    demandBlockable(user, by) {
      if (user === by.id) throw new CommunityProblem({ code: 'block-self' });
      if (known.has(personKey({ platform: by.platform, id: user })))
        throw new CommunityProblem({ code: 'block-owner' });
    },
  };
};
