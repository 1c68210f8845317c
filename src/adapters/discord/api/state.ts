/** The few things kept between runs: a key-value store such as Keyv. */
export interface State {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttlMs?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}
