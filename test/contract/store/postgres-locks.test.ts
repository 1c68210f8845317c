// @module-tag slow
/** No two transactions wait for each other, see `src/store/tables/driver.ts`. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { personKey } from '../../../src/command/place.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import type { TakeOptions } from '../../../src/orchestrator/job/records.ts';
import { databaseAddressOf } from '../../../src/store/postgres/database/address.ts';
import { openDatabase } from '../../../src/store/postgres/database/database.ts';
import type { Query } from '../../../src/store/tables/driver.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { allOf } from '../../all-of.ts';
import { eventually } from '../../eventually.ts';
import { jobWith } from '../../fakes/job.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { doneJob, insert, person } from './suite/driver.ts';
import { createPostgres } from './suite/postgres-driver.ts';
import { placeForEach } from './suite/set-up.ts';

const limits: TakeOptions = {
  limits: { perPerson: 3, inAll: 20 },
  gates: { key: 'open', token: 'open' },
  without: [],
};
const LOCK_SLOTS = "SELECT person FROM slots WHERE person = '' FOR UPDATE";
const BLOCKED = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';

describe('transactions on PostgreSQL', { tags: ['postgres'] }, () => {
  const postgres = createPostgres();
  const place = placeForEach(postgres);
  let store: Store;
  beforeEach(async () => {
    store = await place.another([], 'one');
  });
  afterAll(() => postgres.end());

  /** Work in a transaction of its own, past the store. */
  const holding = async (work: (query: Query) => Promise<void>): Promise<void> => {
    const own = openDatabase(databaseAddressOf(place.url));
    await own.transaction(work).finally(own.close);
  };
  const taken = async (): Promise<Job> =>
    (await store.jobs.take(limits)) ?? expect.fail('Nothing was taken.');

  /** A job that runs, beside others. */
  const running = async (): Promise<Job> => {
    const job = sampleJob({ state: 'running', charge: 'spent' });
    await insert(store, sampleJob(), doneJob(), job);
    return job;
  };
  const damaged = async (): Promise<Job> => {
    const job = await running();
    await place.sql("UPDATE jobs SET body = 'x' WHERE id = $1", job.id);
    return job;
  };

  const works: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
    async 'takes over'() {
      const { jobs } = await place.join();
      expect(await allOf(jobs.abandoned())).toEqual([]);
      await insert(store, sampleJob(), sampleJob(), sampleJob({ state: 'running' }));
      await taken();
      return () => allOf(jobs.abandoned());
    },
    async 'gives a slot back'() {
      await insert(store, sampleJob());
      const { id } = await taken();
      return () => store.jobs.release('submission', id);
    },
    async 'ends a job in line, which others may take at that moment'() {
      const job = sampleJob();
      await insert(store, job);
      return () => store.jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'returned' }));
    },
    async 'ends a job that runs'() {
      const job = await running();
      return () => store.jobs.save(job, jobWith({ ...job, state: 'delivering' }));
    },
    async 'removes a job that runs'() {
      const { id } = await running();
      return () => store.jobs.remove(id);
    },
    async 'sets a damaged job aside'() {
      const { id } = await damaged();
      return () => store.jobs.get(id);
    },
    async 'deletes all data of a person'() {
      await damaged();
      const who = await store.erasures.begin(person);
      return () => store.erasures.more(who, 10);
    },
  };

  it.each(Object.entries(works))(
    'a process that %s waits for the slots before it locks a job',
    async (_, begin) => {
      const work = await begin();
      let done: Promise<unknown> | undefined;
      const checked = holding(async (query) => {
        await query(LOCK_SLOTS, []);
        done = work();
        await eventually(async () => (await query(BLOCKED, [])).length > 0, 'it to wait');
        await query('SELECT FROM jobs FOR UPDATE NOWAIT', []);
      });
      await checked.finally(() => done);
    },
  );

  it('a process that sweeps waits for nobody', async () => {
    await insert(store, doneJob({ finishedAt: 1 }), doneJob({ finishedAt: 1 }));
    await store.keyv('short').set('key', 'value', 1);
    // Totals are kept for the sums of the month, the longest of all.
    await place.pass(50 * 86_400_000);
    await holding(async (query) => {
      await query('SELECT FROM jobs ORDER BY seq LIMIT 1 FOR UPDATE', []);
      for (const table of ['usage', 'charges', 'entries', 'acceptances', 'totals'])
        expect((await query(`SELECT 1 FROM ${table} FOR UPDATE`, [])).length, table).toBeGreaterThan(0);
      while (await store.sweep());
      expect(await query('SELECT FROM jobs', [])).toHaveLength(1);
    });
    while (await store.sweep());

    for (const table of ['jobs', 'usage', 'charges', 'entries', 'acceptances', 'totals'])
      expect(await place.sql(`SELECT FROM ${table}`), table).toEqual([]);
  });

  it('a transaction fails with the statement that failed first, whoever waited for it, and leaves nothing', async () => {
    const own = openDatabase(databaseAddressOf(place.url));
    const add = "INSERT INTO removed (origin, at) VALUES ('a', 1)";
    const waiting = own.transaction(async (query) => {
      query.write(add, []);
      query.write('SELECT 1 / 0', []);
      await query(add, []);
    });

    await expect(waiting).rejects.toThrow('division by zero');

    const atTheEnd = own.transaction(async ({ write }) => {
      write(add, []);
      write('SELECT 1 / 0', []);
    });
    await expect(atTheEnd).rejects.toThrow('division by zero');
    expect(await place.sql('SELECT FROM removed')).toEqual([]);

    await own.transaction(async ({ write }) => write(add, []));
    expect(await place.sql('SELECT origin FROM removed')).toEqual([{ origin: 'a' }]);

    await own.close();
  });

  it('transactions never wait for each other in a circle while processes die, and others take, end, cancel, delete and sweep', async () => {
    const callers = Array.from({ length: 6 }, (_, id) => ({ ...sampleJob().caller, id: `p${id}` }));
    const living = [await place.join(), await place.join()];
    let isOver = false;
    const until = async (work: () => Promise<unknown>): Promise<void> => {
      while (!isOver) await work();
    };
    const run = ({ jobs }: Store) =>
      until(async () => {
        const job = await jobs.take(limits);
        if (job === undefined) return;
        if (job.version % 3 === 0) return jobs.release('submission', job.id);
        const sent = await jobs.save(job, jobWith({ ...job, state: 'submitting' }));
        if (sent) await jobs.save(sent, jobWith({ ...sent, state: 'cancelled', charge: 'returned' }));
      });
    const work = [
      ...living.flatMap((each) => [
        run(each),
        run(each),
        until(() => allOf(each.jobs.abandoned())),
        until(() => each.sweep()),
      ]),
      until(async () => {
        const [caller] = callers;
        const who = caller && (await store.erasures.begin(personKey(caller)));
        for (let count = 0; count < 5 && who; count += 1) await store.erasures.more(who, 10);
      }),
    ];

    for (let round = 0; round < 5; round += 1) {
      const dying = await place.another([], `dead ${round}`);
      const all = Array.from({ length: 60 }, (_, index) => {
        const caller = callers[index % callers.length] ?? expect.fail();
        return sampleJob({ caller, ...(index % 5 === 0 ? { state: 'running' } : {}) });
      });
      const accepted = insert(dying, ...all);
      for (let count = 0; count < 10; count += 1) await dying.jobs.take(limits);
      await accepted;
      for (const job of all.slice(0, 20))
        await store.jobs.save(job, jobWith({ ...job, state: 'cancelled', charge: 'returned' }));
    }
    isOver = true;
    await Promise.all(work);
    const counts = 'SELECT deadlocks, numbackends FROM pg_stat_database WHERE datname = current_database()';
    const count = async () => (await place.sql(counts))[0];
    await place.close();
    // Each backend of PostgreSQL tells its deadlocks when it ends.
    await eventually(async () => (await count())?.numbackends === 1);

    expect(await count()).toMatchObject({ deadlocks: '0' });
  });
});
