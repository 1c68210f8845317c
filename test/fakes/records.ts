import Keyv from 'keyv';
import type { KeyValue } from '../../src/base/key-value.ts';
import { createKeyedQueue } from '../../src/base/keyed-queue.ts';

/** Adds `update` to records that have none: reads, changes and writes, one at a time. */
export function withUpdate<R extends Omit<KeyValue, 'update'>>(records: R): R & Pick<KeyValue, 'update'> {
  const serially = createKeyedQueue();
  return Object.assign(records, {
    update: <T>(key: string, change: (value: T | undefined) => T | undefined, ttlMs?: number) =>
      serially(key, async () => {
        const before = await records.get<T>(key);
        const after = change(before);
        if (after === undefined) return before;
        await records.set(key, after, ttlMs);
        return after;
      }),
  });
}

/** Key-value records in memory. */
export const createRecords = (options?: ConstructorParameters<typeof Keyv>[0]) =>
  withUpdate(new Keyv(options));
