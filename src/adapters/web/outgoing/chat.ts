import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { itemsOfHeaviestOwner } from '../../../base/limits/heaviest.ts';
import { createKeyedQueue, createSharedNextRuns } from '../../../base/limits/keyed-queue.ts';
import type { Visitor } from '../../../sign-in/visitor.ts';
import { rooms } from '../visitors/people.ts';
import { createChanges } from './changes.ts';
import type { Message, Spot } from './message.ts';

/** The stored list of a room's message ids, oldest first; earlier releases stored each id with a number. */
export const roomListShape = z.array(z.union([z.string(), z.tuple([z.string(), z.number()])]));
type RoomList = z.infer<typeof roomListShape>;

const MOST_IN_ROOM = 200;
const listKey = (room: string): string => `web:room:${room}`;
const messageKey = ({ room, id }: Spot): string => `web:message:${room}:${id}`;

/** A room in memory. Both maps have the id of a message as their key. */
interface KnownRoom {
  readonly messages: Map<string, Message>;
  /**
   * The visitors who caused messages. Messages without one, those from before the start included, count as one visitor's.
   */
  readonly visitors: Map<string, Visitor>;
}

/**
 * Keeps the messages of all rooms: in memory, because the playground belongs to one process, and in the store for the next
 * start.
 */
export function createChat(options: {
  readonly state: Records;
  readonly clock: Clock;
  /** Called when a message was removed, or replaced by another one, so that its media may be deleted. */
  readonly dropped: (message: Message, by: Message | undefined) => void;
}) {
  const { state, clock, dropped } = options;
  const changes = createChanges();
  const byId = new Map<string, KnownRoom>(
    rooms.map(({ id }) => [id, { messages: new Map(), visitors: new Map() }]),
  );
  const shared = createSharedNextRuns<void>();
  const oneByOne = createKeyedQueue();

  const knownRoom = (room: string): KnownRoom => {
    const known = byId.get(room);
    if (known === undefined) throw new Error(`there is no room ${room}`);
    return known;
  };
  const all = (room: string): readonly Message[] =>
    [...(byId.get(room)?.messages.values() ?? [])].sort((one, other) => one.order - other.order);

  /** Stores the list of a room's messages; changes during a write share the next write. */
  const storeList = (room: string): Promise<void> =>
    shared(listKey(room), async () => {
      await state.set(
        listKey(room),
        all(room).map(({ id }) => id),
      );
    });
  const deleteStored = async (gone: readonly Message[]): Promise<void> => {
    await Promise.all(gone.map((message) => state.delete(messageKey(message))));
  };

  const forget = (message: Message): void => {
    const { messages, visitors } = knownRoom(message.room);
    messages.delete(message.id);
    visitors.delete(message.id);
    changes.publish({ message, gone: true });
    dropped(message, undefined);
  };

  /** Removes messages of a full room: the oldest of the visitor with most messages, at the address with most. */
  const makeRoom = (room: string): readonly Message[] => {
    const { messages, visitors } = knownRoom(room);
    const gone: Message[] = [];
    while (messages.size > MOST_IN_ROOM) {
      const near = itemsOfHeaviestOwner([...messages.values()], ({ id }) => visitors.get(id)?.address ?? '');
      const oldest = itemsOfHeaviestOwner(near, ({ id }) => visitors.get(id)?.session ?? '')[0];
      if (oldest === undefined) break;
      forget(oldest);
      gone.push(oldest);
    }
    return gone;
  };

  const show = (message: Message): void => {
    const { messages } = knownRoom(message.room);
    const before = messages.get(message.id);
    messages.set(message.id, message);
    changes.publish({ message, gone: false, ...defined({ before }) });
    if (before !== undefined) dropped(before, message);
  };

  const edited = async (spot: Spot, edit: (message: Message) => Message): Promise<Message | undefined> => {
    const isThere = (): boolean => byId.get(spot.room)?.messages.has(spot.id) ?? false;
    const before = byId.get(spot.room)?.messages.get(spot.id);
    if (before === undefined) return undefined;
    const after = edit(before);
    await state.set(messageKey(spot), after);
    // A full room may have dropped the message while it was being stored.
    if (!isThere()) {
      await state.delete(messageKey(spot));
      return undefined;
    }
    show(after);
    return after;
  };

  const loadRoom = async (room: string): Promise<void> => {
    const { messages } = knownRoom(room);
    const listed = (await state.get<RoomList>(listKey(room))) ?? [];
    for (const each of listed) {
      const id = typeof each === 'string' ? each : each[0];
      // A listed message may be missing after a crash between two writes: it was never confirmed, or was being removed.
      const message = await state.get<Message>(messageKey({ room, id }));
      if (message !== undefined) messages.set(id, message);
    }
  };

  return {
    changes,
    async load(): Promise<void> {
      for (const room of byId.keys()) await loadRoom(room);
    },
    get: ({ room, id }: Spot): Message | undefined => byId.get(room)?.messages.get(id),
    all,
    /**
     * Adds a message or replaces the one with this id; resolves when it is stored. `by`: the visitor who caused it. In a
     * full room the visitor with most messages loses their oldest.
     */
    put: (draft: Omit<Message, 'order' | 'at'>, by?: Visitor): Promise<Message> =>
      oneByOne(messageKey(draft), async () => {
        const replaced = await edited(draft, ({ order, at }) => ({ ...draft, order, at }));
        if (replaced !== undefined) return replaced;
        const last = all(draft.room).at(-1)?.order ?? 0;
        const message: Message = { ...draft, order: last + 1, at: clock.now() };
        if (by !== undefined) knownRoom(draft.room).visitors.set(draft.id, by);
        show(message);
        const gone = makeRoom(draft.room);
        // Both writes are made at once, for a single wait for the disk; `loadRoom` copes with a crash between them.
        try {
          await Promise.all([state.set(messageKey(message), message), storeList(draft.room)]);
        } catch (error) {
          // A message that is not stored must not stay visible, because it would be gone after a restart; its sender
          // retries.
          if (knownRoom(draft.room).messages.has(draft.id)) forget(message);
          throw error;
        }
        await deleteStored(gone);
        return message;
      }),
    /** Changes a message: the change is stored, then shown. Resolves with undefined if there is no such message. */
    change: (spot: Spot, edit: (message: Message) => Message): Promise<Message | undefined> =>
      oneByOne(messageKey(spot), () => edited(spot, edit)),
    remove: (spot: Spot): Promise<void> =>
      oneByOne(messageKey(spot), async () => {
        const message = byId.get(spot.room)?.messages.get(spot.id);
        if (message === undefined) return;
        forget(message);
        await storeList(spot.room);
        await deleteStored([message]);
      }),
  };
}

export type Chat = ReturnType<typeof createChat>;
