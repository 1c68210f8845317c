// @module-tag slow
/** Messages to the owner about a database that cannot be used, and the behaviour when it goes away for a moment. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examinePostgres } from '../../../src/owner/doctor/examine-postgres.ts';
import { StoreError } from '../../../src/store/records/store-error.ts';
import { openStoreToRead } from '../../../src/store/store.ts';
import { openStoreAt } from '../../fakes/open-store-at.ts';
import { startPgBouncer } from '../../fakes/pgbouncer.ts';
import { createTestDatabase, type TestDatabase } from '../../fakes/postgres.ts';
import { refusingServer } from '../../fakes/postgres-cluster.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { insert, orderOf } from './suite/driver.ts';

const PASSWORD = 'correct-horse';

const open = (url: string, ...keys: Uint8Array[]) => openStoreAt(url, keys);
const failure = async (url: string): Promise<string> => {
  const opened = await open(url).catch((error: unknown) => error);
  expect(opened).toBeInstanceOf(StoreError);
  const read = await openStoreToRead(url, []).catch((error: unknown) => error);
  expect(String(opened)).not.toContain(PASSWORD);
  expect(String(read)).not.toContain(PASSWORD);
  return String(opened);
};

it.each([
  { code: '28P01', words: 'the password is wrong, or there is no such user' },
  { code: '53300', words: 'it has no connection left. Raise max_connections' },
  { code: '57P03', words: 'it is starting up or shutting down' },
])('a server that refuses with $code is explained', async ({ code, words }) => {
  const { close, port } = await refusingServer(code, `refused for ${PASSWORD}`);
  const told = await failure(`postgres://ann:${PASSWORD}@127.0.0.1:${port}/darkroom`);

  expect(told).toContain(
    `The store postgres://ann@127.0.0.1:${port}/darkroom cannot be opened (STORE_URL): ${words}`,
  );

  close();
});

it('a server that is not there is explained', async () => {
  expect(await failure(`postgres://ann:${PASSWORD}@127.0.0.1:1/darkroom`)).toContain('nothing listens there');
  expect(await failure(`postgres://ann:${PASSWORD}@nowhere.invalid/darkroom`)).toMatch(
    /no machine of this name|could not be looked up/,
  );
});

it('the password in the address of a database is among the secrets that no log shows', () => {
  const config = readConfig({
    STORE_URL: 'postgresql://ann:correct%2Dhorse@db/darkroom?schema=own',
    PLAYGROUND: 'off',
    GENERATION_URL: 'http://127.0.0.1:1',
    GENERATION_API_KEY: 'the-key',
  });
  expect(config.store.url).toMatch(/^postgres:/);
  expect(config.secrets).toEqual(expect.arrayContaining([PASSWORD, 'correct%2Dhorse']));
});

describe('a database', { tags: ['postgres'] }, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('a database takes another key only while no other process uses it', async () => {
    await using own = await createTestDatabase();
    const old = Buffer.alloc(32, 1);
    const fresh = Buffer.alloc(32, 2);
    const words = /STORE_KEY has changed, and other processes still run/;
    const plain = await open(own.url);

    await expect(open(own.url, old)).rejects.toThrow(words);

    await plain.close();
    const first = await open(own.url, old);
    const second = await open(own.url, old);

    await expect(open(own.url, fresh, old)).rejects.toThrow(words);

    await first.close();
    await expect(open(own.url, fresh, old)).rejects.toThrow(words);

    await second.close();
    for (const changed of [await open(own.url, fresh, old), await open(own.url, fresh, old)])
      await changed.close();
  });

  it('a database that this user may not write to is explained', async () => {
    const role = `reader_${Date.now()}`;
    await database.query(`CREATE ROLE ${role} LOGIN`);
    await database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    const url = new URL(database.url);
    url.username = role;

    expect(await failure(url.href)).toMatch(/this user may not|no schema that tables can be made in/);
    expect(await failure(`${url.href}?schema=own`)).toContain('this user may not');

    await database.query(`DROP ROLE ${role}`);
  });

  it('a database of another program is not touched', async () => {
    await database.query('CREATE SCHEMA other; CREATE TABLE other.jobs (name text)');
    expect(await failure(`${database.url}?schema=other`)).toContain('tables of another program');

    const tables = await database.query("SELECT tablename FROM pg_tables WHERE schemaname = 'other'");
    expect(tables).toEqual([{ tablename: 'jobs' }]);
  });

  it('a database of a newer version is refused', async () => {
    const url = `${database.url}?schema=newer`;
    await (await open(url)).close();
    await database.query('INSERT INTO newer.migrations (version) VALUES (999)');

    expect(await failure(url)).toContain('newer version of Darkroom (schema 999)');
  });

  it('a database is migrated once when ten processes start at the same time', async () => {
    const url = `${database.url}?schema=ten`;
    const opened = await Promise.all(Array.from({ length: 10 }, () => open(url)));

    expect(await database.query('SELECT version FROM ten.migrations')).toHaveLength(1);
    expect(new Set(opened.map(({ members }) => members.id())).size).toBe(10);

    await Promise.all(opened.map(({ close }) => close()));
  });

  it('a database whose settings are unusual is used as any other', async () => {
    await using own = await createTestDatabase();
    const name = new URL(own.url).pathname.slice(1);
    const settings = {
      default_transaction_isolation: 'repeatable read',
      lock_timeout: '1ms',
      DateStyle: 'German',
      search_path: 'My Store',
    };

    await own.query('CREATE SCHEMA "My Store"');
    for (const [setting, value] of Object.entries(settings))
      await own.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
    const opened = await Promise.all(Array.from({ length: 4 }, () => open(own.url)));
    const limits = { userConcurrentJobs: 99, userWaitingJobs: 99, userJobsPerMinute: 99 };
    const order = { limits: { ...limits, serviceDailyCredits: 20 } };
    const { caller } = sampleJob();
    const accepted = await Promise.allSettled(
      Array.from({ length: 48 }, async (_, index) => {
        const job = sampleJob({ state: 'opening', caller: { ...caller, id: String(index) } });
        return opened[index % 4]?.store.jobs.accept(orderOf(job, order));
      }),
    );
    const refused = accepted.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));

    expect(refused).toHaveLength(38);
    for (const error of refused)
      expect(error).toMatchObject({ reason: { code: 'ceiling', of: 'service', left: 0 } });
    for (const { members } of opened) expect(await members.list()).toHaveLength(4);

    await Promise.all(opened.map(({ close }) => close()));
    const read = await openStoreToRead(own.url, []);

    expect(read.encrypts).toBe(false);

    await read.close();
    expect(await examinePostgres(own.url)).toMatchObject({ schema: '"My Store"', hasTables: true });
  });

  it('a database that cuts its connections is connected to again', async () => {
    const url = `${database.url}?schema=cut`;
    const { store, close } = await open(url);

    await insert(store, sampleJob());
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'darkroom' AND datname = current_database()`;
    const writes = Array.from({ length: 20 }, () => sampleJob());
    const [, ...results] = await Promise.allSettled([
      database.query(cut),
      ...writes.map((job) => insert(store, job)),
    ]);
    // A refused write was done or was not: the same order tells which, and makes no second job.
    for (const [index, job] of writes.entries()) {
      const result = results[index];
      if (result?.status !== 'rejected') continue;
      expect(store.isConnectionLoss(result.reason)).toBe(true);
      await insert(store, job);
    }

    for (const job of writes) expect(await store.jobs.get(job.id)).toEqual(job);

    await store.tryToWrite();
    await close();
  });

  it.each(['transaction', 'statement'] as const)(
    'a database behind a PgBouncer that shares sessions (%s) is refused, and nothing is written',
    { tags: ['pgbouncer'] },
    async (mode) => {
      const pooler = await startPgBouncer(database.url, mode);
      for (const options of ['', `?schema=shared_${mode}`]) {
        const words = await open(`${pooler.through(database.url)}${options}`).catch(String);
        expect(words).toMatch(/connection pooler that shares sessions.*set pool_mode = session/);
      }
      const schemas = await database.query("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'shared_%'");

      expect(schemas).toEqual([]);

      await pooler.stop();
    },
  );

  it('a database behind a PgBouncer with sessions of its own is used, in its schema', {
    tags: ['pgbouncer'],
  }, async () => {
    const pooler = await startPgBouncer(database.url, 'session');
    const url = pooler.through(`${database.url}?schema=pooled`);
    const one = await open(url);
    const other = await open(url);
    const job = sampleJob();

    await insert(one.store, job);

    expect(await other.store.jobs.get(job.id)).toEqual(job);
    expect(await database.query('SELECT count(*)::int AS count FROM pooled.jobs')).toEqual([{ count: 1 }]);
    await expect(open(`${url}&options=-c%20work_mem%3D1MB`)).rejects.toThrow(
      'the connection pooler refuses an option of STORE_URL',
    );

    await one.close();
    await other.close();
    await pooler.stop();
  });
});
