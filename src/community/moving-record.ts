import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Life, Records } from '../base/keyv/records.ts';
import type { Place } from '../command/place.ts';

/** The record under the former id of a community, which points to the next one. */
const pointer = z.object({ movedTo: z.string() });

const movedTo = (stored: unknown): string | undefined => pointer.safeParse(stored).data?.movedTo;

/** Whether the stored value only points to another id of its community. */
export const isPointer = (stored: unknown): boolean => movedTo(stored) !== undefined;

/**
 * A place of a community after the move to a new id. If the community is one chat, its id contains the chat's, which
 * changes, too.
 */
export function movedPlace(place: Place, from: string, to: string): Place {
  const isChat = from === `${place.platform}:${place.channel}`;
  return { ...place, community: to, ...(isChat ? { channel: to.slice(place.platform.length + 1) } : {}) };
}

/** Keeps one record for each community, which follows it to another id. `read` parses the stored value. */
export function createMovingRecord<T>(records: Records, read: (stored: unknown) => T) {
  const find = async (named: string): Promise<{ readonly community: string; readonly found: T }> => {
    const stored: unknown = await records.get(named);
    const moved = movedTo(stored);
    return moved === undefined ? { community: named, found: read(stored) } : find(moved);
  };
  return {
    /** Reads the record; `community` is the present id. */
    find,
    /**
     * Changes the record of the present id. `change` may be called several times, and returns undefined to change nothing.
     */
    async edit(named: string, change: (found: T) => T | undefined, ttlMs?: Life<unknown>): Promise<void> {
      let moved: string | undefined = named;
      const edit = (stored: unknown): unknown => {
        moved = movedTo(stored);
        return moved === undefined ? change(read(stored)) : undefined;
      };
      while (moved !== undefined) await records.update<unknown>(moved, edit, ttlMs);
    },
    /**
     * Moves a record. `put` stores the former value under the new id, and is called again if the former was changed
     * meanwhile.
     */
    async move(
      from: string,
      to: string,
      put: (found: T | undefined, isRepeated: boolean) => Promise<unknown>,
    ): Promise<void> {
      for (let isOver = false, isRepeated = false; !isOver; isRepeated = true) {
        const before: unknown = await records.get(from);
        if (isPointer(before)) return;
        await put(before === undefined ? undefined : read(before), isRepeated);
        await records.update<unknown>(from, (stored) => {
          isOver = isPointer(stored) || isDeepStrictEqual(stored, before);
          return isOver ? { movedTo: to } : undefined;
        });
      }
    },
  };
}

/** Keeps one list for each community, which is changed by compare-and-set; an empty list is deleted. */
export function createListPerCommunity<T>(records: Records, entry: z.ZodType<T>) {
  const shape = z.array(entry);
  const listIn = (stored: unknown): readonly T[] => shape.safeParse(stored).data ?? [];
  const all = async (community: string): Promise<readonly T[]> => listIn(await records.get(community));
  const lifeOf = (stored: unknown): number | undefined => (listIn(stored).length === 0 ? 0 : undefined);
  /**
   * Changes a list and returns the stored one. `change` may be called several times, and returns undefined to change
   * nothing.
   */
  const edit = async (
    community: string,
    change: (list: readonly T[]) => readonly T[] | undefined,
  ): Promise<readonly T[]> =>
    listIn(await records.update<unknown>(community, (stored) => change(listIn(stored)), lifeOf));
  return {
    listIn,
    all,
    edit,
    /**
     * Replaces entries (or removes them, if `after` is undefined), and returns true; returns false if one of them was
     * changed meanwhile.
     */
    async swap(
      community: string,
      ...pairs: readonly (readonly [before: T, after: T | undefined])[]
    ): Promise<boolean> {
      let isSwapped = false;
      await edit(community, (list) => {
        const found = pairs.map(([before]) => list.find((each) => isDeepStrictEqual(each, before)));
        isSwapped = !found.includes(undefined);
        if (!isSwapped) return undefined;
        return list.flatMap((each) => {
          const pair = pairs[found.indexOf(each)];
          return pair === undefined ? [each] : (pair[1] ?? []);
        });
      });
      return isSwapped;
    },
    clear: (community: string): Promise<unknown> => records.delete(community),
    /** Moves all entries: `put` stores them elsewhere, then they are removed here; repeated if some are added meanwhile. */
    async moveAll(from: string, put: (moved: readonly T[]) => Promise<unknown>): Promise<void> {
      for (let left = await all(from); left.length > 0; ) {
        const moved = left;
        await put(moved);
        left = await edit(from, (list) =>
          list.filter((each) => !moved.some((other) => isDeepStrictEqual(each, other))),
        );
      }
    },
  };
}
