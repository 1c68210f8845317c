import { expect, test } from 'vitest';
import { createBriefCache } from '../../../src/community/brief-cache.ts';
import { createFakeClock } from '../../fakes/clock.ts';

const setting = (most = 10) => {
  const clock = createFakeClock();
  const asked: string[] = [];
  let answer: () => Promise<string> = async () => `value ${asked.length}`;
  const cache = createBriefCache(
    (key) => {
      asked.push(key);
      return answer();
    },
    clock,
    { freshMs: 1_000, most },
  );
  return { clock, asked, cache, set: (next: () => Promise<string>) => (answer = next) };
};

test('one load of a brief cache serves all who ask meanwhile and a while after, then the value is loaded again', async () => {
  const { clock, asked, cache } = setting();
  expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['value 1', 'value 1']);

  await clock.advance(999);
  expect(await cache.get('a')).toBe('value 1');

  await clock.advance(1);
  expect(await cache.get('a')).toBe('value 2');
  expect(asked).toEqual(['a', 'a']);
});

test('a load of a brief cache that hangs is begun again for those who ask a while after', async () => {
  const { clock, asked, cache, set } = setting();
  set(() => new Promise(() => undefined));

  void cache.get('a');
  await clock.advance(999);
  void cache.get('a');

  expect(asked).toEqual(['a']);

  await clock.advance(1);
  void cache.get('a');
  expect(asked).toEqual(['a', 'a']);
});

test('a value of a brief cache that is forgotten while it is loaded is loaded again', async () => {
  const { asked, cache } = setting();
  const before = cache.get('a');

  cache.forget('a');
  expect(await before).toBe('value 1');
  expect(await cache.get('a')).toBe('value 2');
  expect(asked).toEqual(['a', 'a']);
});

test('a brief cache reports a failure and does not keep it', async () => {
  const { asked, cache, set } = setting();
  set(() => Promise.reject(new Error('away')));
  await expect(cache.get('a')).rejects.toThrow('away');
  await expect(cache.get('a')).rejects.toThrow('away');
  expect(asked).toHaveLength(2);
});

test('a brief cache drops the keys first that were loaded longest ago', async () => {
  const { asked, cache } = setting(2);
  for (const key of ['a', 'b', 'c', 'c', 'a']) await cache.get(key);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});
