/**
 * An LRU cache bounded by the total size of its values. It is no Keyv, because its values have no life, and a Keyv knows no
 * sizes.
 */
export function createByteCache<T>(mostBytes: number, bytesOf: (value: T) => number) {
  /** Values in the order of their last use: a Map keeps insertion order. */
  const kept = new Map<string, T>();
  let bytes = 0;
  const remove = (key: string): void => {
    const value = kept.get(key);
    if (value !== undefined && kept.delete(key)) bytes -= bytesOf(value);
  };
  return {
    get(key: string): T | undefined {
      const value = kept.get(key);
      if (value === undefined) return undefined;
      kept.delete(key);
      kept.set(key, value);
      return value;
    },
    set(key: string, value: T): void {
      remove(key);
      kept.set(key, value);
      bytes += bytesOf(value);
      for (const oldest of kept.keys()) {
        if (bytes <= mostBytes) return;
        remove(oldest);
      }
    },
    keys: () => kept.keys(),
    delete: remove,
  };
}
