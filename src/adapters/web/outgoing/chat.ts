import { z } from 'zod';
import { type Clock, MINUTE_MS } from '../../../base/clock.ts';
import { defined } from '../../../base/defined.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { createKeyedQueue, createSharedRuns } from '../../../base/limits/keyed-queue.ts';
import { ofHeaviest } from '../visitors/heaviest.ts';
import { rooms } from '../visitors/people.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { createChanges } from './changes.ts';
import type { Message, Spot } from './message.ts';

/** The ids of a room's messages, each with its version; earlier releases stored ids alone. */
export const roomList = z.array(z.union([z.string(), z.tuple([z.string(), z.number()])]));
type RoomList = z.infer<typeof roomList>;

/** The versions of a room's messages, by id. */
type Listed = Map<string, number>;

/** The store has checked its shape. */
const versionsIn = (list: RoomList = []): Listed =>
  new Map(list.map((each) => (typeof each === 'string' ? [each, 0] : each)));

const MOST_IN_ROOM = 200;
/** A message that is listed and still not stored after this will never be. */
const LOST_MS = 10 * MINUTE_MS;
const listKey = (room: string): string => `web:room:${room}`;
const messageKey = ({ room, id }: Spot): string => `web:message:${room}:${id}`;

/** A room in memory; everything by the id of a message. */
interface KnownRoom {
  readonly messages: Map<string, Message>;
  /** The versions of these messages. */
  readonly versions: Listed;
  /** Messages of the bot itself and from before the start have none and count as one visitor's. */
  readonly visitors: Map<string, Visitor>;
  /** What the next write of its list changes. */
  readonly unlisted: ListChange[];
}

interface ListChange {
  readonly id: string;
  /** A message that was changed is not listed again if it was removed meanwhile. */
  readonly is: 'new' | 'changed' | 'gone';
}

/**
 * The messages of every room: in the store, and in memory as they were at the last `refresh`, because several processes may share the
 * store. A message gets another version in its room's list whenever it is changed, so that the others see by reading the list alone
 * which ones they have to read again.
 */
