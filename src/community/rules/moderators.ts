import type { Incoming } from '../../command/desk.ts';
import { type Caller, type Place, personKey } from '../../command/place.ts';
import { isIdOf, type Platform } from '../../platforms/platforms.ts';
import { refuse } from '../community-error.ts';

export type Moderators = ReturnType<typeof createModerators>;

/** Whether the caller of one event may moderate the place where it happened. */
export interface Permission {
  is(): Promise<boolean>;
  /** Throws if the caller may not moderate; called by every change, in addition to the desk's check. */
  demand(): Promise<void>;
}

/** Throws for ids that no person on the platform can have. */
function requirePerson(user: string, platform: Platform): void {
  if (!isIdOf(platform, 'speaker', user)) refuse({ code: 'not-a-person', typed: user });
}

type Event = Pick<Incoming, 'caller' | 'place'>;

/** Decides who may moderate a place. Owners may everywhere; for others the platform is asked at each event. */
export function createModerators(
  owners: readonly string[],
  askPlatform: (caller: Caller, place: Place) => Promise<boolean>,
  /** The owner as a caller in the console. */
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

  return {
    isOwner,
    /** Makes the permission of one event. The platform is asked once, when the permission is first needed. */
    of(event: Event): Permission {
      let answer: Promise<boolean> | undefined;
      const is = (): Promise<boolean> => {
        answer ??= ask(event).catch((error: unknown) => {
          answer = undefined;
          throw error;
        });
        return answer;
      };
      return {
        is,
        async demand() {
          if (!(await is())) refuse({ code: 'not-moderator' });
        },
      };
    },
    requirePerson,
    /** Throws for owners and for the caller, who cannot be blocked, and for ids that no person can have. */
    requireBlockable(person: Pick<Caller, 'platform' | 'id'>, by: Caller): void {
      requirePerson(person.id, person.platform);
      if (personKey(person) === personKey(by)) refuse({ code: 'block-self' });
      if (known.has(personKey(person))) refuse({ code: 'block-owner' });
    },
  };
}
