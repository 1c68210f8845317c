import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { KeyValue } from '../base/key-value.ts';

/** What is stored under the former id of a community. */
const pointer = z.object({ movedTo: z.string() });

function movedTo(stored: unknown): string | undefined {
  return pointer.safeParse(stored).data?.movedTo;
}

export function isPointer(stored: unknown): boolean {
  return movedTo(stored) !== undefined;
}

/** One record for each community, which follows it to another id. `read` makes the value of what is stored. */
export function createMovingRecord<T>(records: KeyValue, read: (stored: unknown) => T) {
  const find = async (named: string): Promise<{ readonly community: string; readonly found: T }> => {
    const stored: unknown = await records.get(named);
    const moved = movedTo(stored);
    return moved === undefined ? { community: named, found: read(stored) } : find(moved);
  };
  return {
    /** `community`: its present id. */
    find,
    /** Changes what is stored under the present id. `change` may be called several times; undefined: nothing is changed. */
    async edit(named: string, change: (found: T) => T | undefined, ttlMs?: number): Promise<void> {
      let moved: string | undefined = named;
      const edit = (stored: unknown): unknown => {
        moved = movedTo(stored);
        return moved === undefined ? change(read(stored)) : undefined;
      };
      while (moved !== undefined) await records.update<unknown>(moved, edit, ttlMs);
    },
    /** `put` stores under the new id what was under the old one; it is called again if that was changed meanwhile. */
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
