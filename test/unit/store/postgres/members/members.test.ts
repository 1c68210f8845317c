// @module-tag slow
// @module-tag longest
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { untilAborted } from '../../../../../src/base/clock.ts';
import type { WorkUnderLock } from '../../../../../src/base/members/members.ts';
import { createLog } from '../../../../../src/log/log.ts';
import { databaseAddressOf } from '../../../../../src/store/postgres/database/address.ts';
import { openDatabase } from '../../../../../src/store/postgres/database/database.ts';
import { memberTables } from '../../../../../src/store/postgres/database/schema.ts';
import { isDead } from '../../../../../src/store/postgres/members/lock-keys.ts';
import { joinMembers, type PostgresMembers } from '../../../../../src/store/postgres/members/members.ts';
import { createProxy } from '../../../../e2e/faults/scale/proxy.ts';
import { eventually } from '../../../../eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../../../fakes/postgres.ts';

const program = new URL('./member.ts', import.meta.url).pathname;
const log = createLog({ level: 'silent', secrets: [] });
const never = new AbortController().signal;

/** The processes that joined in this test. They leave after it, because those of a test that failed would be counted in the next. */
const joined = new Set<PostgresMembers>();

const join = async (url: string, schema = 'public'): Promise<PostgresMembers> => {
  const members = await joinMembers({
    config: { connectionString: url, options: `-c search_path=${schema}` },
    setUp: '',
    version: '2',
    replaced: () => undefined,
    restored: null,
    log,
  });
  members.reportLoad(() => ({ steps: 0 }));
  joined.add(members);
  return members;
};

const tables = `${memberTables} CREATE TABLE meta (name text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE jobs (member text, finished_at bigint, held text);`;

/** A lock that was granted: `ended` is the signal that the work under it gets, `done` its end. */
const take = async (members: PostgresMembers, name: string, until = never) => {
  const granted = Promise.withResolvers<AbortSignal>();
  const done = members.hold(
    name,
    async (ended) => {
      granted.resolve(ended);
      if (!ended.aborted) await once(ended, 'abort');
    },
    until,
  );
  return { ended: await granted.promise, done };
};

/** Resolves when a lock that outlives a session was granted. */
const keep = (members: PostgresMembers, name: string) => {
  const granted = Promise.withResolvers<{ readonly ended: AbortSignal; readonly isHeld: () => boolean }>();
  const begin: WorkUnderLock = async (ended, isHeld) => {
    granted.resolve({ ended, isHeld });
    await untilAborted(ended);
  };
  void members.keep(name, begin, never);
  return granted.promise;
};

