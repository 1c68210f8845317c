/** Several processes on one database: every store has a pool of its own. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSavedFaces, faceRecords } from '../../../src/community/faces/saved-faces.ts';
import { createChangeJob } from '../../../src/orchestrator/engine/save-job.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { ServiceIdTaken, type TakeOptions } from '../../../src/orchestrator/job/records.ts';
import { createJobRequests } from '../../../src/orchestrator/requests.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { allOf } from '../../all-of.ts';
import { jobWith } from '../../fakes/job.ts';
import { postgresUrl } from '../../fakes/postgres.ts';
import { keyOf, sampleJob } from '../../unit/store/sqlite/open-store.ts';
import { community, day, insert, orderOf, person } from './suite/driver.ts';
import { createPostgres, type PostgresPlace } from './suite/postgres-driver.ts';

const keys = [keyOf(3)];
const limits = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 1_000 };
const gates: TakeOptions['gates'] = { key: 'open', token: 'open' };

describe.skipIf(postgresUrl === undefined)('several processes on PostgreSQL', () => {
  const postgres = createPostgres();
  let place: PostgresPlace;
  let stores: Store[];
  beforeEach(async () => {
    place = await postgres.create();
    // They also start at once, on an empty database.
    stores = await Promise.all(['a', 'b', 'c', 'd'].map((member) => place.another(keys, member)));
  });
  afterEach(() => place.remove());
  afterAll(() => postgres.end());

  const each = <T>(count: number, work: (store: Store, index: number) => Promise<T>) =>
    Promise.allSettled(
      Array.from({ length: count }, (_, index) => {
        const store = stores[index % stores.length];
        if (store === undefined) throw new Error('There is none.');
        return work(store, index);
      }),
    );
  const fulfilled = <T>(results: readonly PromiseSettledResult<T>[]): T[] =>
    results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const only = (): Store => stores[0] ?? expect.fail('There is none.');

  it('have migrated the database once, and agree about the ids', async () => {
    expect(await place.sql('SELECT version FROM migrations')).toHaveLength(1);
    const job = sampleJob();
    await insert(only(), job);
    for (const store of stores) expect(await store.jobs.byOrigin(job.origin)).toEqual(job);
  });

  it.each([
    ['rate', { limits: { ...limits, userJobsPerMinute: 5 } }],
    ['waiting', { limits: { ...limits, userConcurrentJobs: 2, userWaitingJobs: 3 } }],
    ['allowance', { dailyCredits: 10 }],
  ])('accept no more than the limit allows: %s', async (code, more) => {
    const at = place.time.now;
    const results = await each(24, ({ jobs }) =>
      jobs.accept(orderOf(sampleJob({ state: 'opening', createdAt: at }), more)),
    );
    expect(fulfilled(results)).toHaveLength(5);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: { code } });
    expect(await only().usage.person(day, community, person)).toEqual({ reserved: 10, spent: 0, jobs: 5 });
    expect(await only().usage.community(day, community)).toMatchObject({ reserved: 10, jobs: 5 });
  });

  it.each([
    ['album', 'jobs of a minute', { limits: { ...limits, userJobsPerMinute: 10 } }],
    ['album', 'unfinished jobs', { limits: { ...limits, userConcurrentJobs: 2, userWaitingJobs: 8 } }],
    ['allowance', 'allowance', { dailyCredits: 20 }],
    ['ceiling', 'ceiling of the community', { communityCredits: 20 }],
    ['ceiling', 'ceiling of all', { limits: { ...limits, serviceDailyCredits: 20 } }],
  ])('accept albums as a whole or not at all (%s: %s)', async (code, _, more) => {
    const orders = Array.from({ length: 8 }, () => {
      const all = Array.from({ length: 3 }, () => sampleJob({ state: 'opening', createdAt: place.time.now }));
      const [first, ...others] = all.map((job) => orderOf(job, more));
      return { ...(first ?? expect.fail('There is none.')), others };
    });
    // Each of them comes to three processes.
    const results = await each(24, ({ jobs }, index) => jobs.accept(orders[index % 8] ?? expect.fail()));
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: { code } });
    const taken = new Set(fulfilled(results).map(({ job }) => job.id));
    expect(taken.size).toBe(3);
    for (const { job, others } of orders)
      for (const { id } of [job, ...others.map((other) => other.job)])
        expect((await only().jobs.get(id)) !== undefined, id).toBe(taken.has(job.id));
    expect(await only().usage.person(day, community, person)).toMatchObject({ reserved: 18, jobs: 9 });
  });

  it.each([
    ['community', { communityCredits: 11 }],
    ['service', { limits: { ...limits, serviceDailyCredits: 11 } }],
  ])('take no more credits together than the ceiling of the %s allows', async (of, more) => {
    const { caller } = sampleJob();
    const results = await each(40, async ({ jobs }, index) => {
      const who = { ...caller, id: String(index) };
      const job = sampleJob({ state: 'opening', createdAt: place.time.now, caller: who });
      await jobs.accept(orderOf(job, more));
      // Some are given back meanwhile, and others get them.
      if (index % 5 === 0) await jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'returned' }));
      return index % 5 === 0 ? 0 : 2;
    });
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: { code: 'ceiling', of } });
    const taken = fulfilled(results).reduce<number>((sum, credits) => sum + credits, 0);
    expect(taken).toBeLessThanOrEqual(11);
    expect(await only().usage.community(day, community)).toMatchObject({ reserved: taken, spent: 0 });
    const rest = sampleJob({ state: 'opening', createdAt: place.time.now, credits: 11 - taken });
    expect((await only().jobs.accept(orderOf(rest, more))).known).toBe(false);
    const one = sampleJob({ state: 'opening', createdAt: place.time.now, credits: 1 });
    await expect(only().jobs.accept(orderOf(one, more))).rejects.toMatchObject({ reason: { left: 0 } });
  });

  it('use a grant once, while more is given and jobs fail', async () => {
    const grant = (credits: number, event: string) => ({
      ...{ community, ids: [community], person, credits, event, at: place.time.now, most: 1_000 },
    });
    await only().grants.add(grant(10, 'first'));
    const results = await each(40, async ({ jobs, grants }, index) => {
      // The same event in several processes.
      if (index % 4 === 0) return (await grants.add(grant(1, `event ${index % 20}`))) && 0;
      const job = sampleJob({ state: 'opening', createdAt: place.time.now });
      await jobs.accept(orderOf(job, { dailyCredits: 3, grantsOf: community }));
      if (index % 3 === 0) await jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'returned' }));
      return index % 3 === 0 ? 0 : 2;
    });
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: { code: 'allowance' } });
    const taken = fulfilled(results).reduce<number>((sum, credits) => sum + Number(credits), 0);
    const { reserved, granted = 0 } = await only().usage.person(day, community, person);
    expect(reserved).toBe(taken);
    expect(reserved - granted).toBeLessThanOrEqual(3);
    // Five events gave one each.
    expect(granted + (await only().grants.left(community, person))).toBe(15);
  });

  it('give one person no more than a day’s maximum, while they spend, jobs fail and grants are taken back', async () => {
    const where = { community, ids: [community], person, at: place.time.now };
    const byModerator = { allowance: 3, fromOwner: 0 };
    const results = await each(60, async ({ jobs, grants }, index) => {
      if (index % 10 === 9) return -(await grants.takeBack(where));
      if (index % 3 === 0) {
        const given = await grants.add({
          ...where,
          credits: 4,
          event: `event ${index}`,
          most: 20,
          byModerator,
        });
        return given.outcome === 'added' ? 4 : 0;
      }
      const job = sampleJob({ state: 'opening', createdAt: place.time.now });
      await jobs.accept(orderOf(job, { dailyCredits: 3, mostGiven: 20, grantsOf: community }));
      if (index % 4 === 0) await jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'returned' }));
      return 0;
    });
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: { code: 'allowance' } });
    const { reserved, granted = 0, given = 0 } = await only().usage.person(day, community, person);
    const left = await only().grants.left(community, person);
    expect(reserved - granted + given).toBeLessThanOrEqual(20);
    // What was taken back and not used before may have been given again.
    expect(granted + left).toBeLessThanOrEqual(given);
    const net = fulfilled(results).reduce<number>((sum, credits) => sum + Number(credits), 0);
    expect(net).toBeLessThanOrEqual(given);
  });

  it('keep ten faces of a person together, whoever saves them', async () => {
    let ids = 0;
    const facesIn = (store: Store) =>
      createSavedFaces({
        records: store.keyv('faces', faceRecords),
        bytes: async () => 0,
        onFull: () => undefined,
        clock: { now: () => place.time.now },
        newId: () => `id-${++ids}`,
      });
    for (let round = 0; round < 6; round += 1)
      for (const result of await each(8, (store, index) =>
        facesIn(store).save(person, { name: `face-${round}-${index}`, jpeg: Buffer.from('x') }),
      ))
        if (result.status === 'rejected')
          expect(['face-limit', 'face-busy']).toContain(result.reason.reason.code);
    const faces = await facesIn(only()).list(person);
    expect(faces).toHaveLength(10);
    for (const { name } of faces) expect(String(await facesIn(only()).use(person, name))).toBe('x');
    place.time.now += 3_600_000;
    await facesIn(only()).setDefault(person, faces[4]?.name ?? '');
    expect(await place.sql("SELECT 1 FROM entries WHERE namespace = 'faces'")).toHaveLength(11);
  });

  it('do not change a record any more that one of them has begun to delete with its owner', async () => {
    const rules = { ownerOf: (key: string) => key };
    for (let round = 0; round < 20; round += 1) {
      await only().keyv('personal', rules).set(person, 'before');
      const [erased, changed] = await Promise.allSettled([
        only().erasures.begin(person),
        each(8, ({ keyv }) =>
          keyv('personal', rules).update<string>(person, (value) =>
            value === undefined ? 'new' : `${value}+`,
          ),
        ),
      ]);
      expect([erased.status, changed.status]).toEqual(['fulfilled', 'fulfilled']);
      expect(await only().keyv('personal', rules).get(person)).not.toMatch(/before/);
    }
  });

  it('count every job, filter and failure of a community once', async () => {
    const { caller } = sampleJob();
    const results = await each(60, async ({ jobs }, index) => {
      const job = sampleJob({ state: 'opening', caller: { ...caller, id: String(index) } });
      await jobs.accept(orderOf(job, { filter: `face:${index % 2}` }));
      const failed = { state: 'failed', failure: { code: 'deadline' }, charge: 'returned' } as const;
      await jobs.save(job, jobWith({ ...job, ...failed }));
    });
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    const sums = async (what: 'job' | 'filter' | 'end') =>
      (await only().tallies.since(community, what, 0)).map(({ count, credits }) => [count, credits]);
    expect(await sums('job')).toEqual([[60, 120]]);
    expect(await sums('filter')).toEqual([
      [30, 60],
      [30, 60],
    ]);
    expect(await sums('end')).toEqual([[60, 120]]);
  });

  it('make one job of one event, and of one press of Again', async () => {
    const events = await each(12, ({ jobs }) =>
      jobs.accept(orderOf(sampleJob({ state: 'opening', origin: 'the event' }))),
    );
    expect(new Set(fulfilled(events).map(({ job }) => job.id)).size).toBe(1);
    expect(fulfilled(events).filter(({ known }) => !known)).toHaveLength(1);
    const presses = await each(12, ({ jobs }) =>
      jobs.accept(orderOf(sampleJob({ state: 'opening', againOf: 'the job' }))),
    );
    expect(fulfilled(presses)).toHaveLength(12);
    expect(new Set(fulfilled(presses).map(({ job }) => job.id)).size).toBe(1);
  });

  it.each([
    ['postpones it', 'delivering', { attempts: 1 }, 'lossy'],
    ['postpones it for good', 'delivering', { attempts: 1 }, 'durable'],
    ['changes it', 'done', { withdrawn: true, charge: 'spent' }, 'durable'],
  ] as const)('leave a job in the hand of its holder when another one %s', async (_, state, change, how) => {
    const [holder, other] = stores;
    if (holder === undefined || other === undefined) throw new Error('There are too few.');
    const job = sampleJob({ state, settled: false, due: place.time.now });
    await insert(only(), job);
    const kind = state === 'done' ? 'others' : 'results';
    expect(await holder.jobs.claim(kind, place.time.now, 1)).toHaveLength(1);
    expect(await other.jobs.save(job, jobWith({ ...job, ...change }), how)).toBeDefined();
    expect(await other.jobs.claim(kind, place.time.now, 1)).toEqual([]);
    await other.jobs.release(kind, job.id);
    expect(await other.jobs.claim(kind, place.time.now, 1)).toEqual([]);
    await holder.jobs.release(kind, job.id);
    expect(await other.jobs.claim(kind, place.time.now, 1)).toHaveLength(1);
  });

  it('write one of several changes of the same version, with its credits', async () => {
    const job = sampleJob();
    await insert(only(), job);
    const saved = fulfilled(
      await each(12, ({ jobs }, index) =>
        jobs.save(
          job,
          index % 2 === 0
            ? jobWith({ ...job, state: 'cancelled', charge: 'returned' })
            : jobWith({ ...job, state: 'submitting', charge: 'spent' }),
        ),
      ),
    ).filter((one) => one !== undefined);
    expect(saved).toHaveLength(1);
    expect(await only().jobs.get(job.id)).toEqual(saved[0]);
    const spent = saved[0]?.charge === 'spent' ? 2 : 0;
    expect(await only().usage.person(day, community, person)).toEqual({ reserved: 0, spent, jobs: 1 });
  });

  it('begin to share a result once', async () => {
    const job = sampleJob({ state: 'done', settled: true, private: true });
    await insert(only(), job);
    const begun = await each(12, ({ jobs }) =>
      createJobRequests({
        records: jobs,
        limits: { userConcurrentJobs: 1, userWaitingJobs: 1, userJobsPerMinute: 1 },
        change: createChangeJob(jobs, jobs.save),
        watch: {
          watched: (work) => work(),
          isStoreFailure: async () => false,
          writeLater: () => undefined,
        },
        accepted: () => undefined,
        now: () => place.time.now,
        waitingMs: 0,
      }).beginSharing(job.id),
    );
    expect(fulfilled(begun).toSorted()).toEqual([...Array(11).fill(false), true]);
    expect(await only().jobs.get(job.id)).toMatchObject({ shared: { at: place.time.now } });
  });

  it('give an id of the service to one job', async () => {
    const all = Array.from({ length: 8 }, () => sampleJob({ state: 'submitting' }));
    await insert(only(), ...all);
    const results = await each(all.length, ({ jobs }, index) => {
      const job = all[index] ?? sampleJob();
      return jobs.save(job, jobWith({ ...job, state: 'running', charge: 'spent', serviceId: '42' }));
    });
    expect(fulfilled(results)).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ServiceIdTaken);
    expect((await only().usage.person(day, community, person)).spent).toBe(2);
  });

  it('claim no job twice, and all of them', async () => {
    const all = Array.from({ length: 200 }, (_, due) =>
      sampleJob({ state: 'running', due, serviceId: `${due}` }),
    );
    await insert(only(), ...all);
    const seen: string[] = [];
    await each(4, async ({ jobs }) => {
      for (;;) {
        const claimed = await jobs.claim('polls', 1_000, 7);
        if (claimed.length === 0) return;
        seen.push(...claimed.map(({ id }) => id));
      }
    });
    expect(seen).toHaveLength(200);
    expect(new Set(seen).size).toBe(200);
  });

  it('release only what they have in hand themselves', async () => {
    const [first, second] = stores;
    if (first === undefined || second === undefined) return expect.fail('There are too few.');
    const job = sampleJob({ due: 1 });
    await insert(first, job);
    await first.jobs.claim('others', 5, 1);
    await second.jobs.release('others', job.id);
    expect(await second.jobs.claim('others', 5, 1)).toEqual([]);
    await first.jobs.release('others', job.id);
    expect(await second.jobs.claim('others', 5, 1)).toMatchObject([{ id: job.id }]);
  });

  it('give no more slots than there are while jobs come and go', async () => {
    const people = ['ann', 'ben', 'cid', 'dan', 'eve'];
    const all = people.flatMap((id) =>
      Array.from({ length: 8 }, () => sampleJob({ caller: { ...sampleJob().caller, id } })),
    );
    await insert(only(), ...all);
    const slots = { perPerson: 2, inAll: 6 };
    const done: string[] = [];
    let most = 0;
    const running = new Map<string, number>();
    const add = (id: string, by: number): void => {
      running.set(id, (running.get(id) ?? 0) + by);
      expect(running.get(id)).toBeLessThanOrEqual(slots.perPerson);
    };
    const results = await each(8, async ({ jobs }) => {
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
        await jobs.save(sent, jobWith({ ...sent, state: 'cancelled', charge: 'returned' }));
        done.push(job.id);
      }
      throw new Error('Nothing moved.');
    });
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(new Set(done).size).toBe(all.length);
    expect(most).toBeLessThanOrEqual(slots.inAll);
    expect(await only().jobs.counts()).toEqual({ waiting: 0, running: 0 });
    expect(await place.sql('SELECT person FROM slots')).toEqual([{ person: '' }]);
  });

  it('let each person’s jobs enter the line one behind the other', async () => {
    const all = Array.from({ length: 12 }, () => sampleJob({ state: 'opening' }));
    await insert(only(), ...all);
    await each(all.length, ({ jobs }, index) => {
      const job = all[index] ?? sampleJob();
      return jobs.save(job, jobWith({ ...job, state: 'waiting' }));
    });
    const turns = await place.sql('SELECT DISTINCT turn FROM jobs');
    expect(turns).toHaveLength(all.length);
  });

  it('lose no change of a record', async () => {
    const add = (store: Store) => store.keyv('settings').update<number>('key', (value) => (value ?? 0) + 1);
    expect(fulfilled(await each(60, add))).toHaveLength(60);
    expect(await only().keyv('settings').get('key')).toBe(60);
  });

  it('write what may be lost together, and each as if by itself', async () => {
    const all = Array.from({ length: 250 }, () => sampleJob({ state: 'running', due: 1 }));
    await insert(only(), ...all);
    const { jobs } = only();
    const claimed = await jobs.claim('polls', 1, 250);
    const [changed, doubled, impossible] = claimed;
    if (changed === undefined || doubled === undefined || impossible === undefined) return expect.fail();
    await stores[1]?.jobs.save(changed, { ...changed, looks: 7 } as Job);
    const later = (job: Job, due: number) => jobs.save(job, { ...job, due } as Job, 'lossy', 'release');
    const again = later(doubled, 3);
    const results = await Promise.allSettled(
      claimed.map((job) => later(job, job === impossible ? Number.MAX_VALUE : 2)),
    );
    expect((await again)?.due).toBe(3);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(fulfilled(results).filter((job) => job === undefined)).toHaveLength(2);
    expect(fulfilled(results).filter((job) => job?.version === 2 && job.due === 2)).toHaveLength(247);
    expect((await jobs.get(changed.id))?.looks).toBe(7);
    // What was written is in hand no more.
    expect(await jobs.claim('polls', 5, 999)).toHaveLength(248);
  });

  it('take over each job of the dead once, in order; what the dead write late is refused', async () => {
    const [dead, ...living] = stores;
    if (dead === undefined) return expect.fail('There is none.');
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

  it('take over from one that died while it took over, and what it had in hand', async () => {
    const all = Array.from({ length: 5 }, () => sampleJob({ due: 1 }));
    await insert(only(), ...all);
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

  it('hide at once what another begins to erase, and erase it once', async () => {
    const done = () =>
      sampleJob({ state: 'done', charge: 'spent', settled: true, finishedAt: place.time.now });
    const all = Array.from({ length: 40 }, done);
    await insert(only(), ...all);
    const [, second, third] = stores;
    if (second === undefined || third === undefined) return expect.fail('There are too few.');
    const who = await second.erasures.begin(person);
    expect(await third.jobs.ofPerson(person, 9)).toEqual([]);
    const fresh = done();
    await insert(third, fresh);
    const erased = fulfilled(
      await each(4, async ({ erasures }) => {
        let jobs = 0;
        for (let left = true; left; ) {
          const batch = await erasures.more(who, 10);
          jobs += batch.jobs;
          left = batch.left;
        }
        return jobs;
      }),
    );
    expect(erased.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect((await third.jobs.ofPerson(person, 9)).map(({ id }) => id)).toEqual([fresh.id]);
  });

  it('hide everything that was accepted before an erasure, and nothing that was accepted after it', async () => {
    const before: Job[] = [];
    const after: Job[] = [];
    let isErased = false;
    const results = await each(4, async ({ jobs, erasures }, index) => {
      for (let count = 0; count < 15; count += 1) {
        const job = sampleJob({ state: 'done', charge: 'spent', settled: true, finishedAt: 1 });
        const wasErased = isErased;
        await jobs.accept(orderOf(job));
        if (wasErased) after.push(job);
        else if (!isErased) before.push(job);
        if (index === 0 && count === 7) {
          const known = [...before];
          await erasures.begin(person);
          isErased = true;
          before.splice(0, before.length, ...known);
        }
      }
    });
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    const visible = new Set((await only().jobs.ofPerson(person, 1_000)).map(({ id }) => id));
    expect(before.filter(({ id }) => visible.has(id))).toEqual([]);
    expect(after.filter(({ id }) => !visible.has(id))).toEqual([]);
    expect(after.length).toBeGreaterThan(0);
  });

  it('sweep together without harm', async () => {
    for (let count = 0; count < 60; count += 1)
      await insert(only(), sampleJob({ state: 'done', charge: 'spent', settled: true, finishedAt: 1 }));
    const swept = await each(8, ({ sweep }) => sweep());
    expect(swept.filter(({ status }) => status === 'rejected')).toEqual([]);
    while (await only().sweep());
    expect(await place.sql('SELECT seq FROM jobs')).toEqual([]);
  });
});
