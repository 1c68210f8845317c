import { describe, expect, it } from 'vitest';
import { turnKey } from '../../../../src/command/place.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { SlotLimits, TakeOptions } from '../../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { allOf } from '../../../all-of.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { type Driver, insert } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

const open: TakeOptions['gates'] = { key: 'open', token: 'open' };
const film = {
  kind: 'single-frame-video',
  photo: { from: 'discord', ref: 'a photo' },
  prompt: 'it drifts',
  model: 'advanced',
  duration: '4s',
  aspect: 'auto',
} as const;

/** `ann0` is a job of `ann`. */
const jobOf = (id: string, more: JobFields = {}): Job =>
  sampleJob({
    id,
    caller: { platform: 'web', id: id.replace(/\d+$/, ''), name: 'Somebody', locale: 'en' },
    ...more,
  });

const shared = turnKey({ platform: 'telegram', id: 'channel:-9' });

/** A job of the anonymous administrators of a group. */
const sharedJob = (group: number): Job =>
  jobOf(`shared${group}`, {
    caller: { platform: 'telegram', id: `anonymous:-${group}`, name: 'Group', locale: 'en' },
  });

const wait = (store: Store, ...ids: readonly string[]): Promise<void> =>
  insert(store, ...ids.map((id) => jobOf(id)));

const taker =
  ({ jobs }: Store, perPerson: number, inAll: number) =>
  async (more: Partial<TakeOptions> = {}): Promise<string | undefined> =>
    (await jobs.take({ limits: { perPerson, inAll }, gates: open, without: [], ...more }))?.id;

const current = async ({ jobs }: Store, id: string): Promise<Job> =>
  (await jobs.get(id)) ?? expect.fail(`${id} is gone`);

const change = async (store: Store, id: string, more: JobFields & Pick<Job, 'state'>): Promise<void> => {
  const job = await current(store, id);
  const { resting: _, due: __, ...rest } = job;
  expect(await store.jobs.save(job, jobWith({ ...rest, ...more }))).toBeDefined();
};

const finish = (store: Store, id: string): Promise<void> =>
  change(store, id, { state: 'cancelled', finishedAt: 9, settled: true });

async function drain(store: Store, take: ReturnType<typeof taker>): Promise<string[]> {
  const order: string[] = [];
  for (let id = await take(); id !== undefined; id = await take()) {
    order.push(id);
    await finish(store, id);
  }
  return order;
}

const positions = async ({ jobs }: Store, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await jobs.standing(id))?.position));

