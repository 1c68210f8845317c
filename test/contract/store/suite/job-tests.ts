import { describe, expect, it } from 'vitest';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { type DueKind, ServiceIdTaken } from '../../../../src/orchestrator/job/records.ts';
import { allOf } from '../../../all-of.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, day, insert, person } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

export function jobTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('job records, %s', (_, keys) => {
    it('refuse a write that is based on an older one', async () => {
      const { jobs } = await place.open(keys);
      const job = sampleJob();
      await insert({ jobs }, job);
      const ended = jobWith({ ...job, state: 'cancelled', charge: 'returned', finishedAt: 9 });
      expect(await jobs.save(job, ended)).toMatchObject({ state: 'cancelled', version: 2 });
      expect(await jobs.save(job, jobWith({ ...job, state: 'submitting' }))).toBeUndefined();
      expect((await jobs.get(job.id))?.state).toBe('cancelled');
    });

    it('refuse an id at the service that another record of the same status family has', async () => {
      const { jobs } = await place.open(keys);
      const run = async (serviceId: string, more: JobFields = {}) => {
        const job = sampleJob({ ...more, state: 'submitting' });
        await insert({ jobs }, job);
        return {
          job,
          running: () => jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent', serviceId })),
        };
      };
      const first = await (await run('42')).running();
      const second = await run('42');
      await expect(second.running()).rejects.toThrow(ServiceIdTaken);
      // Nothing of it was written, the credits included.
      expect(await jobs.get(second.job.id)).toEqual(second.job);
      const { photo, prompt } = second.job.request as { photo: PhotoRef; prompt: string };
      const video = { kind: 'single-frame-video', photo, prompt, model: 'advanced', duration: '4s' } as const;
      expect(await (await run('42', { request: { ...video, aspect: 'auto' } })).running()).toMatchObject({
        serviceId: '42',
      });
      // It stays taken for as long as the record is there, and for a while after that.
      const done =
        first && (await jobs.save(first, jobWith({ ...first, state: 'done', finishedAt: 9, settled: true })));
      await expect((await run('42')).running()).rejects.toThrow(ServiceIdTaken);
      await jobs.remove(done?.id ?? '');
      await expect((await run('42')).running()).rejects.toThrow(ServiceIdTaken);
    });

    it('return due jobs, the longest overdue first', async () => {
      const { jobs } = await place.open(keys);
      const [late, later] = [sampleJob({ due: 10 }), sampleJob({ due: 20 })];
      await insert({ jobs }, sampleJob(), sampleJob({ due: 99 }), later, late);
      const claim = async (which: DueKind, limit: number) =>
        (await jobs.claim(which, 50, limit)).map(({ id }) => id);
      expect(await jobs.nextDue('others')).toBe(10);
      expect(await claim('others', 1)).toEqual([late.id]);
      expect(await claim('others', 10)).toEqual([later.id]);
      expect(await claim('others', 10)).toEqual([]);
      expect(await jobs.nextDue('others')).toBe(99);
      expect(await claim('polls', 10)).toEqual([]);
      const polled = sampleJob({ state: 'running', due: 30 });
      await insert({ jobs }, polled);
      expect(await claim('polls', 10)).toEqual([polled.id]);
      expect(await jobs.nextDue('polls')).toBeUndefined();
    });

    it('are in hand until they are released, saved with a release, or abandoned by their process', async () => {
      const { jobs } = await place.open(keys);
      const [one, two] = [sampleJob({ due: 10 }), sampleJob({ due: 20 })];
      await insert({ jobs }, one, two);
      await jobs.claim('others', 50, 10);
      expect(await jobs.save(one, { ...one, looks: 1 })).toMatchObject({ version: 2 });
      expect(await jobs.claim('others', 50, 10)).toEqual([]);
      await jobs.release('others', one.id);
      const [again] = await jobs.claim('others', 50, 10);
      expect(again).toMatchObject({ id: one.id, version: 2 });
      if (again !== undefined) await jobs.save(again, { ...again, due: 30 }, 'lossy', 'release');
      expect(await jobs.claim('others', 50, 10)).toMatchObject([{ id: one.id, due: 30 }]);
      const next = (await place.open(keys)).jobs;
      expect(await allOf(next.abandoned())).toMatchObject([{ id: one.id }, { id: two.id }]);
      expect(await next.claim('others', 50, 10)).toMatchObject([{ id: two.id }, { id: one.id }]);
    });

    it('move credits in the same write, for the person and for the community, and none in one that is refused', async () => {
      const { jobs, usage } = await place.open(keys);
      const job = sampleJob();
      await insert({ jobs }, job, sampleJob({ caller: { ...job.caller, id: '5' } }));
      const ofPerson = () => usage.person(day, community, person);
      const all = { reserved: 2, jobs: 2, people: 2 };
      expect(await ofPerson()).toEqual({ reserved: 2, spent: 0, jobs: 1 });
      const spent = (await jobs.save(job, { ...job, charge: 'spent' })) ?? job;
      expect(await ofPerson()).toEqual({ reserved: 0, spent: 2, jobs: 1 });
      expect(await usage.community(day, community)).toEqual({ ...all, spent: 2 });
      expect(await jobs.save(job, { ...job, charge: 'returned' })).toBeUndefined();
      expect(await ofPerson()).toEqual({ reserved: 0, spent: 2, jobs: 1 });
      await jobs.save(spent, { ...spent, charge: 'returned' });
      expect(await usage.community(day, community)).toEqual({ ...all, spent: 0 });
    });

    it('are continued in the order of acceptance, however many', async () => {
      const { jobs } = await place.open(keys);
      const all = Array.from({ length: 1200 }, () => sampleJob());
      await insert({ jobs }, ...all);
      const ids = all.map(({ id }) => id);
      expect((await allOf(jobs.abandoned())).map(({ id }) => id)).toEqual(ids);
    });
  });
}
