import { keepLatest } from '../../base/keep-latest.ts';
import type { Caller, Place } from '../place.ts';

/**
 * The people who spoke to us lately, by their names: so that a moderator can type a name where the platform knows
 * people by number. In memory alone; who is not known is given by id.
 */
export interface People {
  noticed(caller: Caller, place: Place): void;
  /** The platform's id of the person meant; undefined: nobody we know, or it could be several. */
  find(typed: string, place: Place): string | undefined;
}

const most = 20_000;
const mention = /^<@!?(\d+)>$/;
/** Of a person, or of a channel in whose name somebody speaks. */
const id = /^(?:channel:)?-?\d+$/;

export const createPeople = (): People => {
  /** Names are anybody's to choose: one that two have chosen means nobody. */
  const ids = new Map<string, string | undefined>();
  const keyOf = (community: string, name: string): string => `${community}\n${name.trim().toLowerCase()}`;

  return {
    noticed(caller, { community }) {
      if (caller.name.trim() === '') return;
      const key = keyOf(community, caller.name);
      const shared = ids.has(key) && ids.get(key) !== caller.id;
      ids.delete(key);
      ids.set(key, shared ? undefined : caller.id);
      keepLatest(ids, most);
    },
    find(typed, { community }) {
      const text = typed.trim();
      const mentioned = mention.exec(text)?.[1];
      if (mentioned !== undefined) return mentioned;
      if (id.test(text)) return text;
      return ids.get(keyOf(community, text.replace(/^@/, '')));
    },
  };
};
