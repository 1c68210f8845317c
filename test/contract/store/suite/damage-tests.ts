import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ruleRecords } from '../../../../src/community/rules/settings.ts';
import { allOf } from '../../../all-of.ts';
import { keyOf, sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, day, insert, person, wasRemoved } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

/** What may stand where a record should. */
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

  describe.each(PLAIN_AND_ENCRYPTED)('in a store that is %s', (_, keys) => {
    const ways = (purpose: string): (readonly [string, Uint8Array | string])[] => [
      ...Object.entries(BODIES).map(([name, text]) => [name, place.sealed(text, purpose, keys)] as const),
      ['random bytes', randomBytes(200)] as const,
      ['of another purpose', place.sealed('{}', 'another purpose', [keyOf(3)])] as const,
    ];

    it('a damaged job is set aside with its credits returned, and the others continue', async () => {
      const { version: _version, ...stranger } = sampleJob();
      const another = ['of another job', place.sealed(JSON.stringify(stranger), 'job', keys)] as const;
      for (const [name, body] of [...ways('job'), another]) {
        const store = await place.open(keys);
        const before = await store.usage.person(day, community, person);
        const damaged = sampleJob();
        const other = sampleJob();
        await insert(store, damaged, other);
        await place.sql('UPDATE jobs SET body = $1 WHERE id = $2', body, damaged.id);
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

    it('what was set aside is erased with its person’s data', async () => {
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
      const settings = store.keyv('settings', ruleRecords);
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
        expect(await settings.get(community), name).toEqual(ruleRecords.insteadOf?.(community));
        expect(await settings.get(community), name).toEqual(ruleRecords.insteadOf?.(community));
        expect(await store.keyv('other').get(community)).toBe(name);
      }
      expect(place.found).toHaveLength(all.length);
      expect(store.damaged()).toBe(all.length);
    });
  });
}
