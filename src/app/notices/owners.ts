import { type Caller, personKey } from '../../command/place.ts';
import type { Config } from '../../config/config.ts';
import type { Platform } from '../../platforms/platforms.ts';
import type { Language } from '../../words/language.ts';
import { languages, type Words } from '../../words/words.ts';

/** The owners of this program, and how they are spoken to. */
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

/** `residents`: owners whom a platform has of its own, besides those of `OWNERS`. */
export function createOwners(config: Config, residents: readonly Caller[]): Owners {
  const { ownerLanguage } = config;
  const words = languages[ownerLanguage];
  return {
    people: [...config.owners.map((each) => ownerAsCaller(each, ownerLanguage)), ...residents],
    words,
    inConsole: { platform: 'web', id: 'console', name: words.owner.inConsole, locale: ownerLanguage },
  };
}