export function lineTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('the line, $how', ({ keys }) => {
    it('the line lets people take turns, and says at any time where each job stands', async () => {
      const store = await place.open(keys);
      const ten = Array.from({ length: 10 }, (_, i) => `ann${i}`);

      await wait(store, ...ten, 'bob0', 'cid0', 'bob1');
      const order = ['ann0', 'bob0', 'cid0', 'ann1', 'bob1', ...ten.slice(2)];

      expect(await positions(store, order)).toEqual(order.map((_, i) => i + 1));
      expect(await store.jobs.standing('bob1')).toEqual({ position: 5, own: 1 });
      expect(await store.jobs.standing('nobody')).toBeUndefined();
      expect(await drain(store, taker(store, 100, 1))).toEqual(order);
    });

    it('the line gives no more slots than there are, for each person and in all', async () => {
      const store = await place.open(keys);
      const take = taker(store, 2, 4);

      await wait(store, 'ann0', 'ann1', 'ann2', 'bob0', 'cid0', 'dan0');

      for (const id of ['ann0', 'bob0', 'cid0', 'dan0', undefined]) expect(await take()).toBe(id);
      expect(await store.jobs.counts()).toEqual({ waiting: 2, running: 4 });

      await finish(store, 'bob0');
      expect(await take()).toBe('ann1');
      expect(await take()).toBeUndefined();

      await finish(store, 'cid0');
      expect(await take(), 'ann has two').toBeUndefined();

      await store.jobs.remove('ann0');
      expect(await take()).toBe('ann2');
      expect(await store.jobs.counts()).toEqual({ waiting: 0, running: 3 });
    });

    it('the line puts a job that comes straight back, or has rested, where it stood', async () => {
      const store = await place.open(keys);
      const take = taker(store, 3, 10);

      await wait(store, 'ann0', 'ann1', 'bob0');
      const all = ['ann0', 'bob0', 'ann1'];

      expect([await take(), await take(), await take()]).toEqual(all);
      expect(await positions(store, all)).toEqual([undefined, undefined, undefined]);

      await store.jobs.release('submission', 'bob0');
      await change(store, 'ann1', { state: 'waiting' });
      await change(store, 'ann0', { state: 'waiting', resting: 'unknown', due: 5 });

      expect(await positions(store, all)).toEqual([undefined, 1, 2]);
      expect(await store.jobs.counts()).toEqual({ waiting: 2, running: 0 });

      await change(store, 'ann0', { state: 'waiting' });
      expect(await drain(store, take)).toEqual(all);
    });

    it('the line tries the service out with whoever has come back least often', async () => {
      const store = await place.open(keys);
      const take = taker(store, 5, 50);

      await wait(store, 'ann0', 'ann1', 'bob0', 'cid0');
      const tried: (string | undefined)[] = [];
      for (let i = 0; i < 6; i += 1) {
        const id = (await take({ gates: { key: 'trial', token: 'closed' } })) ?? '';
        tried.push(id);
        await change(store, id, { state: 'waiting' });
      }

      expect(tried).toEqual(['ann0', 'bob0', 'cid0', 'ann1', 'ann0', 'bob0']);
      expect(await drain(store, take)).toEqual(['ann0', 'bob0', 'cid0', 'ann1']);
    });

    it('the line passes over a closed half of the service, and people who are not to have a turn', async () => {
      const store = await place.open(keys);
      const take = taker(store, 5, 50);

      await insert(store, jobOf('ann0', { request: film }));
      await wait(store, 'bob0', 'cid0');
      const gates = { key: 'open', token: 'closed' } as const;

      expect(await take({ gates, without: ['web:bob'] })).toBe('cid0');
      expect(await take({ gates })).toBe('bob0');
      expect(await take({ gates })).toBeUndefined();
      expect(await take()).toBe('ann0');
    });

    it('the line puts somebody who was full behind those who waited meanwhile, in the order of their own', async () => {
      const store = await place.open(keys);
      const take = taker(store, 1, 10);

      await wait(store, 'ann0', 'ann1', 'ann2', 'bob0');

      expect(await take()).toBe('ann0');
      expect(await take()).toBe('bob0');
      expect(await take()).toBeUndefined();

      await wait(store, 'cid0');
      expect(await take()).toBe('cid0');

      // Turn 2 was taken, so these have the third.
      await wait(store, 'dan0', 'eve0', 'ann3');
      await finish(store, 'ann0');

      expect(await positions(store, ['dan0', 'eve0', 'ann1', 'ann2', 'ann3'])).toEqual([2, 3, 1, 4, 5]);
    });

    it('the line gives the shared speakers of all groups together the turns and slots of one person', async () => {
      const store = await place.open(keys);
      const groups = Array.from({ length: 60 }, (_, i) => i + 1);

      await insert(store, ...groups.map(sharedJob));
      await wait(store, 'ann0', 'bob0', 'ann1');
      const order = ['shared1', 'ann0', 'bob0', 'shared2', 'ann1', 'shared3'];

      expect(await positions(store, order)).toEqual([1, 2, 3, 4, 5, 6]);

      const take = taker(store, 2, 50);
      for (const id of [...order.slice(0, 5), undefined]) expect(await take()).toBe(id);

      await wait(store, 'cid0');
      expect(await take({ without: [shared] })).toBe('cid0');

      await finish(store, 'shared1');
      expect(await take({ without: [shared] })).toBeUndefined();

      const limits: SlotLimits = { perPerson: 2, inAll: 5 };
      expect(await store.jobs.expectedStanding(shared, limits)).toEqual({ position: 59, own: 58 });

      const again = await place.open(keys);
      await allOf(again.jobs.abandoned());

      expect(await drain(again, taker(again, 2, 50))).toContain('shared60');
      // Whose job it is does not change.
      expect(await again.jobs.ofPerson('telegram:anonymous:-7', 9)).toMatchObject([{ id: 'shared7' }]);
    });

    it('the line is as it was after a restart, with what had been taken and not sent where it stood', async () => {
      const store = await place.open(keys);
      await wait(store, 'ann0', 'ann1', 'ann2', 'bob0', 'cid0');
      const take = taker(store, 2, 3);

      for (const id of ['ann0', 'bob0', 'cid0']) expect(await take()).toBe(id);

      await change(store, 'cid0', { state: 'submitting' });
      const again = await place.open(keys);

      expect(await allOf(again.jobs.abandoned())).toHaveLength(5);
      expect(await again.jobs.counts()).toEqual({ waiting: 4, running: 1 });
      expect(await drain(again, taker(again, 2, 3))).toEqual(['ann0', 'bob0', 'ann1', 'ann2']);
    });

    it('the line tells where a new job would stand', async () => {
      const store = await place.open(keys);
      const take = taker(store, 1, 2);
      const limits: SlotLimits = { perPerson: 1, inAll: 2 };

      await wait(store, 'ann0', 'ann1');

      expect(await store.jobs.expectedStanding('web:bob', limits)).toBeUndefined();

      await take();
      expect(await store.jobs.expectedStanding('web:ann', limits)).toEqual({ position: 2, own: 1 });
      expect(await store.jobs.expectedStanding('web:bob', limits)).toBeUndefined();

      await wait(store, 'cid0', 'dan0');
      await take();
      for (const person of ['ann', 'bob']) {
        const expected = await store.jobs.expectedStanding(`web:${person}`, limits);
        await wait(store, `${person}9`);
        expect(expected).toEqual(await store.jobs.standing(`${person}9`));
      }
    });
  });

  it.each([
    'UPDATE slots SET running = running + 7',
    'UPDATE slots SET running = -3',
    "DELETE FROM slots WHERE person <> ''",
    'DELETE FROM slots',
  ])('the line counts slots again at a start: %s', async (damage) => {
    const store = await place.open();
    const take = taker(store, 2, 4);

    await wait(store, 'ann0', 'ann1', 'ann2', 'bob0');

    expect(await take()).toBe('ann0');
    expect(await take()).toBe('bob0');
    expect(await take()).toBe('ann1');

    for (const id of ['ann0', 'ann1']) await change(store, id, { state: 'submitting' });
    await place.sql(damage);
    const again = await place.open();
    await allOf(again.jobs.abandoned());

    expect(await again.jobs.counts()).toEqual({ waiting: 2, running: 2 });

    const takeAgain = taker(again, 2, 4);
    expect(await takeAgain(), 'ann has two').toBe('bob0');
    expect(await takeAgain(), 'ann has two').toBeUndefined();

    await finish(again, 'ann0');
    expect(await takeAgain()).toBe('ann2');
    expect(await again.jobs.counts()).toEqual({ waiting: 0, running: 3 });
  });

  it('the line passes nobody over at a start who was wrongly taken for full', async () => {
    const store = await place.open();
    await wait(store, 'ann0');
    await place.sql("INSERT INTO slots (person, running, turn) VALUES ('web:ann', 9, 0)");

    expect(await taker(store, 2, 4)()).toBeUndefined();

    const again = await place.open();
    await allOf(again.jobs.abandoned());

    expect(await taker(again, 2, 4)()).toBe('ann0');
  });

  it('the line sets a damaged record aside and takes the next', async () => {
    const store = await place.open();
    await wait(store, 'ann0', 'bob0');
    await place.sql("UPDATE jobs SET body = $1 WHERE id = 'ann0'", place.sealed('nonsense', 'job', []));

    expect(await taker(store, 1, 5)()).toBe('bob0');
    expect(store.damaged()).toBe(1);
    expect(await store.jobs.counts()).toEqual({ waiting: 0, running: 1 });
  });
}