export function createChat(options: {
  readonly state: Records;
  readonly clock: Clock;
  /** A message was removed or replaced: its media may be deleted. */
  readonly dropped: (message: Message, by: Message | undefined) => void;
}) {
  const { state, clock, dropped } = options;
  const changes = createChanges();
  const byId = new Map<string, KnownRoom>(
    rooms.map(({ id }) => [
      id,
      { messages: new Map(), versions: new Map(), visitors: new Map(), unlisted: [] },
    ]),
  );
  const shared = createSharedRuns<Listed>();
  const oneByOne = createKeyedQueue();

  const knownRoom = (room: string): KnownRoom => {
    const known = byId.get(room);
    if (known === undefined) throw new Error(`there is no room ${room}`);
    return known;
  };
  const all = (room: string): readonly Message[] =>
    [...(byId.get(room)?.messages.values() ?? [])].sort((one, other) => one.order - other.order);

  const writeList = async (room: string): Promise<Listed> => {
    const { unlisted, versions } = knownRoom(room);
    const changed = unlisted.splice(0);
    let version = 0;
    const stored = await state.update<RoomList>(listKey(room), (before) => {
      const listed = versionsIn(before);
      // Never one that was given before, also to a message that is gone.
      version = Math.max(clock.now(), 1 + Math.max(0, ...listed.values()));
      for (const { id, is } of changed)
        if (is === 'gone') listed.delete(id);
        else if (is === 'new' || listed.has(id)) listed.set(id, version);
      return [...listed];
    });
    const listed = versionsIn(stored);
    for (const { id } of changed) if (listed.has(id)) versions.set(id, version);
    return listed;
  };
  const list = (room: string, ...changed: readonly ListChange[]): Promise<Listed> => {
    knownRoom(room).unlisted.push(...changed);
    return shared(listKey(room), () => writeList(room));
  };
  const unlist = async (room: string, gone: readonly Spot[], ...changed: readonly ListChange[]) => {
    await list(room, ...changed, ...gone.map(({ id }) => ({ id, is: 'gone' }) as const));
    await Promise.all(gone.map((spot) => state.delete(messageKey(spot))));
  };

  const forget = (message: Message): void => {
    const { messages, versions, visitors } = knownRoom(message.room);
    for (const each of [messages, versions, visitors]) each.delete(message.id);
    changes.publish({ message, gone: true });
    dropped(message, undefined);
  };

  const makeRoom = (room: string): readonly Message[] => {
    const { messages, visitors } = knownRoom(room);
    const gone: Message[] = [];
    while (messages.size > MOST_IN_ROOM) {
      const near = ofHeaviest([...messages.values()], ({ id }) => visitors.get(id)?.address ?? '');
      const oldest = ofHeaviest(near, ({ id }) => visitors.get(id)?.session ?? '')[0];
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
    if (!byId.has(spot.room)) return undefined;
    const after = await state.update<Message>(messageKey(spot), (there) => there && edit(there));
    // Not listed: removed meanwhile, or left by a process that died before.
    const listed = after && (await list(spot.room, { id: spot.id, is: 'changed' }));
    if (after === undefined || !listed?.has(spot.id)) return undefined;
    show(after);
    return after;
  };

  /** Takes over what other processes have changed. */
  const refresh = (room: string): Promise<Listed> =>
    shared(`refresh:${room}`, async () => {
      const known = byId.get(room);
      if (known === undefined) return new Map();
      const { messages, versions } = known;
      // What is listed while the list is read is not gone.
      const before = [...versions.keys()];
      const listed = versionsIn(await state.get<RoomList>(listKey(room)));
      const lost: ListChange[] = [];
      for (const [id, version] of listed) {
        if (versions.get(id) === version) continue;
        const message = await state.get<Message>(messageKey({ room, id }));
        // Being added or removed, or its process died in between. A version is the time when it was given.
        if (message === undefined && clock.now() - version > LOST_MS) lost.push({ id, is: 'gone' });
        if (message === undefined) continue;
        versions.set(id, version);
        show(message);
      }
      for (const id of before) {
        const message = messages.get(id);
        if (message !== undefined && !listed.has(id)) forget(message);
      }
      // If this fails, the next refresh does it.
      if (lost.length > 0) await list(room, ...lost).catch(() => undefined);
      return listed;
    });

  return {
    changes,
    async load(): Promise<void> {
      for (const room of byId.keys()) await refresh(room);
    },
    get: ({ room, id }: Spot): Message | undefined => byId.get(room)?.messages.get(id),
    all,
    refresh,
    /**
     * Adds a message or replaces the one with this id; stored when this resolves. `by`: who caused it; in a full room the
     * visitor with most messages loses their oldest.
     */
    put: (draft: Omit<Message, 'order' | 'at'>, by?: Visitor): Promise<Message> =>
      oneByOne(messageKey(draft), async () => {
        const replaced = await edited(draft, ({ order, at }) => ({ ...draft, order, at }));
        if (replaced !== undefined) return replaced;
        await refresh(draft.room);
        const last = all(draft.room).at(-1)?.order ?? 0;
        const message: Message = { ...draft, order: last + 1, at: clock.now() };
        if (by !== undefined) knownRoom(draft.room).visitors.set(draft.id, by);
        show(message);
        const gone = makeRoom(draft.room);
        // Together, for one wait for the disk: half of it is as good as nothing, see `edited` and `refresh`.
        await Promise.all([
          state.set(messageKey(message), message),
          unlist(draft.room, gone, { id: draft.id, is: 'new' }),
        ]);
        return message;
      }),
    /** Stored, then shown. `undefined`: there is no such message. */
    change: (spot: Spot, edit: (message: Message) => Message): Promise<Message | undefined> =>
      oneByOne(messageKey(spot), () => edited(spot, edit)),
    remove: (spot: Spot): Promise<void> =>
      oneByOne(messageKey(spot), async () => {
        const message = byId.get(spot.room)?.messages.get(spot.id);
        if (message === undefined) return;
        // Forgotten first, a refresh could bring it back.
        await unlist(spot.room, [message]);
        if (knownRoom(spot.room).messages.has(spot.id)) forget(message);
      }),
  };
}

export type Chat = ReturnType<typeof createChat>;
