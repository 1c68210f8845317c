import type { Keyv } from 'keyv';

/**
 * Makes a function that returns the cached value of a key, or loads and caches it, once for all callers meanwhile. Neither a
 * failure nor undefined is cached.
 */
export function createCachedLoad<T>(cache: Keyv<T>, load: (key: string) => Promise<T>) {
  const underWay = new Map<string, Promise<T>>();
  const read = async (key: string): Promise<T> => {
    const known = await cache.get(key);
    if (known !== undefined) return known;
    const loaded = await load(key);
    await cache.set(key, loaded);
    return loaded;
  };
  return (key: string): Promise<T> => {
    const reading = underWay.get(key) ?? read(key).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
}
