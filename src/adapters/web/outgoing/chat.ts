import type { Clock } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import { ofHeaviest } from '../visitors/heaviest.ts';
import { rooms } from '../visitors/people.ts';
import type { Visitor } from '../visitors/visitor.ts';
import type { Changes } from './changes.ts';
import type { Message, Spot } from './message.ts';
import { createRoomLists } from './room-list.ts';

const MOST_IN_ROOM = 200;
function indexKey(room: string): string {
  return `web:room:${room}`;
}
function messageKey({ room, id }: Spot): string {
  return `web:message:${room}:${id}`;
}

/**
 * The messages of every room, in memory and in the store. Where processes share the store, memory is as it was at the last
 * `refresh`, and every change is stored.
 */
export function createChat(options: {
  readonly state: KeyValue;
  readonly shared: boolean;
  readonly clock: Clock;
  readonly changes: Changes;
  /** A message was removed or replaced: its media may be deleted. */
  readonly dropped: (message: Message, by: Message | undefined) => void;
}) {
  const { state, shared, clock, changes, dropped } = options;
  const lists = createRoomLists(state, clock, indexKey);
  const byRoom = new Map<string, Map<string, Message>>(rooms.map(({ id }) => [id, new Map()]));
  /** By key. Messages of the bot itself and from before the start have none and count as one visitor's. */
  const visitors = new Map<string, Visitor>();
  /** By key, of a shared store: which version of a message is in memory. */
  const versions = new Map<string, number>();
  /** By key: the current write and the next. */
  const writing = new Map<string, { readonly running: Promise<void>; next: Promise<void> | undefined }>();

  const messagesOf = (room: string): Map<string, Message> => {
    const messages = byRoom.get(room);
    if (messages === undefined) throw new Error(`there is no room ${room}`);
    return messages;
  };

  /** One write at a time per key, so that the latest state is stored last; callers during a write share the next one. */
  const serially = (key: string, work: () => Promise<unknown>): Promise<void> => {
    const now = writing.get(key);
    if (now?.next !== undefined) return now.next;
    const run = (): Promise<void> => {
      const running = work().then(() => undefined);
      const entry = { running, next: undefined };
      writing.set(key, entry);
      const done = (): void => {
        if (writing.get(key) === entry && entry.next === undefined) writing.delete(key);
      };
      running.then(done, done);
      return running;
    };
    if (now === undefined) return run();
    now.next = now.running.then(run, run);
    return now.next;
  };
  /** Stores the current state; deletes a message that was removed meanwhile. */
  const keep = ({ room, id }: Spot): Promise<void> =>
    serially(messageKey({ room, id }), () => {
      const latest = messagesOf(room).get(id);
      const key = messageKey({ room, id });
      return latest === undefined ? state.delete(key) : state.set(key, latest);
    });
  /** `changed`: only of a shared store. */
  const keepIndex = async (
    room: string,
    gone: readonly Spot[],
    changed?: { readonly id: string; readonly isNew: boolean },
  ): Promise<void> => {
    if (shared) {
      const version = await lists.change(
        room,
        changed,
        gone.map(({ id }) => id),
      );
      if (changed !== undefined && version !== undefined)
        versions.set(messageKey({ room, id: changed.id }), version);
      await Promise.all(gone.map((spot) => state.delete(messageKey(spot))));
      return;
    }
    await serially(indexKey(room), () => state.set(indexKey(room), [...messagesOf(room).keys()]));
    await Promise.all(gone.map(keep));
  };

  const forget = (message: Message): void => {
    messagesOf(message.room).delete(message.id);
    visitors.delete(messageKey(message));
    versions.delete(messageKey(message));
    changes.publish({ message, gone: true });
    dropped(message, undefined);
  };

  const oldestOfMost = (messages: readonly Message[]): Message | undefined => {
    const by = (message: Message): Visitor | undefined => visitors.get(messageKey(message));
    const near = ofHeaviest(messages, (message) => by(message)?.address ?? '');
    return ofHeaviest(near, (message) => by(message)?.session ?? '')[0];
  };
  const makeRoom = (room: string): readonly Message[] => {
    const messages = messagesOf(room);
    const gone: Message[] = [];
    while (messages.size > MOST_IN_ROOM) {
      const oldest = oldestOfMost([...messages.values()]);
      if (oldest === undefined) break;
      forget(oldest);
      gone.push(oldest);
    }
    return gone;
  };

  const show = (message: Message, before: Message | undefined): void => {
    messagesOf(message.room).set(message.id, message);
    changes.publish({ message, gone: false, ...defined({ before }) });
    if (before !== undefined) dropped(before, message);
  };

  /** `undefined`: there is no such message. A lossy change is not stored. */
  const change = async (
    spot: Spot,
    edit: (message: Message) => Message,
    durability: 'lossy' | 'durable',
  ): Promise<Message | undefined> => {
    const before = byRoom.get(spot.room)?.get(spot.id);
    if (shared && byRoom.has(spot.room)) {
      const after = await state.update<Message>(messageKey(spot), (there) => there && edit(there));
      if (after === undefined) return undefined;
      show(after, before);
      await keepIndex(spot.room, [], { id: spot.id, isNew: false });
      return after;
    }
    if (before === undefined) return undefined;
    const after = edit(before);
    show(after, before);
    if (durability === 'durable') await keep(after);
    return after;
  };

  /** Takes over what other processes have changed. */
  const refresh = async (room: string): Promise<void> => {
    if (!shared) return;
    await serially(`refresh:${room}`, async () => {
      // What is listed while the list is read is not gone.
      const before = [...messagesOf(room).values()].filter((message) => versions.has(messageKey(message)));
      const listed = await lists.read(room);
      for (const [id, version] of listed) {
        const key = messageKey({ room, id });
        if (versions.get(key) === version) continue;
        const message = await state.get<Message>(key);
        // Being removed, or its process died in between.
        if (message === undefined) continue;
        versions.set(key, version);
        show(message, messagesOf(room).get(id));
      }
      for (const { id } of before) {
        const message = messagesOf(room).get(id);
        if (message !== undefined && !listed.has(id)) forget(message);
      }
    });
  };

  return {
    async load(): Promise<void> {
      for (const [room, messages] of byRoom) {
        await refresh(room);
        if (shared) continue;
        for (const id of (await lists.read(room)).keys()) {
          const message = await state.get<Message>(messageKey({ room, id }));
          if (message !== undefined) messages.set(id, message);
        }
      }
    },
    get: ({ room, id }: Spot): Message | undefined => byRoom.get(room)?.get(id),
    all: (room: string): readonly Message[] =>
      [...(byRoom.get(room)?.values() ?? [])].sort((one, other) => one.order - other.order),
    refresh,
    /**
     * Adds a message or replaces the one with this id; stored when this resolves. `by`: who caused it; in a full room the
     * visitor with most messages loses their oldest.
     */
    async put(draft: Omit<Message, 'order' | 'at'>, by?: Visitor): Promise<Message> {
      const replaced = await change(draft, ({ order, at }) => ({ ...draft, order, at }), 'durable');
      if (replaced !== undefined) return replaced;
      await refresh(draft.room);
      const last = Math.max(0, ...[...messagesOf(draft.room).values()].map(({ order }) => order));
      const message: Message = { ...draft, order: last + 1, at: clock.now() };
      if (by !== undefined) visitors.set(messageKey(draft), by);
      show(message, undefined);
      const gone = makeRoom(draft.room);
      await keep(message);
      await keepIndex(draft.room, gone, { id: draft.id, isNew: true });
      return message;
    },
    change,
    async remove(spot: Spot): Promise<void> {
      const message = byRoom.get(spot.room)?.get(spot.id);
      if (message === undefined) return;
      // Forgotten first, a refresh could bring it back.
      if (shared) await keepIndex(spot.room, [message]);
      if (messagesOf(spot.room).has(spot.id)) forget(message);
      if (!shared) await keepIndex(spot.room, [message]);
    },
  };
}

export type Chat = ReturnType<typeof createChat>;
