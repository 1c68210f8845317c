import type { EventEmitter } from 'node:events';
import { Keyv, type KeyvEntry, type KeyvStorageAdapter } from 'keyv';
import { createKeyedQueue } from '../limits/keyed-queue.ts';

/** For how many ms a value is kept; undefined: for good. */
export type Life<T> = number | ((after: T) => number | undefined);

/** What is stored under a key. */
export interface Found {
  readonly value: unknown;
  /** Changes with every write; undefined: nothing is stored. */
  readonly version?: number;
}

/** Keyv's storage adapter, without events, which it never emits, and with compare-and-set. It enforces expiry by its own clock. */
export interface RecordStorage extends Omit<KeyvStorageAdapter, keyof EventEmitter> {
  find(key: string): Promise<Found>;
  /** Stores `after` if nothing has been written under the key since `found` was read; returns whether it did. */
  swap(key: string, found: Found, after: unknown, expires?: number): Promise<boolean>;
  /** How much its records take in the store. */
  bytes(): Promise<number>;
}

/** Each attempt fails because another change came first. */
const MOST_TRIES = 1_000;

/**
 * A namespace of the store: a Keyv whose values survive the process, with compare-and-set. It never has an `error` listener:
 * with one, Keyv would answer a read that failed with undefined instead of rejecting.
 */
export class Records<Value = unknown> extends Keyv<Value> {
  private readonly storage: RecordStorage;
  private readonly now: () => number;
  /** Changes by one process do not make each other try again; only those of other processes do. */
  private readonly serially = createKeyedQueue();

  /** `now`: the clock of the storage. */
  constructor(storage: RecordStorage, now: () => number) {
    // The storage validates, seals and expires values itself.
    super({ store: storage, serialization: false, checkExpired: false });
    this.storage = storage;
    this.now = now;
  }

  /** Keyv would count `ttlMs` from the machine's time. What is kept for 0 ms is gone. */
  override set<T = Value>(key: string, value: T, ttlMs?: number): Promise<boolean> {
    return this.setRaw(key, { value, expires: this.expiresAfter(ttlMs) });
  }

  override setMany<T = Value>(entries: KeyvEntry<T>[]): Promise<boolean[]> {
    return this.setManyRaw(
      entries.map(({ key, value, ttl }) => ({ key, value: { value, expires: this.expiresAfter(ttl) } })),
    );
  }

  /** Every record, in pages, as it is when it is read. */
  override iterator(): AsyncGenerator<[key: string, value: Value], void> {
    return super.iterator();
  }

  /**
   * Replaces the value by what `change` returns (undefined: leaves it as it is) and returns what is stored then. No
   * concurrent change is lost: `change` may be called several times, so it is synchronous and free of effects. If it throws,
   * nothing is changed. `ttlMs` may depend on what is stored then; a value that is kept for 0 ms is gone.
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
