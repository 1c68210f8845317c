import { keepLatest } from '../../base/keep-latest.ts';
import type { Caller, Place } from '../place.ts';

const MOST_KNOWN = 20_000;
const MENTION = /^<@!?(\d+)>$/;
/** The id of a person, or of a channel that a person writes as. */
const PERSON_ID = /^(?:channel:)?-?\d+$/;

/**
 * Recent users by name, so that a moderator can type a name where the platform identifies people by number. In memory
 * only; unknown people are given by id.
 */
export function createKnownUsers() {
  /** Anybody can choose any name, so a name of two people is ambiguous. */
  const ids = new Map<string, string | undefined>();
  const keyOf = (community: string, name: string): string => `${community}\n${name.trim().toLowerCase()}`;

  return {
    noticed(caller: Caller, { community }: Place): void {
      if (caller.name.trim() === '') return;
      const key = keyOf(community, caller.name);
      const shared = ids.has(key) && ids.get(key) !== caller.id;
      ids.delete(key);
      ids.set(key, shared ? undefined : caller.id);
      keepLatest(ids, MOST_KNOWN);
    },
    /** The platform's id of that person; undefined if unknown or ambiguous. */
    find(typed: string, { community }: Place): string | undefined {
      const text = typed.trim();
      const mentioned = MENTION.exec(text)?.[1];
      if (mentioned !== undefined) return mentioned;
      if (PERSON_ID.test(text)) return text;
      const name = text.replace(/^@/, '');
      const id = ids.get(keyOf(community, name));
      // Behind an @ is a user name, not one that anybody can choose; in the playground it is the id.
      return name === text || id === name.toLowerCase() ? id : undefined;
    },
  };
}
