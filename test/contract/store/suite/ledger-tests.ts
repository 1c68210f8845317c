import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { NewJob } from '../../../../src/orchestrator/job/records.ts';
import { MOST_GRANTS } from '../../../../src/store/tables/grants.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { jobWith } from '../../../fakes/job.ts';
import { keyOf, sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, day, orderOf, person } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

const sample = sampleJob();

/** What everybody together may spend, and what a community gives to one person. */
export function ledgerTests(driver: Driver): void {
  const place = placeForEach(driver);

  const opening = (who: string, more: Parameters<typeof sampleJob>[0] = {}) =>
    sampleJob({
      createdAt: place.time.now,
      ...more,
      caller: { ...sample.caller, id: who },
      state: 'opening',
    });
  const elsewhere = { place: { ...sample.place, community: 'discord:1' } };
  const returned = (job: Job) => jobWith({ ...job, state: 'cancelled', charge: 'returned' });
  const grant = (credits: number, more = {}) => ({
    community,
    ids: [community],
    person,
    credits,
    event: `event ${Math.random()}`,
    at: place.time.now,
    most: 1_000,
    ...more,
  });

  const takeBack = ({ grants }: Store, more = {}) =>
    grants.takeBack({ community, ids: [community], person, at: place.time.now, ...more });

  describe.each(PLAIN_AND_ENCRYPTED)('a ceiling, %s', (_, keys) => {
    it('of a community counts all its people, and no others', async () => {
      const { jobs } = await place.open(keys);
      const order = (who: string, more = {}) => orderOf(opening(who, more), { communityCredits: 5 });
      await jobs.accept(order('1'));
      await jobs.accept(order('2'));
      await expect(jobs.accept(order('3'))).rejects.toMatchObject({
        reason: { code: 'ceiling', of: 'community', needed: 2, left: 1, resetsAt: Date.UTC(2026, 0, 6) },
      });
      expect((await jobs.accept(order('3', { credits: 1 }))).known).toBe(false);
      expect((await jobs.accept(order('3', elsewhere))).known).toBe(false);
    });
  });

  describe.each(PLAIN_AND_ENCRYPTED)('a grant, %s', (_, keys) => {
    const order = (more: Partial<NewJob> = {}, fields = {}) =>
      orderOf(opening('424242424242', fields), { dailyCredits: 3, grantsOf: community, ...more });

    it('is added once for each event, up to a maximum', async () => {
      const { grants } = await place.open(keys);
      const once = grant(6);
      await grants.add(once);
      expect(await grants.add(once)).toEqual({ outcome: 'added', left: 6 });
      expect(await grants.add(grant(6, { most: 11 }))).toEqual({ outcome: 'most', left: 6, rest: 5 });
      expect(await grants.add(grant(6, { most: 12 }))).toEqual({ outcome: 'added', left: 12 });
      expect(await grants.list(community)).toEqual([{ person, credits: 12 }]);
      expect(await grants.list('discord:1')).toEqual([]);
    });

    it('is one of so many in a community', async () => {
      const store = await place.open(keys);
      const { grants } = store;
      for (let people = 0; people < MOST_GRANTS; people += 1)
        await grants.add(grant(1, { person: `discord:${people}` }));
      expect(await grants.add(grant(1))).toEqual({ outcome: 'full', left: 0 });
      expect((await grants.add(grant(1, { person: 'discord:5' }))).left).toBe(2);
      expect((await grants.add(grant(1, { community: 'discord:1' }))).outcome).toBe('added');
      expect(await takeBack(store, { person: 'discord:5' })).toBe(2);
      expect((await grants.add(grant(1))).outcome).toBe('added');
      expect(await grants.list(community)).toHaveLength(MOST_GRANTS);
    });

    it.each(['taken back', 'deleted with its person'])('that was %s gets nothing back', async (how) => {
      const store = await place.open(keys);
      const { jobs, grants, erasures } = store;
      await grants.add(grant(4));
      const { job } = await jobs.accept(order({ dailyCredits: 0 }));
      if (how === 'taken back') expect(await takeBack(store)).toBe(2);
      else await erasures.begin(person);
      expect(await grants.left(community, person)).toBe(0);
      expect(await grants.list(community)).toEqual([]);
      await jobs.giveBack(jobWith({ ...job, state: 'submitting' }));
      expect(await grants.left(community, person)).toBe(0);
      expect(await takeBack(store)).toBe(0);
      expect((await grants.add(grant(3))).left).toBe(3);
    });

    it('that was taken back returns nothing to a later one', async () => {
      const store = await place.open(keys);
      const { jobs, grants } = store;
      await grants.add(grant(4));
      const { job } = await jobs.accept(order({ dailyCredits: 0 }));
      await takeBack(store);
      await grants.add(grant(5));
      const { job: second } = await jobs.accept(order({ dailyCredits: 0 }));
      await jobs.save(job, returned(job));
      expect(await grants.left(community, person)).toBe(3);
      await jobs.save(second, returned(second));
      expect(await grants.left(community, person)).toBe(5);
    });

    describe('by moderators', () => {
      const most = 10;
      it('counts what was used under all ids of the community', async () => {
        const store = await place.open(keys);
        const ids = [community, 'discord:1'];
        const there = { ...elsewhere, credits: 4 };
        await store.jobs.accept(order({ dailyCredits: 9, mostGiven: most }, there));
        const given = { most, ids, byModerator: { allowance: 0, fromOwner: 0 } };
        expect(await store.grants.add(grant(7, given))).toEqual({ outcome: 'most', left: 0, rest: 6 });
        await store.grants.add(grant(6, given));
        await store.jobs.accept(order({ dailyCredits: 4, mostGiven: most }, there));
        await takeBack(store, { ids });
        expect(await store.grants.add(grant(6, given))).toMatchObject({ outcome: 'most', rest: 2 });
        // Whoever got some and had no job is none of those who had one.
        expect(await store.usage.community(day, community)).toMatchObject({ people: 0, jobs: 0 });
        expect(await store.usage.peopleOn([day], [community])).toBe(0);
      });
    });

    it('that is used up is forgotten when no job can give back to it any more', async () => {
      const store = await place.open(keys);
      await store.grants.add(grant(2));
      await store.grants.add(grant(2, { person: 'discord:7' }));
      await store.jobs.accept(order({ dailyCredits: 0 }));
      const rows = async () => (await place.sql('SELECT 1 FROM grants')).length;
      place.time.now += 31 * 86_400_000;
      await store.sweep();
      expect(await rows()).toBe(2);
      place.time.now += 2 * 86_400_000;
      await store.sweep();
      expect(await rows()).toBe(1);
    });
  });

  it('encrypts grants, also those from before there was a key and with another one', async () => {
    const plain = await place.open();
    await plain.grants.add(grant(4));
    await plain.jobs.accept(orderOf(opening('424242424242'), { dailyCredits: 0, grantsOf: community }));
    for (const keys of [[keyOf(3)], [keyOf(4), keyOf(3)], [keyOf(4)]]) {
      const { grants, sweep } = await place.open(keys);
      expect(await grants.list(community)).toEqual([{ person, credits: 2 }]);
      for (let batches = 0; batches < 9; batches += 1) await sweep();
    }
    const stored = JSON.stringify(await place.sql('SELECT community, person FROM grants'));
    const sources = JSON.stringify(await place.sql('SELECT grants_of FROM charges'));
    expect(stored + sources).not.toContain('424242424242');
    expect(stored + sources).not.toContain('777777777');
    const { jobs, grants } = await place.open([keyOf(4)]);
    for (const job of await jobs.unfinishedOf(person)) await jobs.save(job, returned(job));
    expect(await grants.left(community, person)).toBe(4);
  });
}
