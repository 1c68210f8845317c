import { expect, it } from 'vitest';
import { createByteCache } from '../../../src/base/byte-cache.ts';

const cacheOf = (most: number) => createByteCache<string>(most, (text) => text.length);

it('drops what was not used for longest', () => {
  const cache = cacheOf(10);
  for (const key of ['a', 'b', 'c']) cache.set(key, key.repeat(3));
  expect(cache.get('a')).toBe('aaa');
  cache.set('d', 'dddd');
  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['aaa', undefined, 'ccc', 'dddd']);
});

it('counts a value that is replaced once', () => {
  const cache = cacheOf(10);
  for (let n = 0; n < 5; n += 1) cache.set('a', 'aaaaaa');
  cache.set('b', 'bbbb');
  expect(cache.get('a')).toBe('aaaaaa');
});

it('does not keep what is larger than the cache', () => {
  const cache = cacheOf(10);
  cache.set('a', 'a'.repeat(11));
  expect(cache.get('a')).toBeUndefined();
  // Nor does it count.
  cache.set('b', 'b'.repeat(10));
  expect(cache.get('b')).toBeDefined();
});
