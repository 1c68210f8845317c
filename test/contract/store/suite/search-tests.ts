import { describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { JobMark, JobQuery } from '../../../../src/store/tables/job-search.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../unit/store/sqlite/open-store.ts';
import { type Driver, doneJob, insert } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

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

  describe.each(PLAIN_AND_ENCRYPTED)('jobs, %s', (_, keys) => {
    it('are found by state, kind, community and person, the latest first, page by page', async () => {
      const store = await place.open(keys);
      const [a, b] = ['discord:1', 'discord:2'];
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

    it('of erased people, and damaged ones, are not found', async () => {
      const store = await place.open(keys);
      const [gone, damaged] = [doneJob({ caller: caller('1') }), doneJob({ caller: caller('2') })];
      const left = doneJob({ caller: caller('3') });
      await insert(store, gone, damaged, left);
      await place.sql("UPDATE jobs SET state = 'failed' WHERE id = $1", damaged.id);
      await store.erasures.begin('discord:1');
      expect(await all(store, {})).toEqual([left.id]);
      expect(await all(store, { person: 'discord:1' })).toEqual([]);
      expect(await all(store, { state: 'failed' })).toEqual([]);
    });
  });

  describe.each(PLAIN_AND_ENCRYPTED)('communities, %s', (_, keys) => {
    it('are listed once each, page by page, from jobs and from records', async () => {
      const store = await place.open(keys);
      for (let count = 0; count < 30; count += 1)
        await insert(store, doneJob({ place: at(`discord:${count % 5}`) }));
      // Of a job that has not ended nothing is listed yet.
      await insert(store, sampleJob({ place: at('discord:99') }));
      const [settings, others] = [store.keyv('settings'), store.keyv('others')];
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
        ...['discord:0', 'discord:1', 'discord:2', 'discord:3', 'discord:4'],
        ...['telegram:-7', 'telegram:-8', 'web:studio'],
      ]);
    });
  });

  it('a search for what is rare ends a page in time, and goes on with the next', async () => {
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
