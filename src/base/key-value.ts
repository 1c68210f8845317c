/** For how many ms a value is kept; undefined: for good. */
export type Life<T> = number | ((after: T) => number | undefined);

/** The part of Keyv that is used, and `update`. Values survive the process; the store checks the shape of each. */
export interface KeyValue {
  get<T = unknown>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  /**
   * Replaces the value by what `change` returns (undefined: leaves it as it is) and returns what is stored then. No
   * concurrent change is lost: `change` may be called several times, so it is synchronous and free of effects. If it throws,
   * nothing is changed. `ttlMs` may depend on what is stored then; a value that is kept for 0 ms is gone.
   */
  update<T>(
    key: string,
    change: (value: T | undefined) => T | undefined,
    ttlMs?: Life<T>,
  ): Promise<T | undefined>;
}

export interface ListedKeyValue extends KeyValue {
  /** Every record, in pages, as it is when it is read. */
  iterator(): AsyncIterable<readonly [key: string, value: unknown]>;
}
