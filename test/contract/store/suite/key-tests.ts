import { expect, it } from 'vitest';
import { ServiceIdTaken } from '../../../../src/orchestrator/job/records.ts';
import { createSeal, openedOf } from '../../../../src/store/records/seal.ts';
import { StoreKeyError } from '../../../../src/store/records/store-error.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { jobWith } from '../../../fakes/job.ts';
import { keyOf, sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, day, insert, orderOf, person } from './driver.ts';
import { placeForEach } from './set-up.ts';

const SECRETS = ['424242424242', 'Annabella', '777777777', '888888888', 'secret', 'interaction'];
const TABLES = [
  'acceptances',
  'audit',
  'charges',
  'damaged',
  'entries',
  'erasures',
  'figures',
  'jobs',
  'removed',
  'slots',
  'tallies',
  'usage',
];

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
    for (const table of TABLES)
      for (const row of await place.sql(`SELECT * FROM ${table}`))
        for (const value of Object.values(row))
          text += `${value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)}\n`;
    return SECRETS.filter((secret) => text.includes(secret));
  };

  it('with a key nothing is readable', async () => {
    await fill(await place.open([keyOf(1)]));
    expect(await readable()).toEqual([]);
  });

  it('without a key everything is readable', async () => {
    await fill(await place.open());
    expect(await readable()).toEqual(SECRETS);
  });

  it('a wrong key, a missing one and one of the wrong length are refused', async () => {
    await place.open([keyOf(1)]);
    await expect(place.open([keyOf(2)])).rejects.toThrow(
      new StoreKeyError('STORE_KEY is not the key that this store was encrypted with.'),
    );
    await expect(place.open()).rejects.toThrow(/set STORE_KEY/);
    await expect(place.open([Buffer.alloc(16)])).rejects.toThrow(/32 bytes/);
  });

  it('a store is encrypted when a key is set later, and everything is found as before', async () => {
    const plain = await place.open();
    await fill(plain);
    const orders = orderOf(sampleJob({ state: 'opening' }));
    const jobs = await plain.jobs.ofPerson(person, 5);
    const places = await Promise.all(jobs.map(({ id }) => plain.jobs.place(id)));
    const sealed = await place.open([keyOf(1)]);
    expect(await readable()).toEqual([]);
    expect(await sealed.jobs.ofPerson(person, 5)).toEqual(jobs);
    expect(await Promise.all(jobs.map(({ id }) => sealed.jobs.place(id)))).toEqual(places);
    expect(await sealed.usage.person(day, community, person)).toEqual({ reserved: 2, spent: 2, jobs: 2 });
    expect((await sealed.audit.recent(community, 1))[0]?.detail).toMatchObject({ name: 'Annabella' });
    expect(await sealed.keyv('preferences').get(person)).toBe('a secret choice');
    const limits = { ...orders.limits, userJobsPerMinute: 2 };
    await expect(sealed.jobs.accept({ ...orders, limits })).rejects.toMatchObject({
      reason: { code: 'rate' },
    });
    const other = sampleJob({ state: 'submitting' });
    await insert(sealed, other);
    const taken = jobWith({ ...other, state: 'running', serviceId: 'secret 42' });
    await expect(sealed.jobs.save(other, taken)).rejects.toThrow(ServiceIdTaken);
    await sealed.erasures.more(await sealed.erasures.begin(person), 100);
    expect(await sealed.keyv('preferences').get(person)).toBeUndefined();
  });

  it('after a change of keys everything is re-encrypted, and only then the old key can go', async () => {
    const [old, fresh] = [keyOf(1), keyOf(2)];
    const before = await place.open([old]);
    const job = sampleJob();
    await insert(before, job);
    for (let index = 0; index < 120; index += 1) await before.keyv('settings').set(`key ${index}`, { index });
    const line = { at: place.time.now, community, actor: person, action: 'alias.create', detail: { n: 1 } };
    await before.audit.append(line);

    const changing = await place.open([fresh, old]);
    expect(await changing.jobs.byOrigin(job.origin)).toEqual(job);
    expect(await changing.sweep()).toBe(true);
    await expect(place.open([fresh])).rejects.toThrow(/STORE_KEY=new,old/);
    await expect(place.open([old])).rejects.toThrow(/STORE_KEY/);
    const again = await place.open([fresh, old]);
    while (await again.sweep());

    const after = await place.open([fresh]);
    expect(await after.keyv('settings').get('key 119')).toEqual({ index: 119 });
    expect(await after.audit.recent(community, 5)).toEqual([line]);
    expect(await after.jobs.ofPerson(person, 5)).toEqual([job]);
    expect(place.found).toEqual([]);
  });

  it('after a change of keys what was set aside can be read with the new one, however it came there', async () => {
    const [old, fresh] = [keyOf(1), keyOf(2)];
    const setAside = async (store: Store, keys: readonly Uint8Array[]): Promise<void> => {
      const job = sampleJob();
      await insert(store, job);
      await place.sql(
        'UPDATE jobs SET body = $1 WHERE id = $2',
        place.sealed('{"a": 1}', 'job', keys),
        job.id,
      );
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

  it('returning to the old key meanwhile loses nothing', async () => {
    const [old, fresh] = [keyOf(1), keyOf(2)];
    await (await place.open([old])).keyv('settings').set('first', 1);
    await (await place.open([fresh, old])).keyv('settings').set('second', 2);
    const back = await place.open([old, fresh]);
    while (await back.sweep());
    const settings = (await place.open([old])).keyv('settings');
    expect([await settings.get('first'), await settings.get('second')]).toEqual([1, 2]);
  });
}
