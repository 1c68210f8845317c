import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { communityRecordRules } from '../../../../src/community/rules/community-rules.ts';
import { createSeal, openedOf } from '../../../../src/store/records/seal.ts';
import { StoreKeyError } from '../../../../src/store/records/store-error.ts';
import type { LineFilter } from '../../../../src/store/tables/audit.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { allOf } from '../../../all-of.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import { community, type Driver, day, insert, orderOf, person, wasRemoved } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

export function keyValueTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('key-value records, $how', ({ keys }) => {
    it('key-value records take any key', async () => {
      const keyv = (await place.open(keys)).keyv('settings');
      const odd = ['a\0b', 'json:"a"', '\ud800', 'k'.repeat(1_000), "'; DROP TABLE entries; --"];

      for (const key of odd) await keyv.set(key, key.length);

      expect(await Promise.all(odd.map((key) => keyv.get(key)))).toEqual(odd.map(({ length }) => length));
      expect((await allOf(keyv.iterator())).map(([key]) => key).sort()).toEqual(odd.toSorted());
    });

    it('key-value records keep namespaces apart, and can be deleted', async () => {
      const store = await place.open(keys);
      const one = store.keyv('one');
      const two = store.keyv('two');

      for (const keyv of [one, two]) await keyv.set('key', 2);

      expect(await one.delete('key')).toBe(true);
      expect(await one.delete('key')).toBe(false);
      expect(await one.get('key')).toBeUndefined();
      expect(await two.get('key')).toBe(2);
    });

    it('key-value records can be gone through, however many', async () => {
      const keyv = (await place.open(keys)).keyv('many');
      await Promise.all(Array.from({ length: 250 }, (_, i) => keyv.set(`k${i}`, i)));
      const seen = new Map(await allOf(keyv.iterator()));

      expect(seen.size).toBe(250);
      expect(seen.get('k17')).toBe(17);
    });

    it('key-value records are refused where they would be too long to be read', async () => {
      const store = await place.open(keys);
      const keyv = store.keyv('long');
      const text = 'x'.repeat(16 * 1024 ** 2);

      await keyv.set('key', 1);

      await expect(keyv.set('key', text)).rejects.toThrow(RangeError);
      expect(await keyv.get('key')).toBe(1);

      const line = { at: 1, community: 'c', actor: 'a', action: 'job', detail: { text } };
      await expect(store.audit.append(line)).rejects.toThrow(RangeError);
      await expect(insert(store, { ...sampleJob(), origin: text })).rejects.toThrow(RangeError);
    });

    it('key-value records are there until they expire', async () => {
      place.time.now = Date.now();
      const keyv = (await place.open(keys)).keyv('cache');
      await keyv.set('kept', 1, 3_600_000);
      await keyv.update('changed', () => 1, 3_600_000);
      place.time.now += 3_500_000;

      expect(await keyv.get('kept')).toBe(1);
      expect(await keyv.get('changed')).toBe(1);

      place.time.now += 200_000;
      expect(await keyv.get('kept')).toBeUndefined();
      expect(await keyv.get('changed')).toBeUndefined();
      expect(await keyv.update<number>('kept', (value) => (value ?? 0) + 5)).toBe(5);
      expect(await keyv.get('kept')).toBe(5);
    });

    it('key-value records are kept for as long as what is stored then says', async () => {
      place.time.now = Date.now();
      const keyv = (await place.open(keys)).keyv('cache');
      const add = (seconds: number) =>
        keyv.update<number[]>(
          'key',
          (all = []) => [...all, seconds],
          (all) => (all.length < 3 ? 1_000 * seconds : undefined),
        );

      expect(await add(0)).toEqual([0]);
      expect(await keyv.get('key')).toBeUndefined();
      expect(await allOf(keyv.iterator())).toEqual([]);

      await add(60);
      expect(await keyv.get('key')).toEqual([60]);

      await add(60);
      await add(60);
      place.time.now += 3_600_000;

      expect(await keyv.get('key')).toEqual([60, 60, 60]);
    });

    it('key-value records are changed from what is stored, and stay when the change is none or fails', async () => {
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

/** Texts that may stand where a record should, by what they are. */
const BODIES: Readonly<Record<string, string>> = {
  'no JSON': '{"id": "jo',
  nothing: '',
  null: 'null',
  'a number': '7',
  'a list': '[]',
  'an empty object': '{}',
  'far too long': 'x'.repeat(300_000),
};

export function damageTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('in a store that is $how', ({ keys }) => {
    const ways = (purpose: string): (readonly [string, Uint8Array | string])[] => [
      ...Object.entries(BODIES).map(([name, text]) => [name, place.sealed(text, purpose, keys)] as const),
      ['random bytes', randomBytes(200)] as const,
      ['of another purpose', place.sealed('{}', 'another purpose', [keyOf(3)])] as const,
    ];

    it('a damaged job is set aside with its credits returned, and the others continue', async () => {
      const { version: _version, ...stranger } = sampleJob();
      const another = ['of another job', place.sealed(JSON.stringify(stranger), 'job', keys)] as const;
      for (const [name, body] of [...ways('job'), another]) {
        const former = await place.open(keys);
        const before = await former.usage.person(day, community, person);
        const damaged = sampleJob();
        const other = sampleJob();
        await insert(former, damaged, other);
        await place.sql('UPDATE jobs SET body = $1 WHERE id = $2', body, damaged.id);
        const store = await place.open(keys);
        const found = place.found.length;
        const left = (await allOf(store.jobs.abandoned())).map(({ id }) => id);
        expect(left, name).toContain(other.id);
        expect(place.found.slice(found), name).toMatchObject([{ kind: 'job', id: damaged.id }]);
        expect(store.damaged(), name).toBe(found + 1);
        expect(await store.jobs.get(damaged.id), name).toBeUndefined();
        expect(await wasRemoved(store, damaged.origin), name).toBe(true);
        const after = await store.usage.person(day, community, person);
        expect(after, name).toEqual({ ...before, reserved: before.reserved + 2, jobs: before.jobs + 2 });
      }

      expect((await place.open(keys)).damaged()).toBe(place.found.length);
    });

    it('a damaged job that may have been sent stays charged', async () => {
      const store = await place.open(keys);
      const job = sampleJob({ state: 'submitting' });

      await insert(store, job);
      await place.sql('UPDATE jobs SET body = $1', Buffer.of(0));

      expect(await store.jobs.unfinishedOf(person)).toEqual([]);
      expect(await store.usage.person(day, community, person)).toEqual({ reserved: 0, spent: 2, jobs: 1 });
      expect(await store.jobs.counts()).toEqual({ waiting: 0, running: 0 });
    });

    it.each([
      { table: 'usage', change: "reserved = 9000000000000000000 WHERE person = ''" },
      { table: 'usage', change: 'spent = 9000000000000000000' },
      { table: 'totals', change: 'credits = 9000000000000000000' },
      { table: 'totals', change: 'credits = -9000000000000000000' },
      { table: 'tallies', change: 'credits = 9000000000000000000' },
      { table: 'grants', change: 'credits = 9000000000000000000' },
    ])(
      'a number in $table that cannot be true keeps nobody from anything: $change',
      async ({ table, change }) => {
        const former = await place.open(keys);
        const at = place.time.now;
        const event = 'a grant';

        await former.grants.add({ community, ids: [community], person, credits: 4, event, at, most: 100 });
        await insert(former, sampleJob(), sampleJob({ caller: { ...sampleJob().caller, id: '77' } }));
        await place.sql(`UPDATE ${table} SET ${change}`);
        place.found.length = 0;

        const store = await place.open(keys);

        expect(place.found[0]).toMatchObject({ kind: table, why: 'a number that cannot be true' });

        const job = sampleJob();
        const order = {
          dailyCredits: 100,
          communityCredits: 1_000,
          serviceCredits: 1_000,
          grantsOf: community,
        };

        await expect(store.jobs.accept(orderOf(job, order))).resolves.toMatchObject({ job: { id: job.id } });
        expect((await store.usage.community(day, community)).reserved).toBeGreaterThanOrEqual(2);
      },
    );

    it('a damaged record that was set aside is erased with its person’s data', async () => {
      const store = await place.open(keys);
      await insert(store, sampleJob());
      await place.sql('UPDATE jobs SET body = $1', Buffer.of(0));
      await store.jobs.ofPerson(person, 10);

      expect(store.damaged()).toBe(1);

      await store.erasures.more(await store.erasures.begin(person), 100);
      expect(store.damaged()).toBe(0);
    });

    it('a damaged audit line is skipped', async () => {
      const store = await place.open(keys);
      for (const at of [1, 2, 3])
        await store.audit.append({ at, community, actor: person, action: 'job', detail: { at } });
      for (const [name, detail] of ways('audit')) {
        await place.sql('UPDATE audit SET detail = $1 WHERE seq = 2', detail);
        expect(await store.audit.recent(community, 10), name).toMatchObject([{ at: 3 }, { at: 1 }]);
        expect(await allOf(store.audit.since(0)), name).toMatchObject([{ at: 1 }, { at: 3 }]);
      }

      // Reported once.
      expect(place.found).toMatchObject([{ kind: 'audit', id: '2' }]);
      expect(store.damaged()).toBe(1);
    });

    it('a damaged record is as none, or replaced as its rules say', async () => {
      const store = await place.open(keys);
      const settings = store.keyv('settings', communityRecordRules);
      const good = { blocked: [], bannedWords: ['a'] };
      const shapes = [
        [community, { blocked: 7 }],
        [community, { credits: -1, blocked: [], bannedWords: [] }],
        ['discord:another', good],
        [community, { ...good, more: 'x'.repeat(17 * 1024 * 1024) }],
      ].map(([key, value]) => {
        const text = JSON.stringify([key, JSON.stringify({ value })]);
        return [text.slice(0, 99), place.sealed(text, 'settings', keys)] as const;
      });
      const all = [...ways('settings'), ...shapes];

      for (const [name, value] of all) {
        await settings.set(community, good);
        await store.keyv('other').set(community, name);
        await place.sql("UPDATE entries SET value = $1 WHERE namespace = 'settings'", value);
        // Who reads all of them does not know whose it is, and leaves it to those who ask for it.
        expect(await allOf(settings.iterator()), name).toEqual([]);
        const instead = communityRecordRules.insteadOf?.(community);
        const asked = () => Promise.all([settings.get(community), settings.get(community)]);
        expect([...(await asked()), ...(await asked())], name).toEqual(Array(4).fill(instead));
        expect(await store.keyv('other').get(community)).toBe(name);
      }

      expect(place.found).toHaveLength(all.length);
      expect(store.damaged()).toBe(all.length);
    });
  });
}

const line = (at: number, community = 'web:room', actor = 'web:ann', action = 'job.accepted') => ({
  at,
  community,
  actor,
  action,
  detail: { n: at },
});

export function auditTests(driver: Driver): void {
  const place = placeForEach(driver);

  it.each(PLAIN_AND_ENCRYPTED)(
    'the audit trail shows the latest of one person, or of actions that begin so ($how)',
    async ({ keys }) => {
      const { audit, erasures } = await place.open(keys);
      const actions = ['job', 'settings.block', 'job.report', 'alias.create', 'campaign.begun', 'job'];

      for (const [index, action] of actions.entries())
        for (const actor of ['web:ann', 'web:bob'])
          await audit.append(line(index, 'web:room', actor, action));
      await audit.append(line(9, 'web:other', 'web:ann', 'settings.block'));

      expect(await audit.recent('web:room', 1)).toEqual([line(5, 'web:room', 'web:bob', 'job')]);

      const found = async (only: LineFilter, limit = 99) =>
        (await audit.recent('web:room', limit, only)).map(({ at, actor }) => `${at} ${actor.slice(4)}`);
      expect(await found({ actor: 'web:ann' }, 2)).toEqual(['5 ann', '4 ann']);
      expect(await found({ actions: ['alias.', 'campaign.'] })).toEqual(['4 bob', '4 ann', '3 bob', '3 ann']);
      expect(await found({ actions: ['job'] }, 3)).toEqual(['5 bob', '5 ann', '2 bob']);
      expect(await found({ actions: ['job.report'] })).toEqual(['2 bob', '2 ann']);
      expect(await found({ actor: 'web:bob', actions: ['job'] })).toEqual(['5 bob', '2 bob', '0 bob']);
      expect(await found({ actor: 'web:eve' })).toEqual([]);
      expect(await found({ actions: [`%`, `' OR 1=1 --`] })).toEqual([]);

      // Nobody sees what a person has asked to delete, before it is deleted either.
      await erasures.begin('web:ann');
      expect(await found({ actor: 'web:ann' })).toEqual(['4 ann', '3 ann', '1 ann']);
      expect(await found({ actions: ['job.report'] })).toEqual(['2 bob']);
    },
  );

  it('the audit trail finds what moderators did behind however many accepted jobs', async () => {
    const { audit } = await place.open();
    await audit.append(line(1, 'web:room', 'web:mod', 'settings.pause'));
    await audit.append(line(2, 'web:room', 'web:ann', 'job'));
    await place.sql(`
      INSERT INTO audit (seq, at, community, actor, action, detail)
      SELECT a.seq + n, a.at, a.community, a.actor, a.action, a.detail FROM audit a,
        (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 6000) SELECT n FROM c) numbers
      WHERE a.action = 'job'
    `);
    const found = await audit.recent('web:room', 9, { actions: ['settings.'] });

    expect(found.map(({ action }) => action)).toEqual(['settings.pause']);
  });

  it('the audit trail exports everything since a time, however much, a community’s own or all', async () => {
    const { audit } = await place.open();
    for (let at = 1; at <= 450; at += 1)
      await audit.append(line(at, at % 2 === 0 ? 'web:room' : 'web:other'));

    expect((await allOf(audit.since(401))).map(({ at }) => at)).toEqual(
      Array.from({ length: 50 }, (_, i) => 401 + i),
    );
    expect(await allOf(audit.since(1, 'web:room'))).toHaveLength(225);
  });

  it('the audit trail is append-only for ninety days, enforced by the tables', async () => {
    const { audit } = await place.open();
    const days = (count: number): number => Date.now() - count * 86_400_000;

    await audit.append(line(days(91), 'web:room', 'web:mod', 'settings.block'));
    await audit.append(line(days(89), 'web:room', 'web:mod', 'settings.block'));
    await audit.append(line(days(1)));

    await expect(place.sql("UPDATE audit SET action = 'settings.unblock'")).rejects.toThrow(
      /does not change/,
    );
    await expect(place.sql('UPDATE audit SET at = 0')).rejects.toThrow(/does not change/);
    await expect(place.sql("DELETE FROM audit WHERE action = 'settings.block'")).rejects.toThrow(
      /ninety days/,
    );
    expect(await place.sql('SELECT seq FROM audit')).toHaveLength(3);

    const store = await place.open();
    place.time.now = Date.now();
    await store.sweep();

    expect(await store.audit.recent('web:room', 9)).toHaveLength(2);

    // A person's own jobs go at their wish.
    await store.erasures.more(await store.erasures.begin('web:ann'), 10);
    expect(await store.audit.recent('web:room', 9)).toHaveLength(1);
  });

  it('the audit trail uses the earlier of both clocks after the clock was set back', async () => {
    const store = await place.open();
    const HOUR = 3_600_000;

    place.time.now = Date.now() + HOUR;
    const old = place.time.now - 90 * 24 * HOUR;
    await store.audit.append(line(old - HOUR / 2, 'web:room', 'web:mod', 'settings.block'));
    await store.audit.append(line(old - 2 * HOUR, 'web:room', 'web:mod', 'settings.block'));

    expect(await store.sweep()).toBe(false);
    expect(await store.audit.recent('web:room', 9)).toHaveLength(1);
  });
}

export function keyTests(driver: Driver): void {
  const place = placeForEach(driver);

  it('a wrong key, a missing one and one of the wrong length are refused', async () => {
    await place.open([keyOf(1)]);
    await expect(place.open([keyOf(2)])).rejects.toThrow(
      new StoreKeyError('STORE_KEY is not the key that this store was encrypted with.'),
    );
    await expect(place.open()).rejects.toThrow(/set STORE_KEY/);
    await expect(place.open([Buffer.alloc(16)])).rejects.toThrow(/32 bytes/);
  });

  it.each([
    { what: 'lost', damage: "DELETE FROM meta WHERE name = 'blinding'", values: [] },
    {
      what: 'emptied',
      damage: "UPDATE meta SET value = $1 WHERE name = 'blinding'",
      values: [Buffer.alloc(0)],
    },
  ])(
    'an encrypted store whose secret was $what is refused, with and without a key, and is as it was',
    async ({ damage, values }) => {
      const keys = [keyOf(1)];
      const store = await place.open(keys);

      await store.keyv('settings').set('here', { a: 1 });
      await insert(store, sampleJob());
      const [secret] = await place.sql("SELECT value FROM meta WHERE name = 'blinding'");
      await place.sql(damage, ...values);

      for (const given of [keys, [keyOf(2)], []])
        await expect(place.open(given)).rejects.toThrow(/secret that they are found by is missing/);

      await place.sql(
        `INSERT INTO meta (name, value) VALUES ('blinding', $1) ON CONFLICT (name) DO UPDATE SET value = $1`,
        secret?.value,
      );
      const again = await place.open(keys);

      expect(await again.keyv('settings').get('here')).toEqual({ a: 1 });
      expect(place.found).toEqual([]);
    },
  );

  it('a plain store whose mark was lost is a plain store, and is encrypted when it gets a key', async () => {
    const plain = await place.open();
    await plain.keyv('settings').set('here', { a: 1 });
    await place.sql("DELETE FROM meta WHERE name = 'blinding'");

    expect(await (await place.open()).keyv('settings').get('here')).toEqual({ a: 1 });

    await place.sql("DELETE FROM meta WHERE name = 'blinding'");
    const encrypted = await place.open([keyOf(1)]);

    expect(await encrypted.keyv('settings').get('here')).toEqual({ a: 1 });
    expect(place.found).toEqual([]);
  });

  it('after a change of keys the old one can go when everything is re-encrypted, and not before', async () => {
    const old = keyOf(1);
    const fresh = keyOf(2);
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
    const old = keyOf(1);
    const fresh = keyOf(2);
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
