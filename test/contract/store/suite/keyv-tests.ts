import { Keyv, type KeyvEntry } from 'keyv';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defined } from '../../../../src/base/defined.ts';
import { Records } from '../../../../src/base/keyv/records.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { allOf } from '../../../all-of.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import type { Driver } from './driver.ts';
import { placeForEach } from './set-up.ts';

/** The ways to use the storage adapter. */
const CLIENTS: Readonly<Record<string, (store: Store, namespace: string) => Keyv>> = {
  'the records': (store, namespace) => store.keyv(namespace),
  'a Keyv without serialization': (store, namespace) =>
    new Keyv({ store: store.keyv('any').store, namespace, serialization: false }),
  'a Keyv with its usual serialization': (store, namespace) =>
    new Keyv({ store: store.keyv('any').store, namespace }),
};

/**
 * What Keyv asks of a storage adapter. The checks are those of @keyv/test-suite 2.1.2, which is made for Keyv 5: it expects one answer
 * for the deletion of several keys, where Keyv 6 gives one for each.
 */
export function keyvTests(driver: Driver): void {
  const place = placeForEach(driver);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: place.time.now });
  });
  afterEach(() => vi.useRealTimers());
  const pass = (ms: number): void => {
    place.time.now += ms;
    vi.setSystemTime(place.time.now);
  };

  describe.each(Object.entries(CLIENTS))('through %s', (_, open) => {
    let store: Store;
    let keyv: Keyv;
    beforeEach(async () => {
      store = await place.open([keyOf(3)]);
      keyv = open(store, 'keyv');
    });

    it('Keyv over a store stores a value and says so', async () => {
      expect(await keyv.set('foo', 'bar')).toBe(true);
      expect(await keyv.get('foo')).toBe('bar');
      expect(await open(store, 'keyv').get('foo')).toBe('bar');
    });

    it('Keyv over a store replaces a value, and its life', async () => {
      await keyv.set('foo', 'bar', 1_000);
      await keyv.set('foo', 'baz');
      pass(5_000);

      expect(await keyv.get('foo')).toBe('baz');
    });

    it('Keyv over a store answers each method with a promise', async () => {
      const answers = [keyv.set('foo', 'bar'), keyv.get('foo'), keyv.delete('foo'), keyv.has('foo')];
      for (const answer of [...answers, keyv.delete(['foo']), keyv.clear()])
        expect(answer).toBeInstanceOf(Promise);
      await Promise.all(answers);
    });

    it('Keyv over a store stores values of every kind as they are', async () => {
      const values = [
        false,
        null,
        0,
        1.5,
        '',
        '\'"`',
        '{"value":1}',
        ':base64:bar',
        ['a', 1, null],
        { fizz: 'buzz', of: [1, null, { deep: true }] },
      ];
      for (const value of values) {
        await keyv.set('foo', value);
        expect(await keyv.get('foo')).toEqual(value);
        expect(await keyv.has('foo')).toBe(true);
      }
    });

    it('Keyv over a store takes undefined for a value, which is as none', async () => {
      await keyv.set('foo', undefined);
      expect(await keyv.get('foo')).toBeUndefined();
      expect(place.found).toEqual([]);
    });

    it('Keyv over a store takes a quote for a key', async () => {
      await keyv.set("'", 'bar');
      expect(await keyv.get("'")).toBe('bar');
    });

    it('Keyv over a store has nothing under a key that was never set', async () => {
      expect(await keyv.get('foo')).toBeUndefined();
      expect(await keyv.has('foo')).toBe(false);
      expect(await keyv.delete('foo')).toBe(false);
    });

    it('Keyv over a store forgets a value when its life is over', async () => {
      await keyv.set('foo', 'bar', 1_000);
      await keyv.set('stays', 'bar', 60_000);

      expect(await keyv.get('foo')).toBe('bar');

      pass(1_001);
      expect(await keyv.get('foo')).toBeUndefined();
      expect(await keyv.has('foo')).toBe(false);
      expect(await keyv.get(['foo', 'stays'])).toEqual([undefined, 'bar']);
      expect(await keyv.has(['foo', 'stays'])).toEqual([false, true]);
      expect(await allOf(keyv.iterator())).toEqual([['stays', 'bar']]);
    });

    it('Keyv over a store reads several keys in the order in which they are asked for', async () => {
      await keyv.set('foo', 'bar', 3_000);
      await keyv.set('foo2', 'bar2', 3_000);

      expect(await keyv.get(['foo', 'foo1', 'foo2'])).toEqual(['bar', undefined, 'bar2']);
      expect(await keyv.get(['none', 'nothing'])).toEqual([undefined, undefined]);
      expect(await keyv.has(['foo', 'foo1'])).toEqual([true, false]);
    });

    it('Keyv over a store stores several values, each with its own life', async () => {
      const entries: KeyvEntry<string>[] = [
        { key: 'foo', value: 'bar' },
        { key: 'short', value: 'baz', ttl: 1_000 },
      ];
      expect(await keyv.setMany(entries)).toEqual([true, true]);
      expect(await keyv.getMany(['foo', 'short'])).toEqual(['bar', 'baz']);

      pass(1_001);
      expect(await keyv.getMany(['foo', 'short'])).toEqual(['bar', undefined]);
    });

    it('Keyv over a store deletes a key, once', async () => {
      await keyv.set('foo', 'bar');
      expect(await keyv.delete('foo')).toBe(true);
      expect(await keyv.get('foo')).toBeUndefined();
      expect(await keyv.delete('foo')).toBe(false);
    });

    it('Keyv over a store deletes several keys, and says which there were', async () => {
      await keyv.set('foo', 'bar');
      await keyv.set('foo2', 'bar2');

      expect(await keyv.delete(['foo', 'foo1', 'foo2'])).toEqual([true, false, true]);
      expect(await keyv.get(['foo', 'foo1', 'foo2'])).toEqual([undefined, undefined, undefined]);
    });

    it('Keyv over a store clears everything in its namespace', async () => {
      const other = open(store, 'other');
      for (const each of [keyv, other]) await each.set('foo', 'bar');
      await keyv.set('fizz', 'buzz');

      expect(await keyv.clear()).toBeUndefined();
      expect(await keyv.get(['foo', 'fizz'])).toEqual([undefined, undefined]);
      expect(await other.get('foo')).toBe('bar');
    });

    it('Keyv over a store keeps namespaces apart', async () => {
      const other = open(store, 'other');
      await keyv.set('foo', 'mine');
      await other.set('foo', 'theirs');

      expect(keyv.namespace).toBe('keyv');
      expect(other.namespace).toBe('other');
      expect(await keyv.get('foo')).toBe('mine');
      expect(await other.get('foo')).toBe('theirs');
      expect(await keyv.delete('foo')).toBe(true);
      expect(await keyv.get('foo')).toBeUndefined();
      expect(await other.get('foo')).toBe('theirs');
    });

    it('Keyv over a store goes through all values of its namespace', async () => {
      const all = Array.from({ length: 5 }, (_, index): [string, string] => [`${index}`, `${index + 10}`]);
      for (const [key, value] of all) await keyv.set(key, value);
      await open(store, 'other').set('0', 'theirs');

      expect(keyv.iterator()[Symbol.asyncIterator]).toBeTypeOf('function');
      expect((await allOf(keyv.iterator())).toSorted()).toEqual(all);
    });
  });

  it('Keyv over a store stores no symbol as something else', async () => {
    const store = await place.open();
    for (const serialization of [false, undefined] as const) {
      const keyv = new Keyv({ store: store.keyv('keyv').store, ...defined({ serialization }) });
      await expect(keyv.set('foo', Symbol('value'))).rejects.toThrow();
      expect(await keyv.get('foo')).toBeUndefined();
    }
  });

  it('Keyv over a store stores what only a serialization can store', async () => {
    const keyv = new Keyv({ store: (await place.open()).keyv('keyv').store });
    const value = { bytes: Buffer.from('buzz'), many: 9_223_372_036_854_775_807n };
    await keyv.set('foo', value);

    expect(await keyv.get('foo')).toEqual(value);
  });

  it('Keyv over a store rejects a call that fails, as nothing listens for errors', async () => {
    const store = await place.open();
    const records = store.keyv('keyv');

    expect(records).toBeInstanceOf(Records);
    expect(records.listenerCount('error')).toBe(0);

    await store.close();
    await expect(records.get('foo')).rejects.toThrow();
    await expect(records.get(['foo'])).rejects.toThrow();
    await expect(records.has('foo')).rejects.toThrow();
    await expect(records.set('foo', 'bar')).rejects.toThrow();
    await expect(records.update('foo', () => 'bar')).rejects.toThrow();
    await expect(records.delete('foo')).rejects.toThrow();
    await expect(records.clear()).rejects.toThrow();
    await expect(allOf(records.iterator())).rejects.toThrow();
  });
}
