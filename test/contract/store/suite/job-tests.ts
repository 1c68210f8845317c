import { describe, expect, it } from 'vitest';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { type DueKind, ServiceIdTaken } from '../../../../src/orchestrator/job/records.ts';
import type { JobMark, JobQuery } from '../../../../src/store/tables/job-search.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { allOf } from '../../../all-of.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { community, type Driver, day, doneJob, insert, orderOf, person } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

export function jobTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('job records, $how', ({ keys }) => {
    it('the record of a job refuses a write that is based on an older one, with its credits', async () => {
      const { jobs, usage } = await place.open(keys);
      const job = sampleJob();

      await insert({ jobs }, job);
      const running = jobWith({ ...job, state: 'running', charge: 'spent' });

      expect(await jobs.save(job, running)).toMatchObject({ state: 'running', version: 2 });

      const ended = jobWith({ ...job, state: 'cancelled', charge: 'returned', finishedAt: 9 });
      expect(await jobs.save(job, ended)).toBeUndefined();
      expect((await jobs.get(job.id))?.state).toBe('running');

      const used = { reserved: 0, spent: 2, jobs: 1 };
      expect(await usage.person(day, community, person)).toEqual(used);
      expect(await usage.community(day, community)).toEqual({ ...used, people: 1 });
    });

    it('the record of a job that is to be forgotten is removed by the write that settles it', async () => {
      const { jobs } = await place.open(keys);
      const job = sampleJob();
      await insert({ jobs }, job);

      const ended = { state: 'cancelled', charge: 'returned', finishedAt: 9 } as const;
      await jobs.save(job, jobWith({ ...job, ...ended, settled: true, forget: true }));

      expect(await jobs.get(job.id)).toBeUndefined();
    });

    it('the record of a job refuses an id at the service that another record of the same status family has', async () => {
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

      // The id stays taken for as long as the record is there, and for a while after that.
      const done =
        first && (await jobs.save(first, jobWith({ ...first, state: 'done', finishedAt: 9, settled: true })));
      await expect((await run('42')).running()).rejects.toThrow(ServiceIdTaken);

      await jobs.remove(done?.id ?? '');
      await expect((await run('42')).running()).rejects.toThrow(ServiceIdTaken);
    });

    it('due jobs are returned, the longest overdue first', async () => {
      const { jobs } = await place.open(keys);
      const late = sampleJob({ due: 10 });
      const later = sampleJob({ due: 20 });

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

    it('jobs are in hand until they are released, saved with a release, or abandoned by their process', async () => {
      const { jobs } = await place.open(keys);
      const one = sampleJob({ due: 10 });
      const two = sampleJob({ due: 20 });

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

    it('jobs are continued in the order of acceptance, however many', async () => {
      const { jobs } = await place.open(keys);
      const all = Array.from({ length: 1200 }, () => sampleJob());

      await insert({ jobs }, ...all);
      const ids = all.map(({ id }) => id);
      const left = await allOf((await place.open(keys)).jobs.abandoned());

      expect(left.map(({ id }) => id)).toEqual(ids);
    });
  });
}

const photo = { from: 'discord', ref: 'x' } as const;
const video = {
  kind: 'first-last-frame-video',
  first: photo,
  last: photo,
  prompt: 'p',
  duration: '4s',
} as const;
const caller = (id: string) => ({ platform: 'discord' as const, id, name: `name of ${id}`, locale: 'en' });
const at = (community: string) => ({ platform: 'discord' as const, community, channel: '1', direct: false });

export function searchTests(driver: Driver): void {
  const place = placeForEach(driver);

  /** Ends a job as a process does, so that what is noted at the end is there. */
  const end = async ({ jobs }: Store, state: 'done' | 'failed' | 'cancelled', more: JobFields) => {
    const job = sampleJob({ ...more, state: 'running' });
    await insert({ jobs }, job);
    const charge = state === 'done' ? 'spent' : 'returned';
    const ended = jobWith({ ...job, state, finishedAt: 9, charge, settled: true });
    return (await jobs.save(job, ended)) ?? expect.fail('not saved');
  };
  const all = async ({ jobSearch }: Store, query: JobQuery, limit = 2): Promise<string[]> => {
    const ids: string[] = [];
    let after: JobMark | undefined;
    do {
      const { jobs, next } = await jobSearch.find(query, limit, after);
      expect(jobs.length).toBeLessThanOrEqual(limit);
      ids.push(...jobs.map(({ id }) => id));
      after = next;
    } while (after !== undefined);
    return ids;
  };

  describe.each(PLAIN_AND_ENCRYPTED)('jobs, $how', ({ keys }) => {
    it('jobs are found by state, kind, community and person, the latest first, page by page', async () => {
      const store = await place.open(keys);
      const a = 'discord:1';
      const b = 'discord:2';
      const made = [
        await end(store, 'done', { caller: caller('1'), place: at(a) }),
        await end(store, 'failed', { caller: caller('1'), place: at(b), request: video }),
        sampleJob({ caller: caller('2'), place: at(a), state: 'waiting' }),
        await end(store, 'done', { caller: caller('2'), place: at(a), request: video }),
        sampleJob({ caller: caller('1'), place: at(b), state: 'running', request: video }),
        await end(store, 'cancelled', { caller: caller('1'), place: at(a) }),
        await end(store, 'done', { caller: caller('1'), place: at(b) }),
      ];

      await insert(store, ...made.filter(({ state }) => state === 'waiting' || state === 'running'));
      const latest = (await all(store, {})).map((id) => made.find((job) => job.id === id));

      expect(latest).toHaveLength(7);
      expect(latest.slice(0, 2).map((job) => job?.state)).toEqual(['running', 'waiting']);

      const states = [undefined, 'done', 'failed', 'cancelled', 'waiting', 'running', 'uncertain'] as const;
      for (const state of states)
        for (const kind of [undefined, 'self-prompt', 'first-last-frame-video', 'face-swap-v1'] as const)
          for (const community of [undefined, a, 'discord:3'])
            for (const person of [undefined, 'discord:1']) {
              const fits = (job: Job | undefined) =>
                (job?.state === state || !state) &&
                (job?.request.kind === kind || !kind) &&
                (job?.place.community === community || !community) &&
                (`discord:${job?.caller.id}` === person || !person);
              const wanted = { state, kind, community, person };
              const query = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value));
              const found = await all(store, query);
              const expected = latest.filter(fits).map((job) => job?.id);
              // A person's are in the order in which they were made.
              if (person === undefined) expect([query, found]).toEqual([query, expected]);
              else expect([query, found.toSorted()]).toEqual([query, expected.toSorted()]);
            }
    });

    it('jobs that were stored before their kind was noted are found by kind, too', async () => {
      const store = await place.open(keys);
      const jobs: Job[] = [];

      for (const more of [{ request: video }, {}, {}, { request: video }, {}])
        jobs.push(await end(store, 'done', more));
      await place.sql('UPDATE jobs SET kind = NULL WHERE seq <= 3');

      expect(await all(store, { kind: video.kind }, 1)).toEqual([jobs[3]?.id, jobs[0]?.id]);
    });

    it('jobs of an event from before its person’s erasure are refused, through whichever process', async () => {
      const store = await place.open(keys);
      await store.erasures.begin('discord:1');
      const job = (id: string) => sampleJob({ state: 'opening', caller: caller(id) });
      const before = store.jobs.accept(orderOf(job('1'), { handledForMs: 60_000 }));

      await expect(before).rejects.toMatchObject({ reason: { code: 'deleted' } });
      // An event that the person sends afterwards is new, and other people have deleted nothing.
      expect(await store.jobs.accept(orderOf(job('1'), { handledForMs: 0 }))).toMatchObject({ known: false });
      expect(await store.jobs.accept(orderOf(job('2'), { handledForMs: 60_000 }))).toMatchObject({
        known: false,
      });
      expect(await store.erasures.began('discord:1', 60_000)).toBe(true);
      expect(await store.erasures.began('discord:1', 0)).toBe(false);
      expect(await store.erasures.began('discord:2', 60_000)).toBe(false);
    });

    it('jobs of erased people, and damaged ones, are not found', async () => {
      const store = await place.open(keys);
      const gone = doneJob({ caller: caller('1') });
      const damaged = doneJob({ caller: caller('2') });
      const left = doneJob({ caller: caller('3') });

      await insert(store, gone, damaged, left);
      await place.sql("UPDATE jobs SET state = 'failed' WHERE id = $1", damaged.id);
      await store.erasures.begin('discord:1');

      expect(await all(store, {})).toEqual([left.id]);
      expect(await all(store, { person: 'discord:1' })).toEqual([]);
      expect(await all(store, { state: 'failed' })).toEqual([]);
    });
  });

  describe.each(PLAIN_AND_ENCRYPTED)('communities, $how', ({ keys }) => {
    it('communities are listed once each, page by page, from jobs and from records', async () => {
      const store = await place.open(keys);
      for (let count = 0; count < 30; count += 1)
        await insert(store, doneJob({ place: at(`discord:${count % 5}`) }));
      // The community of a job that has not ended is not listed yet.
      await insert(store, sampleJob({ place: at('discord:99') }));
      const settings = store.keyv('settings');
      const others = store.keyv('others');
      for (const id of ['discord:3', 'telegram:-7', 'web:studio']) await settings.set(id, { blocked: [] });
      await others.set('telegram:-8', {});
      await others.update('telegram:-9', () => ({}), 1);
      await store.keyv('unrelated').set('telegram:-10', {});
      place.time.now += 1_000;
      const ids: string[] = [];
      let next: string | undefined;
      do {
        const page = await store.communityList.page(['settings', 'others'], 2, next);
        expect(page.ids.length).toBeLessThanOrEqual(2);
        ids.push(...page.ids);
        next = page.next;
      } while (next !== undefined);

      expect(ids.toSorted()).toEqual([
        'discord:0',
        'discord:1',
        'discord:2',
        'discord:3',
        'discord:4',
        'telegram:-7',
        'telegram:-8',
        'web:studio',
      ]);
    });
  });

  it('a search for a rare job ends a page in time, and goes on with the next', async () => {
    const store = await place.open();
    const rare = doneJob({ caller: caller('7') });

    await insert(store, rare);
    const [first] = await place.sql('SELECT * FROM jobs');
    const names = Object.keys(first ?? {}).filter((name) => !['seq', 'id', 'origin', 'owner'].includes(name));
    // A job of somebody else is copied past the store; nothing of them is opened, because they do not fit.
    await place.sql(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
       INSERT INTO jobs (seq, id, origin, owner, ${names.join(', ')})
       SELECT 1000 + i, 'copy-' || i, 'copy ' || i, 'discord:8', ${names.join(', ')} FROM jobs, n WHERE seq < 1000`,
    );
    await place.sql("UPDATE jobs SET state = 'failed' WHERE seq < 1000");
    const query = { community: rare.place.community, state: 'failed' } as const;
    const page = await store.jobSearch.find(query, 10);

    expect(page.jobs).toEqual([]);
    expect(page.next).toBeDefined();

    await place.sql("UPDATE jobs SET state = 'done' WHERE seq < 1000");
    const rest = await store.jobSearch.find({ person: 'discord:7', state: 'done' }, 10);

    expect(rest.jobs.map(({ id }) => id)).toEqual([rare.id]);
    expect(rest.next).toBeUndefined();
  });
}
