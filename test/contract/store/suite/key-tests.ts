import { expect, it } from 'vitest';
import { createSeal, openedOf } from '../../../../src/store/records/seal.ts';
import { StoreKeyError } from '../../../../src/store/records/store-error.ts';
import { COPIED_TABLES } from '../../../../src/store/tables/copy.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { jobWith } from '../../../fakes/job.ts';
import { keyOf, sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, insert, person } from './driver.ts';
import { placeForEach } from './set-up.ts';

const SECRETS = ['424242424242', 'Annabella', '777777777', '888888888', 'secret', 'interaction'];

async function fill(store: Store): Promise<void> {
  const job = sampleJob();
  await insert(store, job, sampleJob());
  await store.jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent', serviceId: 'secret 42' }));
  const detail = { prompt: 'a secret wish', name: 'Annabella' };
  await store.audit.append({ at: 1, community, actor: person, action: 'job.accepted', detail });
  const sums = { credits: { [community]: 1 } };
  await store.figures.add({ writer: 'w', number: 1, at: 1, additions: [{ scale: 'day', at: 1, sums }] });
  await store.keyv('preferences', { ownerOf: (key) => key }).set(person, 'a secret choice');
}

export function keyTests(driver: Driver): void {
  const place = placeForEach(driver);

  const readable = async (): Promise<string[]> => {
    let text = '';
    for (const { name } of COPIED_TABLES)
      for (const row of await place.sql(`SELECT * FROM ${name}`))
        for (const value of Object.values(row))
          text += `${value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)}\n`;
    return SECRETS.filter((secret) => text.includes(secret));
  };

  it('nothing is readable with a key, and everything without', async () => {
    await fill(await place.open());
    expect(await readable()).toEqual(SECRETS);
    await place.remove();
    await fill(await place.open([keyOf(1)]));
    expect(await readable()).toEqual([]);
  });

  it('a wrong key, a missing one and one of the wrong length are refused', async () => {
    await place.open([keyOf(1)]);
    await expect(place.open([keyOf(2)])).rejects.toThrow(
      new StoreKeyError('STORE_KEY is not the key that this store was encrypted with.'),
    );
    await expect(place.open()).rejects.toThrow(/set STORE_KEY/);
    await expect(place.open([Buffer.alloc(16)])).rejects.toThrow(/32 bytes/);
  });

  it('after a change of keys the old one can go when everything is re-encrypted, and not before', async () => {
    const [old, fresh] = [keyOf(1), keyOf(2)];
    const before = await place.open([old]);
    for (let index = 0; index < 120; index += 1) await before.keyv('settings').set(`key ${index}`, { index });
    const changing = await place.open([fresh, old]);
    expect(await changing.sweep()).toBe(true);
    await expect(place.open([fresh])).rejects.toThrow(/STORE_KEY=new,old/);
    await expect(place.open([old])).rejects.toThrow(/STORE_KEY/);
    const again = await place.open([fresh, old]);
    while (await again.sweep());
    const after = await place.open([fresh]);
    expect(await after.keyv('settings').get('key 119')).toEqual({ index: 119 });
    expect(place.found).toEqual([]);
  });

  it('after a change of keys what was set aside can be read with the new one, however it came there', async () => {
    const [old, fresh] = [keyOf(1), keyOf(2)];
    const setAside = async (store: Store, keys: readonly Uint8Array[]): Promise<void> => {
      const job = sampleJob();
      await insert(store, job);
      const body = place.sealed('{"a": 1}', 'job', keys);
      await place.sql('UPDATE jobs SET body = $1 WHERE id = $2', body, job.id);
      expect(await store.jobs.get(job.id)).toBeUndefined();
      await store.keyv('settings').set('key', 1);
      const value = place.sealed('{"b": 2}', 'settings', keys);
      await place.sql('UPDATE entries SET value = $1', value);
      expect(await store.keyv('settings').get('key')).toBeUndefined();
    };
    await setAside(await place.open(), []);
    await setAside(await place.open([old]), [old]);
    const changing = await place.open([fresh, old]);
    while (await changing.sweep());
    await place.open([fresh]);
    const seal = createSeal([fresh]);
    const rows = await place.sql('SELECT kind, bytes FROM damaged ORDER BY seq');
    expect(
      rows.map(({ kind, bytes }) => openedOf(seal, bytes, 'damaged') ?? openedOf(seal, bytes, String(kind))),
    ).toEqual(['{"a": 1}', '{"b": 2}', '{"a": 1}', '{"b": 2}']);
  });
}
