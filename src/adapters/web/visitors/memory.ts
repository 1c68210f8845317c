/** The part of Keyv that is used here. What is in it survives the process. */
export interface Memory {
  get<T>(key: string): Promise<T | undefined>;
  set(key: string, value: unknown, ttl?: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}
