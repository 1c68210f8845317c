import { isDeepStrictEqual } from 'node:util';
import { type KeyvStorageEntry, type KeyvStorageGetResult, keyvStorageCapability } from 'keyv';
import { type Found, type Life, type RecordStorage, Records } from '../../src/base/keyv/records.ts';

interface Kept {
  /** The value as JSON, so that nobody changes what is stored by changing what was read. */
  readonly text: string;
  readonly version: number;
  readonly expires: number | undefined;
}

/** Records in memory, on the machine's time. */
class MemoryStorage implements RecordStorage {
  readonly capabilities = keyvStorageCapability(this);
  private readonly kept = new Map<string, Kept>();
  private writes = 0;

  private there(key: string): Kept | undefined {
    const kept = this.kept.get(key);
    return kept?.expires !== undefined && kept.expires <= Date.now() ? undefined : kept;
  }

  async get<Value>(key: string): Promise<KeyvStorageGetResult<Value>> {
    const kept = this.there(key);
    return kept && JSON.parse(kept.text);
  }

  getMany<Value>(keys: string[]): Promise<KeyvStorageGetResult<Value>[]> {
    return Promise.all(keys.map((key) => this.get<Value>(key)));
  }

  async has(key: string): Promise<boolean> {
    return this.there(key) !== undefined;
  }

  hasMany(keys: string[]): Promise<boolean[]> {
    return Promise.all(keys.map((key) => this.has(key)));
  }

  async set(key: string, encoded: unknown, expires?: number): Promise<boolean> {
    this.writes += 1;
    this.kept.set(key, { text: JSON.stringify(encoded), version: this.writes, expires });
    return true;
  }

  setMany<Value>(entries: KeyvStorageEntry<Value>[]): Promise<boolean[]> {
    return Promise.all(entries.map(({ key, value, expires }) => this.set(key, value, expires)));
  }

  async delete(key: string): Promise<boolean> {
    return this.kept.delete(key);
  }

  deleteMany(keys: string[]): Promise<boolean[]> {
    return Promise.all(keys.map((key) => this.delete(key)));
  }

  async clear(): Promise<void> {
    this.kept.clear();
  }

  async *iterator<Value>(): AsyncGenerator<(string | Awaited<Value> | undefined)[], void> {
    for (const [key, { text }] of this.kept) if (await this.has(key)) yield [key, JSON.parse(text)];
  }

  async find(key: string): Promise<Found> {
    const kept = this.there(key);
    return kept === undefined
      ? { value: undefined }
      : { value: JSON.parse(kept.text).value, version: kept.version };
  }

  async swap(key: string, { version }: Found, after: unknown, expires?: number): Promise<boolean> {
    return this.there(key)?.version === version && this.set(key, { value: after }, expires);
  }

  async bytes(): Promise<number> {
    return [...this.kept.values()].reduce((sum, { text }) => sum + text.length, 0);
  }
}

/** Records in memory. */
export const createRecords = (): Records => new Records(new MemoryStorage(), Date.now);

interface Methods<Value> extends Pick<Records<Value>, 'set' | 'update' | 'iterator'> {
  get<T = Value>(key: string): Promise<T | undefined>;
  delete(key: string): Promise<boolean>;
}

/** Like `records`, with the methods of `changed` instead of its own. */
export const recordsWith = <Value>(
  records: Records<Value>,
  changed: Partial<Methods<Value>>,
): Records<Value> => Object.assign(Object.create(records), changed);

/**
 * The same records as several processes have them over a network: others come in between every two steps, in an order that
 * the seed decides, and `update` calls `change` again when somebody else was faster.
 */
export function interleaved<Value>(records: Records<Value>, seed = 1): Records<Value> {
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
  return recordsWith(records, {
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
  });
}
