import { callerFor, knownUsers, playgroundOwner } from '../../adapters/web/visitors/people.ts';
import type { Caller, Place } from '../../command/place.ts';
import { type Config, hasPlaygroundOwner } from '../../config/config.ts';

/** People whom a platform has of its own. Only the playground has some; others are known when they write for the first time. */
export interface Residents {
  readonly people: readonly { readonly caller: Caller; readonly place: Place }[];
  /** The ones among them who are owners of this program. */
  readonly owners: readonly Caller[];
}

/** The people of the platforms that are on. */
export function residentsOf(config: Config): Residents {
  if (!config.playground.on) return { people: [], owners: [] };
  const hasOwner = hasPlaygroundOwner(config);
  return {
    people: knownUsers(hasOwner),
    owners: hasOwner ? [callerFor(playgroundOwner, config.ownerLanguage)] : [],
  };
}
