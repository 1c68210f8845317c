import { describe, expect, it } from 'vitest';
import { allOf } from '../../../all-of.ts';
import type { Driver } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

export function keyValueTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('key-value records, %s', (_, keys) => {
    it('take any key', async () => {
      const keyv = (await place.open(keys)).keyv('settings');
      const odd = ['a\0b', 'json:"a"', '\ud800', 'k'.repeat(1_000), "'; DROP TABLE entries; --"];
      for (const key of odd) await keyv.set(key, key.length);
      expect(await Promise.all(odd.map((key) => keyv.get(key)))).toEqual(odd.map(({ length }) => length));
      expect((await allOf(keyv.iterator())).map(([key]) => key).sort()).toEqual(odd.toSorted());
    });

    it('keep namespaces apart, and can be deleted', async () => {
      const store = await place.open(keys);
      const [one, two] = [store.keyv('one'), store.keyv('two')];
      for (const keyv of [one, two]) await keyv.set('key', 2);
      expect(await one.delete('key')).toBe(true);
      expect(await one.delete('key')).toBe(false);
      expect(await one.get('key')).toBeUndefined();
      expect(await two.get('key')).toBe(2);
    });

    it('can be gone through, however many', async () => {
      const keyv = (await place.open(keys)).keyv('many');
      await Promise.all(Array.from({ length: 250 }, (_, i) => keyv.set(`k${i}`, i)));
      const seen = new Map(await allOf(keyv.iterator()));
      expect(seen.size).toBe(250);
      expect(seen.get('k17')).toBe(17);
    });

    it('are there until they expire', async () => {
      place.time.now = Date.now();
      const keyv = (await place.open(keys)).keyv('cache');
      await keyv.set('kept', 1, 3_600_000);
      await keyv.update('changed', () => 1, 3_600_000);
      place.time.now += 3_500_000;
      expect([await keyv.get('kept'), await keyv.get('changed')]).toEqual([1, 1]);
      place.time.now += 200_000;
      expect([await keyv.get('kept'), await keyv.get('changed')]).toEqual([undefined, undefined]);
      expect(await keyv.update<number>('kept', (value) => (value ?? 0) + 5)).toBe(5);
      expect(await keyv.get('kept')).toBe(5);
    });

    it('are changed from what is stored, and stay when the change is none or fails', async () => {
      const keyv = (await place.open(keys)).keyv('settings');
      expect(await keyv.update('key', () => undefined)).toBeUndefined();
      expect(await keyv.update<number>('key', (value) => (value ?? 1) * 2)).toBe(2);
      expect(await keyv.update<number>('key', () => undefined)).toBe(2);
      const failing = keyv.update('key', () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await keyv.get('key')).toBe(2);
    });
  });
}
