import { beforeEach, describe, expect, it } from 'vitest';
import { hourOf } from '../../../../src/store/tables/tallies.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, insert, orderOf } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

const opening = (more: Parameters<typeof sampleJob>[0] = {}) => sampleJob({ ...more, state: 'opening' });
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function tallyTests(driver: Driver): void {
  const place = placeForEach(driver);
  let noon: number;
  beforeEach(async () => {
    noon = place.time.now;
  });

  describe.each(PLAIN_AND_ENCRYPTED)('of a community, %s', (_, keys) => {
    const counted = async (what: 'job' | 'filter' | 'end', where = community) => {
      const rows = await (await place.open(keys)).tallies.since(where, what, 0);
      return rows
        .map(({ hour, name, count, credits }) => [hour - hourOf(noon), name, count, credits])
        .toSorted();
    };

    it('count each job once, by kind and hour, and its filter by day', async () => {
      const { jobs } = await place.open(keys);
      const job = opening({ createdAt: noon });
      const filter = "mine:\0 '; DROP TABLE tallies; --";
      await jobs.accept(orderOf(job, { filter }));
      await jobs.accept(orderOf(job, { filter }));
      await jobs.accept(orderOf(opening({ createdAt: noon + HOUR }), { filter }));
      await jobs.accept(orderOf(opening({ createdAt: noon + HOUR, credits: 7 })));
      const refused = orderOf(opening({ createdAt: noon }), { filter: 'face:3', dailyCredits: 0 });
      await expect(jobs.accept(refused)).rejects.toThrow();
      const { kind } = job.request;
      expect(await counted('job')).toEqual([
        [0, kind, 1, 2],
        [1, kind, 2, 9],
      ]);
      expect(await counted('filter')).toEqual([[-12, filter, 2, 4]]);
      expect(await counted('job', 'discord:1')).toEqual([]);
      const stored = JSON.stringify(await place.sql('SELECT * FROM tallies'));
      expect(stored.includes(community)).toBe(keys.length === 0);
    });

    it('leave out people’s own communities, and the filters of private jobs', async () => {
      const { jobs } = await place.open(keys);
      const direct = { ...sampleJob().place, community: 'discord:dm:424242424242' };
      await jobs.accept(orderOf(opening({ place: direct, createdAt: noon }), { filter: 'face:12' }));
      const failing = sampleJob({ state: 'waiting', place: direct });
      await insert({ jobs }, failing);
      await jobs.save(failing, jobWith({ ...failing, state: 'cancelled', charge: 'returned' }));
      expect(await place.sql('SELECT * FROM tallies')).toEqual([]);
      await jobs.accept(orderOf(opening({ private: true, createdAt: noon }), { filter: 'face:12' }));
      expect(await counted('job')).toHaveLength(1);
      expect(await counted('filter')).toEqual([]);
    });

    it('count each end without a result once, in the hour of its beginning, with the credits that went back', async () => {
      const { jobs } = await place.open(keys);
      const failing = sampleJob({ state: 'waiting', createdAt: noon });
      const cancelling = sampleJob({ state: 'running', createdAt: noon });
      const succeeding = sampleJob({ state: 'delivering', createdAt: noon, finishedAt: noon });
      await insert({ jobs }, failing, cancelling, succeeding);
      place.time.now += DAY;
      const failed = jobWith({
        ...failing,
        state: 'failed',
        failure: { code: 'deadline' },
        charge: 'returned',
        due: noon,
      });
      const saved = await jobs.save(failing, failed);
      expect(await jobs.save(failing, failed)).toBeUndefined();
      if (saved !== undefined) await jobs.save(saved, { ...saved, settled: true });
      await jobs.save(cancelling, jobWith({ ...cancelling, state: 'cancelled', charge: 'spent' }));
      await jobs.save(succeeding, jobWith({ ...succeeding, state: 'done', charge: 'spent' }));
      expect(await counted('end')).toEqual([
        [0, 'cancelled', 1, 0],
        [0, 'deadline', 1, 2],
      ]);
    });

    it('count credits that go back after the end, once', async () => {
      const { jobs } = await place.open(keys);
      const sent = () => sampleJob({ state: 'submitting', createdAt: noon, submittedAt: noon });
      const [kept, removed, forgotten] = [sent(), sent(), sent()];
      await insert({ jobs }, kept, removed, forgotten);
      const end = (job: typeof kept, more: object) =>
        jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'spent', finishedAt: noon, ...more }));
      const cancelled = (await end(kept, {})) ?? expect.fail();
      await end(removed, { settled: true, forget: true });
      await end(forgotten, { settled: true, forget: true, charge: 'returned' });
      expect(await counted('end')).toEqual([[0, 'cancelled', 3, 2]]);
      const later = (await place.open(keys)).jobs;
      const returned = await later.save(cancelled, { ...cancelled, charge: 'returned' });
      if (returned !== undefined) await later.save(returned, { ...returned, settled: true });
      await later.giveBack(removed);
      await later.giveBack(removed);
      expect(await counted('end')).toEqual([[0, 'cancelled', 3, 6]]);
    });

    it('have at most a hundred names a day; those go on counting', async () => {
      const { jobs } = await place.open(keys);
      for (let name = 0; name < 105; name += 1)
        await jobs.accept(orderOf(opening({ createdAt: noon }), { filter: `mine:${name}` }));
      for (const filter of ['mine:0', 'mine:104', `mine:${'x'.repeat(200)}`])
        await jobs.accept(orderOf(opening({ createdAt: noon }), { filter }));
      const names = await counted('filter');
      expect(names).toHaveLength(100);
      expect(names.find(([, name]) => name === 'mine:0')?.[2]).toBe(2);
      const reopened = await place.open(keys);
      await reopened.jobs.accept(orderOf(opening({ createdAt: noon + DAY }), { filter: 'mine:104' }));
      expect(await counted('filter')).toContainEqual([12, 'mine:104', 1, 2]);
    });
  });

  it('are read from an hour on, and removed after thirty days', async () => {
    const store = await place.open();
    for (const days of [31, 29, 0])
      await store.jobs.accept(orderOf(opening({ createdAt: noon - days * DAY }), { filter: `face:${days}` }));
    expect(await store.tallies.since(community, 'job', hourOf(noon))).toHaveLength(1);
    while (await store.sweep());
    const left = await store.tallies.since(community, 'filter', 0);
    expect(left.map(({ name }) => name).toSorted()).toEqual(['face:0', 'face:29']);
  });
}
