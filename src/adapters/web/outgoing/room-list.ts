import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';

/** The ids of a room's messages, in a shared store each with its version. */
export const roomList = z.array(z.union([z.string(), z.tuple([z.string(), z.number()])]));

type RoomList = z.infer<typeof roomList>;

/** The store has checked its shape. */
function versionsIn(list: RoomList = []): Map<string, number> {
  return new Map(list.map((each) => (typeof each === 'string' ? [each, 0] : each)));
}

/**
 * The list of a room's messages in a store that several processes share. A message gets another version whenever it is changed, so
 * that the others see by reading the list alone which ones they have to read again.
 */
export function createRoomLists(state: KeyValue, clock: Clock, keyOf: (room: string) => string) {
  return {
    read: async (room: string): Promise<ReadonlyMap<string, number>> =>
      versionsIn(await state.get<RoomList>(keyOf(room))),
    /** `isNew`: otherwise a message that was removed meanwhile is not listed again. Returns the new version. */
    async change(
      room: string,
      message: { readonly id: string; readonly isNew: boolean } | undefined,
      gone: readonly string[],
    ): Promise<number | undefined> {
      let version: number | undefined;
      await state.update<RoomList>(keyOf(room), (stored) => {
        const versions = versionsIn(stored);
        // Never one that was given before, also to a message that is gone.
        version = Math.max(clock.now(), 1 + Math.max(0, ...versions.values()));
        for (const id of gone) versions.delete(id);
        const isListed = message !== undefined && (message.isNew || versions.has(message.id));
        if (isListed) versions.set(message.id, version);
        else version = undefined;
        return [...versions];
      });
      return version;
    },
  };
}
