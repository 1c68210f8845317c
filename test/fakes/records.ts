import { isDeepStrictEqual } from 'node:util';
import Keyv from 'keyv';
import type { KeyValue, Life } from '../../src/base/key-value.ts';
import { createKeyedQueue } from '../../src/base/limits/keyed-queue.ts';

/** Adds `update` to records that have none: reads, changes and writes, one at a time. */
export function withUpdate<R extends Omit<KeyValue, 'update'>>(records: R): R & Pick<KeyValue, 'update'> {
  const serially = createKeyedQueue();
  return Object.assign(records, {
    update: <T>(key: string, change: (value: T | undefined) => T | undefined, ttlMs?: Life<T>) =>
      serially(key, async () => {
        const before = await records.get<T>(key);
        const after = change(before);
        if (after === undefined) return before;
        const keptMs = typeof ttlMs === 'function' ? ttlMs(after) : ttlMs;
        await (keptMs === 0 ? records.delete(key) : records.set(key, after, keptMs));
        return after;
      }),
  });
}

/** Key-value records in memory. */
export const createRecords = (options?: ConstructorParameters<typeof Keyv>[0]) =>
  withUpdate(new Keyv(options));

/**
 * The same records as several processes have them over a network: others come in between every two steps, in an order that
 * the seed decides, and `update` calls `change` again when somebody else was faster.
 */
export function interleaved(records: KeyValue, seed = 1): KeyValue {
  let state = seed;
  const pause = async (): Promise<void> => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    for (let turns = state >>> 28; turns > 0; turns -= 1) await new Promise(setImmediate);
  };
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    await pause();
    const result = await work();
    await pause();
    return result;
  };
  const get = <T>(key: string): Promise<T | undefined> => around(() => records.get<T>(key));
  return {
    get,
    set: (key, value, ttlMs) => around(() => records.set(key, value, ttlMs)),
    delete: (key) => around(() => records.delete(key)),
    async update<T>(key: string, change: (value: T | undefined) => T | undefined, ttlMs?: Life<T>) {
      for (;;) {
        const before = await get<T>(key);
        const after = change(before);
        if (after === undefined) return before;
        let isSwapped = false;
        const swap = (there: T | undefined): T | undefined => {
          isSwapped = isDeepStrictEqual(there, before);
          return isSwapped ? after : undefined;
        };
        await around(() => records.update<T>(key, swap, ttlMs));
        if (isSwapped) return after;
      }
    },
  };
}
