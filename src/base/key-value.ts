/** The part of Keyv that adapters and the desk use. Values survive the process; the store checks the shape of each. */
export interface KeyValue {
  get<T = unknown>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}
