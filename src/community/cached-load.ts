import type { Keyv } from 'keyv';

/**
 * Returns what the cache has under a key, or else loads and keeps it, once for all who ask meanwhile. A failure is not kept, and
 * neither is undefined.
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
