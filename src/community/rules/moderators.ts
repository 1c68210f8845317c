import type { Incoming } from '../../command/desk.ts';
import { type Caller, type Place, personKey } from '../../command/place.ts';
import { isIdOf, type Platform } from '../../platforms/platforms.ts';
import { refuse } from '../community-error.ts';

/** Owners may moderate everywhere; for others the platform is asked at each event. */
export type Moderators = ReturnType<typeof createModerators>;

/** Throws for ids that no person on the platform can have. */
function requirePerson(user: string, platform: Platform): void {
  if (!isIdOf(platform, 'speaker', user)) refuse({ code: 'not-a-person', typed: user });
}

type Event = Pick<Incoming, 'caller' | 'place'>;

export function createModerators(
  owners: readonly string[],
  askPlatform: (caller: Caller, place: Place) => Promise<boolean>,
  /** The owner in the console. */
  inConsole?: Caller,
) {
  const known = new Set(owners);
  const isOwner = (caller: Caller): boolean => caller === inConsole || known.has(personKey(caller));

  const ask = async ({ caller, place }: Event): Promise<boolean> => {
    if (caller.platform !== place.platform) return false;
    if (isOwner(caller)) return true;
    // A direct chat has no moderators.
    return place.direct ? false : askPlatform(caller, place);
  };
  /** By event: all that one press does needs one answer of the platform. */
  const answers = new WeakMap<Event, Promise<boolean>>();
  const is = (event: Event): Promise<boolean> => {
    const before = answers.get(event);
    if (before !== undefined) return before;
    const answer = ask(event);
    answers.set(event, answer);
    answer.catch(() => answers.delete(event));
    return answer;
  };

  return {
    is,
    isOwner,
    /** Throws unless the caller may moderate; called by every change, in addition to the desk's check. */
    async demand(event: Event): Promise<void> {
      if (!(await is(event))) refuse({ code: 'not-moderator' });
    },
    requirePerson,
    /** Throws for owners and for the caller, who cannot be blocked, and for ids that no person can have. */
    requireBlockable(user: string, by: Caller): void {
      requirePerson(user, by.platform);
      if (user === by.id) refuse({ code: 'block-self' });
      if (known.has(personKey({ platform: by.platform, id: user }))) refuse({ code: 'block-owner' });
    },
  };
}
