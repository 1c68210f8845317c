import { callerFor, playgroundOwner } from '../../adapters/web/visitors/people.ts';
import { type Caller, personKey } from '../../command/place.ts';
import { type Config, hasPlaygroundOwner } from '../../config/config.ts';
import type { Platform } from '../../platforms/platforms.ts';
import { type Language, languages, type Words } from '../../words/words.ts';

export interface Owners {
  readonly people: readonly Caller[];
  /** In the language of notices to owners. */
  readonly words: Words;
  /** The owner in the console; known by being this one. */
  readonly inConsole: Caller;
}

/** An entry of `OWNERS` as a person who can get messages. */
export const ownerAsCaller = (
  owner: { readonly platform: Platform; readonly id: string },
  locale: Language,
): Caller => ({ ...owner, name: personKey(owner), locale });

export function createOwners(config: Config): Owners {
  const { ownerLanguage } = config;
  const words = languages[ownerLanguage];
  return {
    people: [
      ...config.owners.map((each) => ownerAsCaller(each, ownerLanguage)),
      ...(hasPlaygroundOwner(config) ? [callerFor(playgroundOwner, ownerLanguage)] : []),
    ],
    words,
    inConsole: { platform: 'web', id: 'console', name: words.owner.inConsole, locale: ownerLanguage },
  };
}
