import { Keyv } from 'keyv';
import { describe, expect, it } from 'vitest';
import { createCachedLoad } from '../../../src/community/cached-load.ts';
import { createLruStore } from '../../../src/community/lru-store.ts';
import { createFakeClock } from '../../fakes/clock.ts';

const TTL_MS = 300_000;

const open = (most = 10) => {
  const clock = createFakeClock();
  const cache = new Keyv<string | undefined>({
    store: createLruStore({ most, ttlMs: TTL_MS, clock }),
    serialization: false,
  });
  return { clock, cache };
};

describe('a Keyv over the store for caches', () => {
  it('a cache keeps a value for its life by the product’s clock, however often it is read', async () => {
    const { clock, cache } = open();

    await cache.set('a', 'one');
    await clock.advance(TTL_MS - 1);

    expect(await cache.get('a')).toBe('one');
    expect(await cache.has('a')).toBe(true);

    await clock.advance(1);
    expect(await cache.get('a')).toBeUndefined();
    expect(await cache.has('a')).toBe(false);
  });

  it('a cache gives a value that is set again a new life', async () => {
    const { clock, cache } = open();

    await cache.set('a', 'one');
    await clock.advance(TTL_MS - 1);
    await cache.set('a', 'two');
    await clock.advance(TTL_MS - 1);

    expect(await cache.get('a')).toBe('two');
  });

  it('a cache keeps the values that were used last, as many as it may', async () => {
    const { cache } = open(2);

    await cache.set('a', 'one');
    await cache.set('b', 'two');
    await cache.get('a');
    await cache.set('c', 'three');

    expect(await cache.get(['a', 'b', 'c'])).toEqual(['one', undefined, 'three']);
  });

  it('a cache forgets what is deleted, and everything when it is cleared', async () => {
    const { cache } = open();
    for (const key of ['a', 'b', 'c']) await cache.set(key, `value of ${key}`);
    expect(await cache.delete('a')).toBe(true);
    expect(await cache.delete('a')).toBe(false);
    expect(await cache.get(['a', 'b'])).toEqual([undefined, 'value of b']);

    await cache.clear();
    expect(await cache.get(['b', 'c'])).toEqual([undefined, undefined]);
  });
});

describe('what is loaded through a cache', () => {
  const loading = () => {
    const { clock, cache } = open();
    const asked: string[] = [];
    let answer = async (): Promise<string | undefined> => `value ${asked.length}`;
    const load = createCachedLoad(cache, (key) => {
      asked.push(key);
      return answer();
    });
    return { clock, asked, load, answerWith: (next: typeof answer) => (answer = next) };
  };

  it('a cached load serves all who ask meanwhile, and is repeated after the life of its value', async () => {
    const { clock, asked, load } = loading();
    expect(await Promise.all([load('a'), load('a'), load('b')])).toEqual(['value 1', 'value 1', 'value 2']);

    await clock.advance(TTL_MS - 1);
    expect(await load('a')).toBe('value 1');

    await clock.advance(1);
    expect(await load('a')).toBe('value 3');
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('a cached load is repeated after a failure, which all who asked meanwhile are told', async () => {
    const { asked, load, answerWith } = loading();

    answerWith(() => Promise.reject(new Error('away')));
    const told = await Promise.allSettled([load('a'), load('a')]);

    expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(asked).toEqual(['a']);

    answerWith(async () => 'there');
    expect(await load('a')).toBe('there');
  });

  it('a cached load is repeated while there is no value', async () => {
    const { load, answerWith } = loading();
    answerWith(async () => undefined);
    expect(await load('a')).toBeUndefined();

    answerWith(async () => 'there');
    expect(await load('a')).toBe('there');
  });
});
