// @module-tag slow
/** Several processes on one database: every store has a pool of its own. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { ServiceIdTaken, type TakeOptions } from '../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { allOf } from '../../all-of.ts';
import { type JobFields, jobWith } from '../../fakes/job.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { keyOf } from '../../fakes/store-file.ts';
import { community, day, doneJob, eraseAll, insert, orderOf, person } from './suite/driver.ts';
import { createPostgres } from './suite/postgres-driver.ts';
import { placeForEach } from './suite/set-up.ts';

const keys = [keyOf(3)];
const limits = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 1_000 };
const gates: TakeOptions['gates'] = { key: 'open', token: 'open' };
const sum = (credits: readonly number[]): number => credits.reduce((one, other) => one + other, 0);
const cancelled = (job: Job) => jobWith({ ...job, state: 'cancelled', charge: 'returned' });

describe('several processes on PostgreSQL', { tags: ['postgres'] }, () => {
  const postgres = createPostgres();
  const place = placeForEach(postgres);
  let stores: [Store, Store, Store, Store];
  let store: Store;
  beforeEach(async () => {
    const start = (member: string) => place.another(keys, member);
    // The processes also start at once, on an empty database.
    stores = await Promise.all([start('a'), start('b'), start('c'), start('d')]);
    [store] = stores;
  });
  afterAll(() => postgres.end());

  /** The results of work that is done so often, in the four processes in turns. A refusal must have this reason. */
  const each = async <T>(
    count: number,
    work: (store: Store, index: number) => Promise<T>,
    reason?: object,
  ): Promise<T[]> => {
    const results = await Promise.allSettled(
      Array.from({ length: count }, (_, index) => work(stores[index % 4] ?? expect.fail(), index)),
    );
    return results.flatMap((result) => {
      if (result.status === 'fulfilled') return [result.value];
      if (reason === undefined) throw result.reason;
      expect(result.reason).toMatchObject({ reason });
      return [];
    });
  };
  const opening = (more: JobFields = {}) =>
    sampleJob({ createdAt: place.time.now, ...more, state: 'opening' });
  const by = (id: number, more: JobFields = {}) =>
    opening({ ...more, caller: { ...sampleJob().caller, id: String(id) } });

  it.each([
    { code: 'rate', more: { limits: { ...limits, userJobsPerMinute: 5 } } },
    { code: 'waiting', more: { limits: { ...limits, userConcurrentJobs: 2, userWaitingJobs: 3 } } },
    { code: 'allowance', more: { dailyCredits: 10 } },
  ])('several processes accept no more than the limit allows: $code', async ({ code, more }) => {
    const taken = await each(24, ({ jobs }) => jobs.accept(orderOf(opening(), more)), { code });
    expect(taken).toHaveLength(5);
    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 10, spent: 0, jobs: 5 });
    expect(await store.usage.community(day, community)).toMatchObject({ reserved: 10, jobs: 5 });
  });

  it.each([
    { code: 'album', what: 'jobs of a minute', more: { limits: { ...limits, userJobsPerMinute: 10 } } },
    {
      code: 'album',
      what: 'unfinished jobs',
      more: { limits: { ...limits, userConcurrentJobs: 2, userWaitingJobs: 8 } },
    },
    { code: 'allowance', what: 'allowance', more: { dailyCredits: 20 } },
    { code: 'ceiling', what: 'ceiling of the community', more: { communityCredits: 20 } },
    { code: 'ceiling', what: 'ceiling of all', more: { limits: { ...limits, serviceDailyCredits: 20 } } },
  ])('several processes accept an album as a whole or not at all ($code: $what)', async ({ code, more }) => {
    const orders = Array.from({ length: 8 }, () => ({
      ...orderOf(opening(), more),
      others: [orderOf(opening(), more), orderOf(opening(), more)],
    }));
    // Each order comes to three processes.
    const accept = ({ jobs }: Store, index: number) => jobs.accept(orders[index % 8] ?? expect.fail());
    const taken = new Set((await each(24, accept, { code })).map(({ job }) => job.id));

    expect(taken.size).toBe(3);
    for (const { job, others } of orders)
      for (const { id } of [job, ...others.map((other) => other.job)])
        expect((await store.jobs.get(id)) !== undefined, id).toBe(taken.has(job.id));
    expect(await store.usage.person(day, community, person)).toMatchObject({ reserved: 18, jobs: 9 });
  });

  it.each([
    { of: 'community', more: { communityCredits: 11 } },
    { of: 'service', more: { limits: { ...limits, serviceDailyCredits: 11 } } },
    { of: 'month', more: { limits: { ...limits, serviceMonthlyCredits: 11 } } },
  ])(
    'several processes take no more credits together than the ceiling of the $of allows',
    async ({ of, more }) => {
      const accept = async ({ jobs }: Store, index: number): Promise<number> => {
        const job = by(index);
        await jobs.accept(orderOf(job, more));
        // The credits of some jobs are given back meanwhile, and other jobs get them.
        if (index % 5 === 0) await jobs.save(job, cancelled(job));
        return index % 5 === 0 ? 0 : 2;
      };
      const taken = sum(await each(40, accept, { code: 'ceiling', of }));

      expect(taken).toBeLessThanOrEqual(11);
      expect(await store.usage.community(day, community)).toMatchObject({ reserved: taken, spent: 0 });

      const rest = orderOf(opening({ credits: 11 - taken }), more);
      expect((await store.jobs.accept(rest)).known).toBe(false);

      const one = orderOf(opening({ credits: 1 }), more);
      await expect(store.jobs.accept(one)).rejects.toMatchObject({ reason: { left: 0 } });
    },
  );

  it.each([
    { of: 'service', more: { limits: { ...limits, serviceDailyCredits: 11 } } },
    { of: 'month', more: { limits: { ...limits, serviceMonthlyCredits: 11 } } },
  ])(
    'several processes take no more credits together than the ceiling of the $of allows, each in a community of its own',
    async ({ of, more }) => {
      const accept = ({ jobs }: Store, index: number) => {
        const place = { ...sampleJob().place, community: `web:room-${index}` };
        return jobs.accept(orderOf(by(index, { place }), more));
      };

      const taken = await each(40, accept, { code: 'ceiling', of });

      // Each costs two credits.
      expect(taken).toHaveLength(5);
    },
  );

  it('several processes use a grant once, while more is given and jobs fail', async () => {
    const grant = (credits: number, event: string) => ({
      community,
      ids: [community],
      person,
      credits,
      event,
      at: place.time.now,
      most: 1_000,
    });
    await store.grants.add(grant(10, 'first'));
    const work = async ({ jobs, grants }: Store, index: number): Promise<number> => {
      // Several processes handle the same event.
      if (index % 4 === 0) return grants.add(grant(1, `event ${index % 20}`)).then(() => 0);
      const job = opening();
      await jobs.accept(orderOf(job, { dailyCredits: 3, grantsOf: community }));
      if (index % 3 === 0) await jobs.save(job, cancelled(job));
      return index % 3 === 0 ? 0 : 2;
    };
    const taken = sum(await each(40, work, { code: 'allowance' }));
    const { reserved, granted = 0 } = await store.usage.person(day, community, person);

    expect(reserved).toBe(taken);
    expect(reserved - granted).toBeLessThanOrEqual(3);
    // Five events gave one each.
    expect(granted + (await store.grants.left(community, person))).toBe(15);
  });

  it('several processes give one person no more than a day’s maximum, while they spend, jobs fail and grants are taken back', async () => {
    const where = { community, ids: [community], person, at: place.time.now };
    const byModerator = { allowance: 3, fromOwner: 0 };
    const work = async ({ jobs, grants }: Store, index: number): Promise<number> => {
      if (index % 10 === 9) return -(await grants.takeBack(where));
      if (index % 3 === 0) {
        const grant = { ...where, credits: 4, event: `event ${index}`, most: 20, byModerator };
        return (await grants.add(grant)).outcome === 'added' ? 4 : 0;
      }
      const job = opening();
      await jobs.accept(orderOf(job, { dailyCredits: 3, mostGiven: 20, grantsOf: community }));
      if (index % 4 === 0) await jobs.save(job, cancelled(job));
      return 0;
    };
    const net = sum(await each(60, work, { code: 'allowance' }));
    const { reserved, granted = 0, given = 0 } = await store.usage.person(day, community, person);
    const left = await store.grants.left(community, person);

    expect(reserved - granted + given).toBeLessThanOrEqual(20);
    // Credits that were taken back unused may have been given again.
    expect(granted + left).toBeLessThanOrEqual(given);
    expect(net).toBeLessThanOrEqual(given);
  });

  it('a record that one process has begun to delete with its owner is not changed by another', async () => {
    const rules = { ownerOf: (key: string) => key };
    const change = (value?: string): string => (value === undefined ? 'new' : `${value}+`);
    for (let round = 0; round < 20; round += 1) {
      const records = store.keyv('personal', rules);
      await records.set(person, 'before');
      await Promise.all([
        store.erasures.begin(person),
        each(8, ({ keyv }) => keyv('personal', rules).update<string>(person, change)),
      ]);
      expect(await records.get(person)).not.toMatch(/before/);
    }
  });

  it('several processes count every job, filter and failure of a community once', async () => {
    await each(60, async ({ jobs }, index) => {
      const job = by(index);
      await jobs.accept(orderOf(job, { filter: `face:${index % 2}` }));
      const failed = { state: 'failed', failure: { code: 'deadline' }, charge: 'returned' } as const;
      await jobs.save(job, jobWith({ ...job, ...failed }));
    });
    const sums = async (what: 'job' | 'filter' | 'end') =>
      (await store.tallies.since(community, what, 0)).map(({ count, credits }) => `${count} ${credits}`);
    expect(await sums('job')).toEqual(['60 120']);
    expect(await sums('filter')).toEqual(['30 60', '30 60']);
    expect(await sums('end')).toEqual(['60 120']);
  });

  it.each([
    { what: 'event', same: { origin: 'the event' } },
    { what: 'press of Again', same: { againOf: 'the job' } },
  ])('several processes make one job of one $what', async ({ same }) => {
    const made = await each(12, ({ jobs }) => jobs.accept(orderOf(opening(same))));

    expect(new Set(made.map(({ job }) => job.id)).size).toBe(1);
    expect(made.filter(({ known }) => !known)).toHaveLength(1);
  });

  it.each([
    { what: 'postpones it', state: 'delivering', change: { attempts: 1 }, how: 'lossy' },
    { what: 'postpones it for good', state: 'delivering', change: { attempts: 1 }, how: 'durable' },
    { what: 'changes it', state: 'done', change: { withdrawn: true, charge: 'spent' }, how: 'durable' },
  ] as const)(
    'a job stays in the hand of the process that holds it when another one $what',
    async ({ state, change, how }) => {
      const [holder, other] = stores;
      const job = sampleJob({ state, settled: false, due: place.time.now });

      await insert(store, job);
      const kind = state === 'done' ? 'others' : 'results';

      expect(await holder.jobs.claim(kind, place.time.now, 1)).toHaveLength(1);
      expect(await other.jobs.save(job, jobWith({ ...job, ...change }), how)).toBeDefined();
      expect(await other.jobs.claim(kind, place.time.now, 1)).toEqual([]);

      await other.jobs.release(kind, job.id);
      expect(await other.jobs.claim(kind, place.time.now, 1)).toEqual([]);

      await holder.jobs.release(kind, job.id);
      expect(await other.jobs.claim(kind, place.time.now, 1)).toHaveLength(1);
    },
  );

  it('of several changes of the same version of a job one is written, with its credits', async () => {
    const job = sampleJob();
    await insert(store, job);
    const sent = jobWith({ ...job, state: 'submitting', charge: 'spent' });
    const saved = await each(12, ({ jobs }, index) =>
      jobs.save(job, index % 2 === 0 ? cancelled(job) : sent),
    );
    const [written, ...more] = saved.filter((one) => one !== undefined);

    expect(more).toEqual([]);
    expect(await store.jobs.get(job.id)).toEqual(written);

    const spent = written?.charge === 'spent' ? 2 : 0;
    expect(await store.usage.person(day, community, person)).toEqual({ reserved: 0, spent, jobs: 1 });
  });

  it('an id of the service is given to one job, whichever process is first', async () => {
    const all = Array.from({ length: 8 }, () => sampleJob({ state: 'submitting' }));
    await insert(store, ...all);
    const results = await each(all.length, ({ jobs }, index) => {
      const job = all[index] ?? expect.fail();
      const running = jobWith({ ...job, state: 'running', charge: 'spent', serviceId: '42' });
      return jobs.save(job, running).catch((error: unknown) => error);
    });

    expect(results.filter((result) => result instanceof ServiceIdTaken)).toHaveLength(7);
    expect((await store.usage.person(day, community, person)).spent).toBe(2);
  });

  it('several processes claim every due job, and none twice', async () => {
    const all = Array.from({ length: 200 }, (_, due) =>
      sampleJob({ state: 'running', due, serviceId: `${due}` }),
    );
    await insert(store, ...all);
    const seen: string[] = [];
    await each(4, async ({ jobs }) => {
      for (let count = 1; count > 0; ) {
        const claimed = await jobs.claim('polls', 1_000, 7);
        seen.push(...claimed.map(({ id }) => id));
        count = claimed.length;
      }
    });

    expect(seen.toSorted()).toEqual(all.map(({ id }) => id));
  });

  it('several processes give no more slots than there are while jobs come and go', async () => {
    const people = ['ann', 'bob', 'cid', 'dan', 'eve'];
    const all = people.flatMap((id) =>
      Array.from({ length: 8 }, () => sampleJob({ caller: { ...sampleJob().caller, id } })),
    );

    await insert(store, ...all);
    const slots = { perPerson: 2, inAll: 6 };
    const done: string[] = [];
    let most = 0;
    const running = new Map<string, number>();
    const add = (id: string, by: number): void => {
      running.set(id, (running.get(id) ?? 0) + by);
      expect(running.get(id)).toBeLessThanOrEqual(slots.perPerson);
    };
    await each(8, async ({ jobs }) => {
      for (let idle = 0; idle < 200; ) {
        const job = await jobs.take({ limits: slots, gates, without: [] });
        if (job === undefined) {
          idle += 1;
          if (done.length === all.length) return;
          continue;
        }
        idle = 0;
        add(job.caller.id, 1);
        const [row] = await place.sql("SELECT running FROM slots WHERE person = ''");
        most = Math.max(most, Number(row?.running));
        const sent = await jobs.save(job, jobWith({ ...job, state: 'submitting' }));
        if (sent === undefined) throw new Error('It was taken twice.');
        add(job.caller.id, -1);
        await jobs.save(sent, cancelled(sent));
        done.push(job.id);
      }
      throw new Error('Nothing moved.');
    });

    expect(new Set(done).size).toBe(all.length);
    expect(most).toBeLessThanOrEqual(slots.inAll);
    expect(await store.jobs.counts()).toEqual({ waiting: 0, running: 0 });
    expect(await place.sql('SELECT person FROM slots')).toEqual([{ person: '' }]);
  });

  it('each person’s jobs enter the line one behind the other, whichever process accepts them', async () => {
    const all = Array.from({ length: 12 }, () => sampleJob({ state: 'opening' }));
    await insert(store, ...all);
    await each(all.length, ({ jobs }, index) => {
      const job = all[index] ?? expect.fail();
      return jobs.save(job, jobWith({ ...job, state: 'waiting' }));
    });
    const turns = await place.sql('SELECT DISTINCT turn FROM jobs');

    expect(turns).toHaveLength(all.length);
  });

  it('several processes that change one record lose no change', async () => {
    await each(60, ({ keyv }) => keyv('settings').update<number>('key', (value) => (value ?? 0) + 1));
    expect(await store.keyv('settings').get('key')).toBe(60);
  });

  it('writes that may be lost are written together, and each as if by itself', async () => {
    const all = Array.from({ length: 250 }, () => sampleJob({ state: 'running', due: 1 }));
    await insert(store, ...all);
    const { jobs } = store;
    const claimed = await jobs.claim('polls', 1, 250);
    const [changed, doubled, impossible] = claimed;
    if (changed === undefined || doubled === undefined || impossible === undefined) return expect.fail();
    await stores[1].jobs.save(changed, { ...changed, looks: 7 } as Job);
    const later = (job: Job, due: number) => jobs.save(job, { ...job, due } as Job, 'lossy', 'release');
    const again = later(doubled, 3);
    const results = await Promise.all(
      claimed.map((job) =>
        later(job, job === impossible ? Number.MAX_VALUE : 2).catch(() => 'failed' as const),
      ),
    );

    expect((await again)?.due).toBe(3);
    expect(results.filter((job) => job === 'failed')).toHaveLength(1);
    expect(results.filter((job) => job === undefined)).toHaveLength(2);
    expect(results.filter((job) => typeof job === 'object' && job.due === 2)).toHaveLength(247);
    expect((await jobs.get(changed.id))?.looks).toBe(7);
    // Jobs that were written are no longer in hand.
    expect(await jobs.claim('polls', 5, 999)).toHaveLength(248);
  });

  it('each job of dead processes is taken over once, in order; what the dead write late is refused', async () => {
    const [dead, ...living] = stores;
    const all = Array.from({ length: 250 }, (_, due) => sampleJob({ due }));

    await insert(dead, ...all);
    const [claimed] = await dead.jobs.claim('others', 0, 1);
    const alive = await Promise.all(living.map(() => place.join(keys)));
    const taken = await Promise.all(alive.map(async ({ jobs }) => allOf(jobs.abandoned())));
    const ids = taken.flat().map(({ id }) => id);

    expect(ids).toHaveLength(250);
    expect(new Set(ids)).toEqual(new Set(all.map(({ id }) => id)));
    for (const jobs of taken) expect(jobs.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id).toSorted());
    expect(taken.flat().every(({ version }) => version === 2)).toBe(true);
    if (claimed !== undefined)
      expect(await dead.jobs.save(claimed, { ...claimed, looks: 1 })).toBeUndefined();
    expect(await allOf((await place.join(keys)).jobs.abandoned())).toEqual([]);
  });

  it('a process takes over from one that died while it took over, and what it had in hand', async () => {
    const all = Array.from({ length: 5 }, () => sampleJob({ due: 1 }));
    await insert(store, ...all);
    const second = await place.join(keys);
    for await (const job of second.jobs.abandoned()) {
      expect(job.version).toBe(2);
      break;
    }
    await second.jobs.claim('others', 5, 2);

    expect(await allOf((await place.join(keys)).jobs.abandoned())).toEqual([]);

    await second.leave();
    const last = await place.join(keys);
    const taken = await allOf(last.jobs.abandoned());

    expect(taken.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(await last.jobs.claim('others', 5, 9)).toHaveLength(5);
  });

  it('what one process begins to erase is hidden by the others at once, and erased once', async () => {
    await insert(store, ...Array.from({ length: 40 }, () => doneJob()));
    const [, second, third] = stores;
    const who = await second.erasures.begin(person);

    expect(await third.jobs.ofPerson(person, 9)).toEqual([]);

    const fresh = doneJob();
    await insert(third, fresh);

    expect(sum(await each(4, (one) => eraseAll(one, who)))).toBe(40);
    expect((await third.jobs.ofPerson(person, 9)).map(({ id }) => id)).toEqual([fresh.id]);
  });

  it('an erasure hides everything that was accepted before it in any process, and nothing that was accepted after it', async () => {
    let before: string[] = [];
    const after: string[] = [];
    let isErased = false;

    await each(4, async ({ jobs, erasures }, index) => {
      for (let count = 0; count < 15; count += 1) {
        const job = doneJob();
        const wasErased = isErased;
        await jobs.accept(orderOf(job));
        if (wasErased) after.push(job.id);
        else if (!isErased) before.push(job.id);
        if (index !== 0 || count !== 7) continue;
        const known = [...before];
        await erasures.begin(person);
        isErased = true;
        before = known;
      }
    });
    const visible = (await store.jobs.ofPerson(person, 1_000)).map(({ id }) => id);

    expect(visible.filter((id) => before.includes(id))).toEqual([]);
    expect(visible).toEqual(expect.arrayContaining(after));
    expect(after.length).toBeGreaterThan(0);
  });

  it('several processes sweep at the same time without harm', async () => {
    await insert(store, ...Array.from({ length: 60 }, () => doneJob({ finishedAt: 1 })));
    await each(8, ({ sweep }) => sweep());
    while (await store.sweep());

    expect(await place.sql('SELECT seq FROM jobs')).toEqual([]);
  });
});
