import type { EventEmitter } from 'node:events';
import { Keyv, type KeyvEntry, type KeyvStorageAdapter } from 'keyv';
import { createKeyedQueue } from '../limits/keyed-queue.ts';

/** For how many ms a value is kept; undefined: without expiry. */
export type Life<T> = number | ((after: T) => number | undefined);

/** The value that is stored under a key. */
export interface Found {
  readonly value: unknown;
  /** A number that changes with every write; undefined if nothing is stored. */
  readonly version?: number;
}

/**
 * Keyv's storage adapter with compare-and-set, and without events, which it never emits. Expiry follows the adapter's own
 * clock.
 */
export interface RecordStorage extends Omit<KeyvStorageAdapter, keyof EventEmitter> {
  find(key: string): Promise<Found>;
  /** Stores `after` if nothing has been written under the key since `found` was read; returns whether it did. */
  swap(key: string, found: Found, after: unknown, expires?: number): Promise<boolean>;
  /** The size of the records in the store. */
  bytes(): Promise<number>;
}

/** Limit of retries of an update; each attempt fails only if another change came first. */
const MOST_TRIES = 1_000;

/**
 * A namespace of the store: a Keyv whose values survive the process, with compare-and-set. It must never have an `error`
 * listener, because Keyv would then answer a failed read with undefined instead of rejecting.
 */
export class Records<Value = unknown> extends Keyv<Value> {
  private readonly storage: RecordStorage;
  private readonly now: () => number;
  /** Updates of one process are queued, so that only those of other processes cause retries. */
  private readonly serially = createKeyedQueue();

  /** `now`: the clock of the storage. */
  constructor(storage: RecordStorage, now: () => number) {
    // The storage validates, seals and expires values itself.
    super({ store: storage, serialization: false, checkExpired: false });
    this.storage = storage;
    this.now = now;
  }

  /** Overridden, because Keyv would count `ttlMs` from the machine's time. A value that is kept for 0 ms is deleted. */
  override set<T = Value>(key: string, value: T, ttlMs?: number): Promise<boolean> {
    return this.setRaw(key, { value, expires: this.expiresAfter(ttlMs) });
  }

  override setMany<T = Value>(entries: KeyvEntry<T>[]): Promise<boolean[]> {
    return this.setManyRaw(
      entries.map(({ key, value, ttl }) => ({ key, value: { value, expires: this.expiresAfter(ttl) } })),
    );
  }

  /** Iterates over all records in pages; each is as it was when its page was read. */
  override iterator(): AsyncGenerator<[key: string, value: Value], void> {
    return super.iterator();
  }

  /**
   * Read-modify-write: replaces the value by the result of `change` (undefined leaves it unchanged) and returns the stored
   * value. No concurrent change is lost: `change` may be called several times, so it must be synchronous and free of effects.
   * If it throws, nothing is changed. `ttlMs` may depend on the stored value; a value that is kept for 0 ms is deleted.
   */
  update<T = Value>(
    key: string,
    change: (value: T | undefined) => T | undefined,
    ttlMs?: Life<T>,
  ): Promise<T | undefined> {
    return this.serially(key, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const found = await this.storage.find(key);
        const before = found.value as T | undefined;
        const after = change(before);
        if (after === undefined) return before;
        const keptMs = typeof ttlMs === 'function' ? ttlMs(after) : ttlMs;
        if (await this.storage.swap(key, found, after, this.expiresAfter(keptMs))) return after;
      }
      throw new Error(`A record of ${this.namespace} is changed so often that it could not be changed.`);
    });
  }

  bytes(): Promise<number> {
    return this.storage.bytes();
  }

  private expiresAfter(ttlMs: number | undefined): number | undefined {
    return ttlMs === undefined ? undefined : Math.floor(this.now() + ttlMs);
  }
}
