import { describe, expect, it } from 'vitest';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { type DueKind, ServiceIdTaken } from '../../../../src/orchestrator/job/records.ts';
import { allOf } from '../../../all-of.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { keyOf, sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { community, type Driver, insert, person } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

export function jobTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('job records, %s', (_, keys) => {
    it('are read as they were written', async () => {
      const { jobs } = await place.open(keys);
      const job = sampleJob({ due: 5, card: { platform: 'discord', ref: '{"m":1}' } });
      await insert({ jobs }, job);
      expect(await jobs.get(job.id)).toEqual(job);
      expect(await jobs.byOrigin(job.origin)).toEqual(job);
      expect(await (await place.open(keys)).jobs.get(job.id)).toEqual(job);
    });

    it('refuse a write that is based on an older one', async () => {
      const { jobs } = await place.open(keys);
      const job = sampleJob();
      await insert({ jobs }, job);
      const first = await jobs.save(
        job,
        jobWith({ ...job, state: 'cancelled', charge: 'returned', finishedAt: 9 }),
      );
      expect(first).toMatchObject({ state: 'cancelled', version: 2 });
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
      const [late, later, future, never] = [
        sampleJob({ due: 10 }),
        sampleJob({ due: 20 }),
        sampleJob({ due: 99 }),
        sampleJob(),
      ];
      for (const job of [never, future, later, late]) await insert({ jobs }, job);
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
      for (const job of [one, two]) await insert({ jobs }, job);
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

    it('move credits in the same write, for the person and for the community', async () => {
      const { jobs, usage } = await place.open(keys);
      const job = sampleJob();
      await insert({ jobs }, job);
      await insert({ jobs }, sampleJob({ caller: { ...job.caller, id: '5' } }));
      expect(await usage.person('2026-01-05', community, person)).toEqual({ reserved: 2, spent: 0, jobs: 1 });
      const spent = (await jobs.save(job, { ...job, charge: 'spent' })) ?? job;
      expect(await usage.person('2026-01-05', community, person)).toEqual({ reserved: 0, spent: 2, jobs: 1 });
      expect(await usage.community('2026-01-05', community)).toEqual({
        reserved: 2,
        spent: 2,
        jobs: 2,
        people: 2,
      });
      await jobs.save(spent, { ...spent, charge: 'returned' });
      expect(await usage.community('2026-01-05', community)).toEqual({
        reserved: 2,
        spent: 0,
        jobs: 2,
        people: 2,
      });
    });

    it('move no credits when the write is refused or the transaction fails', async () => {
      const { jobs, usage } = await place.open(keys);
      const job = sampleJob();
      await insert({ jobs }, job);
      await jobs.save(job, { ...job, looks: 1 });
      await jobs.save(job, { ...job, charge: 'spent' });
      expect(await usage.person('2026-01-05', community, person)).toEqual({ reserved: 2, spent: 0, jobs: 1 });
    });

    it('list a person’s own: unfinished first, then the latest finished', async () => {
      const { jobs } = await place.open(keys);
      const done = (finishedAt: number) =>
        sampleJob({ state: 'done', charge: 'spent', finishedAt, settled: true });
      const [old, recent, open] = [done(100), done(200), sampleJob()];
      for (const job of [old, open, recent]) await insert({ jobs }, job);
      await insert({ jobs }, sampleJob({ caller: { ...open.caller, id: 'other' } }));
      expect((await jobs.ofPerson(person, 10)).map(({ id }) => id)).toEqual([open.id, recent.id, old.id]);
      expect((await jobs.ofPerson(person, 2)).map(({ id }) => id)).toEqual([open.id, recent.id]);
      expect(await jobs.unfinishedOf(person)).toHaveLength(1);
      expect(await jobs.ofPerson(person, 1_000_000)).toHaveLength(3);
    });

    it('are continued in the order of acceptance, however many', async () => {
      const { jobs } = await place.open(keys);
      const all = Array.from({ length: 1200 }, () => sampleJob());
      await insert({ jobs }, ...all);
      const ids = all.map(({ id }) => id);
      expect((await allOf(jobs.abandoned())).map(({ id }) => id)).toEqual(ids);
    });
  });

  it('keeps ids at the service taken when a plain store gets a key', async () => {
    const plain = await place.open();
    const job = sampleJob({ state: 'submitting' });
    await insert(plain, job);
    await insert(plain, sampleJob());
    await plain.jobs.save(job, jobWith({ ...job, state: 'running', serviceId: '42' }));
    const { jobs } = await place.open([keyOf(3)]);
    const other = sampleJob({ state: 'submitting' });
    await insert({ jobs }, other);
    await expect(jobs.save(other, jobWith({ ...other, state: 'running', serviceId: '42' }))).rejects.toThrow(
      ServiceIdTaken,
    );
  });
}
