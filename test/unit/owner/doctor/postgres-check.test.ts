// @module-tag slow
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../../../src/adapters/connection.ts';
import type { Config } from '../../../../src/config/config.ts';
import { checkStore } from '../../../../src/owner/doctor/store-check.ts';
import { openStoreAt } from '../../../fakes/open-store-at.ts';
import { startPgBouncer } from '../../../fakes/pgbouncer.ts';
import { type PostgresCluster, startPostgresCluster } from '../../../fakes/postgres-cluster.ts';

/** A server that is set up wrongly in most ways. */
const WRONG = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'local', max_connections: 25 };

const HBA = `host all guarded all scram-sha-256
hostnossl all encrypted all reject
host all all all trust
`;

const KEY = Buffer.alloc(32, 7);

let cluster: PostgresCluster;
let folder: string;

/** The findings that `npm run doctor` would print. */
const check = async (url: string, keys: readonly Buffer[] = []): Promise<readonly Finding[]> =>
  checkStore({ store: { url, keys } } as unknown as Config);

const wrongOf = async (url: string, keys: readonly Buffer[] = []): Promise<string> =>
  (await check(url, keys))
    .filter(({ ok }) => !ok)
    .map(({ name, detail, cure }) => `${name}: ${detail}\n${cure}`)
    .join('\n');

const tells = async (url: string, words: RegExp, keys?: readonly Buffer[]) =>
  expect(await wrongOf(url, keys)).toMatch(words);

const as = (user: string, database = 'postgres', more = ''): string =>
  `postgres://${user}@127.0.0.1:${cluster.port}/${database}${more}`;

const sql = async (text: string, url = cluster.url): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
};

describe('the doctor with a database', { tags: ['postgres-programs'] }, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'darkroom-hba-'));
    const hba = join(folder, 'pg_hba.conf');
    writeFileSync(hba, HBA, { mode: 0o644 });
    chmodSync(folder, 0o755);
    cluster = await startPostgresCluster({ settings: { ...WRONG, hba_file: hba } });
    await sql(`CREATE ROLE plain LOGIN; CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE encrypted LOGIN;
      CREATE ROLE few LOGIN CONNECTION LIMIT 5; CREATE ROLE reader LOGIN;
      ALTER ROLE reader SET default_transaction_read_only = on; GRANT CREATE ON DATABASE postgres TO plain;
      GRANT CREATE ON SCHEMA public TO few`);
    for (const name of ['small', 'good', 'sealed']) await sql(`CREATE DATABASE ${name}`);
    await sql('ALTER DATABASE small CONNECTION LIMIT 10');
  });

  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  afterEach(() => vi.restoreAllMocks());

  it('the doctor names the settings of a database that lose data', async () => {
    const wrong = await wrongOf(cluster.url);
    expect(wrong).toMatch(/fsync is off.*full_page_writes is off/);
    expect(wrong).toMatch(
      /ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf\(\); ALTER SYSTEM SET full_page_writes = on/,
    );
  });

  it('the doctor says when a database has too few connections', async () => {
    const found = (await check(cluster.url)).find(({ name }) => name === 'Store connections');
    expect(found).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^enough for 2 processes of 11 /),
    });

    await tells(as('few'), /few may have 5 connections.*\nALTER ROLE few CONNECTION LIMIT -1;/);
    await tells(
      as('darkroom', 'small'),
      /the database may have 10 connections.*\nALTER DATABASE small CONNECTION LIMIT -1;/,
    );
    const others = Array.from({ length: 12 }, () => new Client({ connectionString: cluster.url }));
    await Promise.all(others.map((client) => client.connect()));
    await tells(
      cluster.url,
      /max_connections is 25, of which 3 are reserved and 12 used by others: too few for one process, which needs 11\nALTER SYSTEM SET max_connections = 26/,
    );
    await Promise.all(others.map((client) => client.end()));
  });

  it('the doctor names who may not log in to a database, and where there is none', async () => {
    await tells(as('guarded'), /asks for a password, and STORE_URL has none/);
    await tells(as('encrypted'), /not without encryption.*sslmode=require/);
    await tells(as('plain', 'nowhere'), /there is no such database/);
    await tells(as('plain', 'postgres', '?sslmode=require'), /takes no encrypted connections/);
  });

  it('the doctor names the rights that are missing in a database', async () => {
    await tells(
      as('plain'),
      /plain may not create tables in the schema public\nGRANT USAGE, CREATE ON SCHEMA public TO plain;/,
    );
    const withSchema = await check(as('plain', 'postgres', '?schema=its_own'));
    expect(withSchema.find(({ name }) => name === 'Store rights')).toMatchObject({ ok: true });

    await tells(as('few', 'good', '?schema=its_own'), /the schema does not exist, and few may not create it/);
    await (await openStoreAt(as('darkroom', 'good'))).close();
    const wrong = await wrongOf(as('plain', 'good'));
    expect(wrong).toMatch(/plain may not read and write .*jobs/);
    expect(wrong).toMatch(/tables belong to another user/);
  });

  it('the doctor says that a database is read-only', async () => {
    await tells(as('reader'), /transactions are read-only\nReset it: ALTER ROLE reader RESET/);
  });

  it('the doctor says that a key does not fit the database', async () => {
    await (await openStoreAt(as('darkroom', 'sealed'), [KEY])).close();
    await tells(as('darkroom', 'sealed'), /STORE_KEY is not the key/, [Buffer.alloc(32, 8)]);
    expect((await check(as('darkroom', 'sealed'), [KEY]))[0]).toMatchObject({
      ok: true,
      detail: 'reachable, encrypted',
    });
  });

  it('the doctor counts the processes that use a database, and changes nothing', async () => {
    const { close } = await openStoreAt(as('darkroom', 'good'));
    const found = (await check(as('darkroom', 'good'))).find(({ name }) => name === 'Store connections');
    expect(found?.detail).toMatch(/1 is running$/);

    await close();
  });

  it('the doctor says when the clocks of machine and database differ', async () => {
    const { now } = Date;

    vi.spyOn(Date, 'now').mockImplementation(() => now() - 60_000);
    await tells(cluster.url, /the server's clock is 60 seconds ahead of this machine's\n.*NTP/);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
    await tells(cluster.url, /the server's clock is 60 seconds behind/);
  });

  it('the doctor tells a pooler that shares sessions from one that does not', {
    tags: ['pgbouncer'],
  }, async () => {
    const pooler = await startPgBouncer(cluster.url, 'transaction');

    await tells(pooler.through(cluster.url), /a connection pooler shares sessions.*\n.*pool_mode = session/);
    await pooler.stop();
    const fine = await startPgBouncer(cluster.url, 'session');
    const found = (await check(fine.through(cluster.url))).find(({ name }) => name === 'Store server');

    expect(found).toMatchObject({ ok: true, detail: expect.stringMatching(/through a connection pooler/) });

    await fine.stop();
  });

  it('the doctor says that a database is a standby', async () => {
    await cluster.crash(true);
    await tells(cluster.url, /is a standby\nSet STORE_URL to the primary server\./);
  });
});
