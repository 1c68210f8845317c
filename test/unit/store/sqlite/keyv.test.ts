import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStoreFile, keyOf } from './open-store.ts';

let file: ReturnType<typeof createStoreFile>;
beforeEach(() => {
  file = createStoreFile();
});
afterEach(() => file.remove());

describe.each([
  ['plain', []],
  ['encrypted', [keyOf(3)]],
])('Keyv on the store, %s', (_, keys) => {
  it('keeps values of any JSON shape across a reopening', async () => {
    const value = { words: ['a', 'b'], nested: { n: 1.5, none: null } };
    expect(await file.open(keys).keyv('settings').set('key', value)).toBe(true);
    const reopened = file.open(keys).keyv('settings');
    expect(await reopened.get('key')).toEqual(value);
    expect(await reopened.has('key')).toBe(true);
    expect(await reopened.get('other')).toBeUndefined();
  });

  it('keeps namespaces apart', async () => {
    const store = file.open(keys);
    const [one, two] = [store.keyv('one'), store.keyv('two')];
    await one.set('key', 1);
    await two.set('key', 2);
    await one.clear();
    expect(await one.get('key')).toBeUndefined();
    expect(await two.get('key')).toBe(2);
  });

  it('deletes, and says whether there was anything', async () => {
    const keyv = file.open(keys).keyv('settings');
    await keyv.set('key', 1);
    expect(await keyv.delete('key')).toBe(true);
    expect(await keyv.delete('key')).toBe(false);
    expect(await keyv.has('key')).toBe(false);
  });

  it('handles many at once', async () => {
    const keyv = file.open(keys).keyv<number>('many');
    await keyv.setMany(Array.from({ length: 250 }, (_, i) => ({ key: `k${i}`, value: i })));
    expect(await keyv.getMany(['k0', 'nothing', 'k249'])).toEqual([0, undefined, 249]);
    expect(await keyv.hasMany(['k0', 'nothing'])).toEqual([true, false]);
    const seen = new Map<string, number>();
    for await (const [key, value] of keyv.iterator?.() ?? []) seen.set(String(key), Number(value));
    expect(seen.size).toBe(250);
    expect(seen.get('k17')).toBe(17);
    await keyv.deleteMany(['k0', 'k1']);
    expect(await keyv.getMany(['k0', 'k1', 'k2'])).toEqual([undefined, undefined, 2]);
  });

  it('updates a value in one step, and keeps it when there is nothing to change', async () => {
    const keyv = file.open(keys).keyv<number>('settings');
    const add = (value: number | undefined) => (value ?? 0) + 1;
    expect(await Promise.all([1, 2, 3].map(() => keyv.update('key', add)))).toEqual([1, 2, 3]);
    expect(await keyv.update<number>('key', () => undefined)).toBe(3);
    expect(await keyv.update<number>('other', () => undefined)).toBeUndefined();
    const refused = keyv.update<number>('key', () => {
      throw new RangeError('too many');
    });
    await expect(refused).rejects.toThrow(RangeError);
    expect(await file.open(keys).keyv('settings').get('key')).toBe(3);
  });

  it('updates what has expired as if it were not there, and keeps the new value as long as told', async () => {
    file.time.now = Date.now();
    const keyv = file.open(keys).keyv<number>('cache');
    const add = (value: number | undefined) => (value ?? 0) + 1;
    await keyv.update('key', add, 1_000);
    file.time.now += 999;
    expect(await keyv.update('key', add, 1_000)).toBe(2);
    file.time.now += 999;
    expect(await keyv.get('key')).toBe(2);
    file.time.now += 1;
    expect(await keyv.get('key')).toBeUndefined();
    expect(await keyv.update('key', add)).toBe(1);
    file.time.now += 86_400_000;
    expect(await keyv.get('key')).toBe(1);
  });

  it('deletes nothing while the clock is briefly wrong', async () => {
    file.time.now = Date.now();
    const keyv = file.open(keys).keyv<number>('sessions');
    await keyv.set('kept', 1, 3_600_000);
    const wrong = vi.spyOn(Date, 'now').mockReturnValue(file.time.now + 40 * 86_400_000);
    await keyv.get('kept');
    await keyv.has('kept');
    await keyv.getMany(['kept']);
    wrong.mockRestore();
    expect(await keyv.get('kept')).toBe(1);
  });

  it('forgets what has expired', async () => {
    // Keyv itself compares with the machine's time, so this one cannot be moved: the entry is born expired.
    const keyv = file.open(keys).keyv<number>('cache');
    await keyv.set('kept', 1, 3_600_000);
    await keyv.set('gone', 1, 3_600_000);
    file.time.now = Date.now();
    expect(await keyv.get('kept')).toBe(1);
    file.time.now += 3_600_001;
    expect(await keyv.get('gone')).toBeUndefined();
    expect(await keyv.has('gone')).toBe(false);
  });
});
