import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createByteCache } from '../../../base/byte-cache.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';

const entry = z.looseObject({
  id: z.string(),
  type: z.string(),
  size: z.number().min(0),
  chunks: z.number().int().min(0).max(1_000),
});
export const mediaListShape = z.array(entry);
type Entry = Readonly<z.infer<typeof entry>>;

const MOST_ENTRIES = 120;
const MOST_BYTES = 384 * 1024 * 1024;
const MOST_CACHED = 96 * 1024 * 1024;
/** Media are stored in chunks of this size, because one large value would block the store for long. */
const CHUNK_BYTES = 1024 * 1024;

const INDEX_KEY = 'web:media';
const chunkKey = (id: string, chunk: number): string => `web:media:${id}:${chunk}`;

const idOf = (message: string, bytes: Uint8Array): string =>
  createHash('sha256').update(message).update('\0').update(bytes).digest('base64url').slice(0, 32);

/**
 * Stores results, so that the chat still shows them after a restart. Number and bytes are bounded; the oldest are removed
 * first.
 */
export function createMediaStore(state: Records) {
  /** The list of stored results, oldest first. */
  const entries = new Map<string, Entry>();
  const cache = createByteCache<Uint8Array>(MOST_CACHED, ({ byteLength }) => byteLength);
  const inTurn = createKeyedQueue();
  const serially = (work: () => Promise<void>): Promise<void> => inTurn('index', work);

  const sizeOf = (list: Iterable<{ readonly size: number }>): number =>
    [...list].reduce((sum, { size }) => sum + size, 0);

  const adopt = (all: readonly Entry[]): void => {
    entries.clear();
    for (const entry of all) entries.set(entry.id, entry);
    for (const id of cache.keys()) if (!entries.has(id)) cache.delete(id);
  };
  /** Changes the stored list, then deletes the chunks of results that are no longer on it. */
  const changeIndex = async (
    edit: (all: readonly Entry[]) => readonly Entry[] | undefined,
  ): Promise<void> => {
    let before: readonly Entry[] = [];
    const after =
      (await state.update<readonly Entry[]>(INDEX_KEY, (stored = []) => {
        before = stored;
        return edit(stored);
      })) ?? [];
    adopt(after);
    const removed = before.filter((entry) => !after.some((each) => each.id === entry.id));
    for (const { id, chunks } of removed) {
      for (let chunk = 0; chunk < chunks; chunk += 1) await state.delete(chunkKey(id, chunk));
    }
  };
  /** An edit of the list: adds a result, and leaves out the oldest ones if there is no room for them. */
  const add = (entry: Entry) => (all: readonly Entry[]) => {
    const others = all.filter(({ id }) => id !== entry.id);
    while (others.length >= MOST_ENTRIES || sizeOf(others) + entry.size > MOST_BYTES) {
      if (others.shift() === undefined) break;
    }
    return [...others, entry];
  };

  /** Bytes that are still being served, which are not loaded a second time. */
  const live = new Map<string, WeakRef<Uint8Array>>();
  const loading = new Map<string, Promise<Uint8Array | undefined>>();
  const load = (entry: Entry): Promise<Uint8Array | undefined> => {
    const running = loading.get(entry.id) ?? readChunks(entry).finally(() => loading.delete(entry.id));
    loading.set(entry.id, running);
    return running;
  };

  const readChunks = async (entry: Entry): Promise<Uint8Array | undefined> => {
    const parts: Buffer[] = [];
    for (let chunk = 0; chunk < entry.chunks; chunk += 1) {
      const text = await state.get<string>(chunkKey(entry.id, chunk));
      if (text === undefined) return undefined;
      parts.push(Buffer.from(text, 'base64'));
    }
    return new Uint8Array(Buffer.concat(parts));
  };

  const read = async (
    id: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined> => {
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    const bytes = cache.get(id) ?? live.get(id)?.deref() ?? (await load(entry));
    if (bytes === undefined) return undefined;
    live.set(id, new WeakRef(bytes));
    keepLatest(live, MOST_ENTRIES);
    cache.set(id, bytes);
    return { bytes, type: entry.type };
  };

  return {
    read,
    has: (id: string): boolean => entries.has(id),
    /** Reads the list that a previous process stored. */
    async load(): Promise<void> {
      adopt((await state.get<Entry[]>(INDEX_KEY)) ?? []);
    },
    /** Stores the media of a message and returns its id. Idempotent: the same bytes for the same message are stored once. */
    async keep(message: string, bytes: Uint8Array, type: string): Promise<string> {
      const id = idOf(message, bytes);
      // The chunks are read, because a crash may have left a listed result without some of them.
      if ((await read(id)) !== undefined) return id;
      const chunks = Math.ceil(bytes.byteLength / CHUNK_BYTES);
      await serially(async () => {
        // The list is written first, so that a crash in between leaves no chunks that nothing refers to.
        await changeIndex(add({ id, type, size: bytes.byteLength, chunks }));
        for (let chunk = 0; chunk < chunks; chunk += 1) {
          const piece = bytes.subarray(chunk * CHUNK_BYTES, (chunk + 1) * CHUNK_BYTES);
          await state.set(chunkKey(id, chunk), Buffer.from(piece).toString('base64'));
        }
      });
      cache.set(id, bytes);
      return id;
    },
    drop: (id: string): Promise<void> =>
      serially(() =>
        changeIndex((all) =>
          all.some((entry) => entry.id === id) ? all.filter((entry) => entry.id !== id) : undefined,
        ),
      ),
  };
}

export type MediaStore = ReturnType<typeof createMediaStore>;