/** A process of its own that wants a lock (`member.ts`). */
const startMember = (url: string, lock: string) => {
  const child = spawn(process.execPath, [program, url, lock], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  const ids = (): string[] => [...printed.matchAll(/joined (\d+)/g)].map(([, id]) => id ?? '');
  return {
    child,
    ids,
    printed: () => printed,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};

/** A network connection to the database that a test can cut and heal. */
const createNetwork = async (target: string) => {
  const url = new URL(target);
  const port = Number(url.port);
  const network = await createProxy(() => port);
  Object.assign(url, { hostname: '127.0.0.1', port: network.port });
  return { ...network, url: url.href, [Symbol.asyncDispose]: network.close };
};

describe('processes on one database', { tags: ['postgres'] }, () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(tables);
    await database.query('CREATE TABLE acts (seq serial, member text)');
  });

  afterAll(() => database?.[Symbol.asyncDispose]());

  afterEach(async () => {
    await Promise.all([...joined].map((members) => members.close()));
    joined.clear();
  });

  const actsOf = async (id: string) =>
    (await database.query('SELECT FROM acts WHERE member = $1', [id])).length;

  const isDeadMember = async (id: string): Promise<unknown> =>
    (await database.query(`SELECT ${isDead('$1')} AS dead`, [id]))[0]?.dead;

  it('each process knows which processes are alive', async () => {
    const first = await join(database.url);
    const second = await join(database.url);
    expect(second.id()).not.toBe(first.id());

    await eventually(() => first.count() === 2 && second.count() === 2);
    await eventually(async () => {
      const [latest, ...others] = await first.list();
      const isSecond = latest?.id === second.id() && latest.process === second.process;
      return isSecond && latest.load.steps === 0 && others.every((each) => each.isAlive);
    });
    expect(await isDeadMember(first.id())).toBe(false);

    await second.close();
    await eventually(() => first.count() === 1);
    expect(await isDeadMember(second.id())).toBe(true);
  });

  it('a lock is granted to one holder at a time, within one process too', async () => {
    const first = await join(database.url);
    const second = await join(database.url);
    const release = new AbortController();

    const held = await take(first, 'telegram', release.signal);
    const others = [take(first, 'telegram'), take(second, 'telegram')];
    let isGranted = false;
    for (const other of others)
      void other.then(() => {
        isGranted = true;
      });
    // Another name is another lock. Once it is granted, the others had the time to ask for theirs.
    await take(second, 'discord 0');
    await eventually(async () => (await first.list()).some(({ holds }) => holds.includes('discord 0')));

    expect(isGranted).toBe(false);

    release.abort();
    await held.done;
    await eventually(() => isGranted);
  });

  it('a lock is released when its work is done, and a failure of the work is passed on', async () => {
    const first = await join(database.url);
    const second = await join(database.url);

    await first.hold('sweep', async () => undefined, never);
    await second.hold('sweep', async () => undefined, never);
    const failing = first.hold('sweep', () => Promise.reject(new Error('no disk')), never);

    await expect(failing).rejects.toThrow('no disk');

    await second.hold('sweep', async () => undefined, never);
  });

  it('a process that takes another id keeps its locks', async () => {
    const members = await join(database.url);
    const before = members.id();

    const { ended } = await take(members, 'renewed');
    await members.renew();

    expect(members.id()).not.toBe(before);

    await eventually(async () => (await isDeadMember(before)) === true);
    expect(await isDeadMember(members.id())).toBe(false);
    expect(ended.aborted).toBe(false);
  });

  it('a process whose session the server ended joins again under another id', async () => {
    const members = await join(database.url);
    const before = members.id();
    const happened: string[] = [];

    members.watch({ lost: () => happened.push('lost'), joined: () => happened.push('joined') });
    const { ended } = await take(members, 'poller');
    const kept = await keep(members, 'shard');
    const many =
      "(name, version, started_at, process) SELECT 'n', 'v', now(), 'p' FROM generate_series(1, 150)";
    await database.query(`INSERT INTO members ${many}`);
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'darkroom session' AND datname = current_database()",
    );
    await eventually(() => ended.aborted);
    await eventually(() => happened.length === 2 && members.isAlive());

    expect(happened).toEqual(['lost', 'joined']);
    expect(members.id()).not.toBe(before);

    const old = "SELECT 1 FROM members WHERE process = 'p'";
    await eventually(async () => (await database.query(old)).length < 100);
    await eventually(kept.isHeld);
    await eventually(async () => (await members.list()).some(({ holds }) => holds.includes('shard')));

    expect(kept.ended.aborted).toBe(false);
  });

  it('another process takes the lock of a frozen one, which does nothing more when it wakes up', async () => {
    await using frozen = startMember(database.url, 'frozen');

    const id = await eventually(() => frozen.ids()[0]);
    await eventually(async () => (await actsOf(id)) > 0);
    const members = await join(database.url);
    frozen.child.kill('SIGSTOP');
    const release = new AbortController();
    const { done } = await take(members, 'frozen', release.signal);
    const before = await actsOf(id);
    frozen.child.kill('SIGCONT');
    const next = await eventually(() => frozen.ids()[1]);

    expect(frozen.printed()).toContain('lost');

    release.abort();
    await done;
    // The process that was frozen has the lock again, so everything that it did meanwhile is in the table.
    await eventually(async () => (await actsOf(next)) > 0);
    expect(await actsOf(id)).toBe(before);
  });

  it('both sides notice when the network carries nothing any more', async () => {
    await using network = await createNetwork(database.url);
    const cut = await join(network.url);
    const other = await join(database.url);
    const before = cut.id();

    const { ended } = await take(cut, 'cut');
    const kept = await keep(cut, 'shard');
    network.halfOpen();
    const taken = take(other, 'cut').then(() => ended.aborted);
    await eventually(() => !cut.isAlive());

    // The process that is cut off knew it before the other had the lock.
    expect(await taken).toBe(true);

    const theirs = await keep(other, 'shard');
    // Only the database could tell the process that is cut off that another has the lock.
    expect(kept.ended.aborted).toBe(false);
    expect(kept.isHeld()).toBe(false);

    network.heal();
    await eventually(() => cut.isAlive() && cut.id() !== before);
    await eventually(() => kept.ended.aborted);
    expect(theirs.isHeld()).toBe(true);
  });

  it('a process keeps a lock that the server still holds for its former session', async () => {
    await using network = await createNetwork(database.url);
    const members = await join(network.url);

    const kept = await keep(members, 'former');
    network.halfOpen();
    await eventually(() => !members.isAlive());
    network.heal();
    await eventually(kept.isHeld);

    expect(kept.ended.aborted).toBe(false);
  });

  it('a transaction waits only a while for the rows that a frozen process has locked', async () => {
    const frozen = openDatabase(databaseAddressOf(database.url));
    const wakesUp = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();

    const transaction = frozen.transaction(async (query) => {
      await query("INSERT INTO acts (member) VALUES ('frozen')");
      await query('LOCK TABLE acts');
      locked.resolve();
      await wakesUp.promise;
    });
    await locked.promise;
    await database.query("INSERT INTO acts (member) VALUES ('other')");
    wakesUp.resolve();

    await expect(transaction).rejects.toThrow();

    await frozen.close();
  });

  it('two schemas of one database are kept apart', async () => {
    await database.query(
      `DROP SCHEMA IF EXISTS another CASCADE; CREATE SCHEMA another; SET search_path = another; ${tables} SET search_path = public`,
    );
    const there = await join(database.url, 'another');
    const here = await join(database.url);
    await Promise.all([take(here, 'same name'), take(there, 'same name')]);
    // The server may still count sessions that have just been closed.
    await eventually(() => here.count() === 1);

    expect(there.count()).toBe(1);
  });
});
