// @module-tag slow
// @module-tag longest
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SESSION_PREFIX } from '../../../../src/adapters/discord/gateway/shard-sessions.ts';
import { RESTORED_KEY } from '../../../../src/adapters/telegram/incoming/connection.ts';
import { backUp } from '../../../../src/owner/backup/back-up.ts';
import { moveStore } from '../../../../src/owner/move/move-store.ts';
import { restoreStore } from '../../../../src/owner/restore/restore-store.ts';
import { databaseAddressOf } from '../../../../src/store/postgres/database/address.ts';
import { MEMBER_LOCKS } from '../../../../src/store/postgres/members/lock-keys.ts';
import { StoreReplacedError, UncertainError } from '../../../../src/store/records/store-error.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { databaseForEach } from '../../../contract/store/suite/set-up.ts';
import { createProxy } from '../../../e2e/faults/scale/proxy.ts';
import { eventually } from '../../../eventually.ts';
import { startCuttingProxy } from '../../../fakes/cutting-proxy.ts';
import {
  contentOf,
  createFolder,
  damage,
  KEY,
  opened,
  PLAIN_AND_ENCRYPTED,
} from '../../../fakes/full-store.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { freePort } from '../../../free-port.ts';

const progress = (): void => undefined;
const { file, urlOf, fullStore } = createFolder();

const backUpTo = (name: string, url: string) => backUp({ url, file: file(name), version: '1.2.3', progress });

const restore = (name: string, url: string, keys: readonly Uint8Array[] = []) =>
  restoreStore({ file: file(name), url, keys, progress, certaintyMs: 1 });

const refused = (work: Promise<unknown>, words: RegExp) => expect(work).rejects.toThrow(words);

const cacheOf = async (url: string): Promise<string[]> =>
  ((await contentOf(url)).entries.cache ?? []).map(([key]) => key);

/** The names of all files in the folder, without locks and the notes about backups. */
const names = (): string[] =>
  readdirSync(file('.'))
    .filter((name) => !/-lock$|-backed-up$/.test(name))
    .toSorted();

const WAITED = ['opening', 'waiting', 'submitting'];
/** Jobs of the full store that were submitted, and those of them that the service has not finished. */
const FOLLOWED = 4;
const RUNNING = 3;

/** The content of a restored store, given the content at the time of the backup. */
function expectRestored(
  after: Awaited<ReturnType<typeof contentOf>>,
  before: Awaited<ReturnType<typeof contentOf>>,
): void {
  for (const part of ['entries', 'lines', 'erasing', 'encrypts'] as const)
    expect(after[part]).toEqual(before[part]);
  for (const [name, { job }] of Object.entries(before.jobs)) {
    const now = after.jobs[name]?.job;
    if (job === undefined || !WAITED.includes(job.state))
      expect(now).toEqual(job && { ...job, version: expect.any(Number) });
    // A job without a card whose person is being erased goes at once, so it may be missing.
    else if (now !== undefined || !job.forget)
      expect(now).toMatchObject({ state: 'uncertain', charge: 'spent', settled: true });
  }
  expect(after.counts).toEqual({ waiting: 0, running: RUNNING });
  expect(after.credits).toEqual(before.credits);
}

it.each(PLAIN_AND_ENCRYPTED)('a file that is $how and in use is backed up and restored', async ({ keys }) => {
  const url = fullStore('store', keys);

  const before = await contentOf(fullStore('as it was', keys), keys);
  const running = await opened(url, keys);
  await running.store.keyv('other').set('just before', 1);
  const note = await backUpTo('backup', url);
  await running.store.keyv('other').set('after', 1);
  await running.close();

  expect(note.version).toBe('1.2.3');
  expect(statSync(file('backup')).mode & 0o777).toBe(0o600);
  expect(statSync(file('backup')).nlink).toBe(1);
  expect(await restore('backup', url, keys)).toMatchObject({ note, followed: FOLLOWED });
  expect(statSync(file('store')).mode & 0o777).toBe(0o600);
  expectRestored(await contentOf(url, keys), before);

  const { store, close } = await opened(url, keys);
  const others = store.keyv('other');
  expect(await others.get('just before')).toBe(1);
  expect(await others.get('after')).toBeUndefined();

  await close();
  expect(names().filter((each) => each.includes('unfinished'))).toEqual([]);

  // The same file is restored once more, into a store that does not exist.
  await restore('backup', urlOf('another'), keys);
  expectRestored(await contentOf(urlOf('another'), keys), before);
});

it('a restore forgets sessions, registered commands and updates that were still to be handled', async () => {
  const url = urlOf('store');
  const running = await opened(url, [KEY]);
  const discord = running.store.keyv('adapter:discord');
  const telegram = running.store.keyv('adapter:telegram');

  await discord.set(`${SESSION_PREFIX}0`, 'x');
  await discord.set('commands:1', 'x');
  await discord.set('form:1', 'x');
  await telegram.set('telegram:kept', [{ update_id: 1 }]);
  await telegram.set('telegram:menu', 'x');
  await telegram.set('telegram:handled:1', [1]);
  const update = { id: 1, lane: 'a chat', person: 'telegram:1', body: { text: 'a secret' } };
  await running.store.inbox.put([update]);
  await running.store.inbox.claim(running.members.id(), 10);
  // Sessions of the console may have been ended since.
  const console = running.store.keyv('console');
  await console.set('secret', 'x');
  await console.set('sessions', 'x');
  await running.close();
  await backUpTo('backup', url);
  await restore('backup', url, [KEY]);
  const { store, members, close } = await opened(url, [KEY]);
  const keys: string[] = [];
  for (const namespace of ['adapter:discord', 'adapter:telegram', 'console'])
    for await (const [key] of store.keyv(namespace).iterator()) keys.push(key);
  // Its number alone is known.
  await store.inbox.freeDead(members.id());
  await store.inbox.put([update]);

  expect(await store.inbox.claim(members.id(), 10)).toEqual([]);

  await close();
  expect(keys.toSorted()).toEqual(['form:1', 'secret', 'telegram:handled:1', RESTORED_KEY]);
});

it('a restore ends jobs that waited, however many they are, and keeps all that was written', async () => {
  const many = 900;
  const jobs = Array.from({ length: many }, () => sampleJob());
  const store = await openSqliteStore({ path: file('store'), keys: [KEY] });

  await insert(store, ...jobs);
  store.close();
  await backUpTo('backup', urlOf('store'));

  expect(await restore('backup', urlOf('store'), [KEY])).toMatchObject({ uncertain: many, followed: 0 });

  const { store: restored, close } = await opened(urlOf('store'), [KEY]);
  const counts = await restored.jobs.counts();
  const job = await restored.jobs.get(jobs.at(-1)?.id ?? '');
  await close();

  expect(counts).toEqual({ waiting: 0, running: 0 });
  expect(job?.state).toBe('uncertain');
});

it('a Darkroom does not start on a backup, and leaves it as it is', async () => {
  await backUpTo('backup', fullStore('store'));
  const before = readFileSync(file('backup'));
  await refused(opened(urlOf('backup')), /is a backup.*npm run restore/);
  await refused(moveStore({ from: urlOf('backup'), to: urlOf('b'), keys: [], progress }), /is a backup/);
  await refused(backUpTo('second', urlOf('backup')), /is a backup already/);

  expect(readFileSync(file('backup')).equals(before)).toBe(true);
});

it('a backup never overwrites a file, and writes nothing where it cannot', async () => {
  const url = fullStore('store');

  writeFileSync(file('precious'), 'mine');
  await refused(backUpTo('precious', url), /precious exists already/);

  expect(readFileSync(file('precious'), 'utf8')).toBe('mine');

  await refused(backUpTo('store', url), /exists already/);
  symlinkSync(file('elsewhere'), file('link'));
  await refused(backUpTo('link', url), /link exists already/);
  for (const end of ['-wal', '-shm', '-journal', '-lock'])
    await refused(backUpTo(`store${end}`, url), /name that the store uses for its own files/);
  await refused(backUpTo('n'.repeat(300), url), /cannot be written: its name .* too long/);
  await refused(backUpTo('no/folder', url), /no\/folder cannot be written: there is no such/);
  await refused(backUpTo('precious/x', url), /leads through a file/);
  await refused(backUpTo('backup', urlOf('none')), /no store at .*none/);
  damage(file('store'), 'PRAGMA journal_mode = DELETE');
  const bytes = readFileSync(file('store'));
  bytes.fill(0xff, 4_096, 40_960);
  writeFileSync(file('store'), bytes);
  await refused(backUpTo('backup', url), /store cannot be copied .*damaged/);

  expect(names()).toEqual(['link', 'precious', 'store']);
});

it('a backup reports a write that was interrupted, and that the next start repairs it', async () => {
  const url = fullStore('store');
  using sql = new DatabaseSync(file('store'));

  sql.exec('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; DELETE FROM jobs');
  for (const end of ['', '-journal']) copyFileSync(file(`store${end}`), file(`killed${end}`));
  sql.exec('ROLLBACK');
  const words = /interrupted and left a journal .* next start of Darkroom repairs/;
  await refused(backUpTo('backup', urlOf('killed')), words);

  expect(await contentOf(urlOf('killed'))).toEqual(await contentOf(url));

  await backUpTo('backup', urlOf('killed'));
});

it('a backup says that the store is of a newer version', async () => {
  const url = fullStore('store');
  damage(file('store'), 'INSERT INTO migrations VALUES (999, 0)');
  await refused(backUpTo('backup', url), /store cannot be copied .*by a newer version/);
});

it('a store that was analyzed is backed up, and whatever does not belong into a store is named', async () => {
  const url = fullStore('store');

  damage(file('store'), 'ANALYZE');
  await backUpTo('backup', url);
  await restore('backup', url);
  damage(file('store'), 'CREATE INDEX mine ON jobs (state)');
  await refused(backUpTo('second', url), /store cannot be copied .* not Darkroom's: mine\./);
});

describe('a file that is no good backup', () => {
  /** Each way to spoil a backup: SQL, or a change of its file. */
  const cases: readonly { what: string; spoil: string | ((path: string) => void); words: RegExp }[] = [
    { what: 'is empty', spoil: (path) => writeFileSync(path, ''), words: /not a backup/ },
    {
      what: 'is of another kind',
      spoil: (path) => writeFileSync(path, 'x'.repeat(5_000)),
      words: /not a backup/,
    },
    {
      what: 'is cut short',
      spoil: (path) => truncateSync(path, statSync(path).size - 4_096),
      words: /damaged or not whole/,
    },
    {
      what: 'is cut in the middle',
      spoil: (path) => truncateSync(path, 100_000),
      words: /damaged or not whole/,
    },
    { what: 'lost a page', spoil: (path) => overwrite(path, 200_704), words: /damaged or not whole/ },
    {
      what: 'has a damaged index',
      spoil: (path) => changeIndex(path, 'jobs_open'),
      words: /damaged or not whole/,
    },
    { what: 'lost a record', spoil: 'DELETE FROM usage', words: /damaged or not whole/ },
    {
      what: 'has one changed value',
      spoil: 'UPDATE slots SET turn = turn + 1',
      words: /damaged or not whole/,
    },
    { what: 'is of a newer version', spoil: 'INSERT INTO migrations VALUES (999, 0)', words: /newer/ },
    {
      what: 'has a trigger',
      spoil: 'CREATE TRIGGER t AFTER INSERT ON jobs BEGIN DELETE FROM usage; END',
      words: /not a backup/,
    },
    {
      what: 'has a view',
      spoil: 'DROP TABLE removed; CREATE VIEW removed AS SELECT 1 AS origin, 2 AS at',
      words: /not a backup/,
    },
    {
      what: 'says nothing of itself',
      spoil: "DELETE FROM meta WHERE name = 'backup'",
      words: /not a backup/,
    },
    {
      what: 'says nonsense of itself',
      spoil: "UPDATE meta SET value = x'7b7d' WHERE name = 'backup'",
      words: /not a backup/,
    },
    {
      what: 'is a folder',
      spoil: (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      words: /is not a file/,
    },
    { what: 'does not exist', spoil: (path) => rmSync(path), words: /there is no such file/ },
  ];

  /** One letter of a key, so that the page itself is as it should be. */
  const changeIndex = (path: string, name: string): void => {
    using sql = new DatabaseSync(path, { readOnly: true });
    const { rootpage } = sql.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) ?? {};
    const bytes = readFileSync(path);
    const at = bytes.lastIndexOf('discord:', Number(rootpage) * 4_096 - 1);
    expect(at).toBeGreaterThan((Number(rootpage) - 1) * 4_096);
    bytes.write('x', at);
    writeFileSync(path, bytes);
  };

  const overwrite = (path: string, at: number): void => {
    const bytes = readFileSync(path);
    bytes.fill(0, at, at + 4_096);
    writeFileSync(path, bytes);
  };

  it.each(cases)(
    'a file that is no good backup is refused, and nothing is changed: $what',
    async ({ spoil, words }) => {
      await backUpTo('backup', fullStore('store'));
      const before = readFileSync(file('store'));
      if (typeof spoil === 'string') damage(file('backup'), spoil);
      else spoil(file('backup'));
      await refused(restore('backup', urlOf('store')), words);

      expect(readFileSync(file('store')).equals(before)).toBe(true);
      expect(names().filter((name) => name.includes('unfinished'))).toEqual([]);
    },
  );

  it('a backup with another key is refused', async () => {
    await backUpTo('backup', fullStore('store', [KEY]));
    await refused(restore('backup', urlOf('store')), /set STORE_KEY/);
    await refused(restore('backup', urlOf('store'), [Buffer.alloc(32, 8)]), /is not the key/);
    // A later key, with the old one beside it, is as good.
    await restore('backup', urlOf('store'), [Buffer.alloc(32, 8), KEY]);

    expect((await contentOf(urlOf('store'), [Buffer.alloc(32, 8), KEY])).lines.length).toBeGreaterThan(0);
  });
});

describe('the file that is replaced', () => {
  it('a store that a process works on is not replaced, while another store can be', async () => {
    const url = fullStore('store');

    await backUpTo('backup', url);
    const running = await opened(url);
    await running.store.keyv('cache').set('now', 1);
    await refused(restore('backup', url), /Darkroom works on this store .*Stop it, run the command again/);
    await restore('backup', urlOf('elsewhere'));

    expect(await running.store.keyv('cache').get('now')).toBe(1);

    await running.close();
  });

  it('a store that was written with another key can be replaced', async () => {
    await backUpTo('backup', fullStore('store', [KEY]));
    const former = await opened(urlOf('another'), [Buffer.alloc(32, 8)]);
    await former.close();

    await restore('backup', urlOf('another'), [KEY]);

    expect((await contentOf(urlOf('another'), [KEY])).entries.cache).not.toEqual([]);
  });

  it('a store that is being read is not replaced', async () => {
    const url = fullStore('store');

    await backUpTo('backup', url);
    damage(file('store'), 'PRAGMA journal_mode = WAL');
    using reader = new DatabaseSync(file('store'), { readOnly: true });
    reader.exec('BEGIN; SELECT * FROM meta');
    await refused(restore('backup', url), /Another program reads the store/);

    reader.exec('COMMIT');
    reader.close();
    expect(await restore('backup', url)).toMatchObject({ followed: FOLLOWED });
  });

  it('a store of a newer version with the log that a killed process left can be replaced', async () => {
    const url = fullStore('store');

    await backUpTo('backup', url);
    const running = await opened(url);
    await running.store.keyv('cache').set('later', 1);
    for (const end of ['', '-wal']) copyFileSync(file(`store${end}`), file(`killed${end}`));
    await running.close();
    damage(file('killed'), 'INSERT INTO migrations VALUES (999, 0)');
    await restore('backup', urlOf('killed'));

    expect(existsSync(file('killed-wal'))).toBe(false);
    expect(await cacheOf(urlOf('killed'))).not.toContain('later');
  });

  it.each(['-wal', '-journal'])(
    'of a replaced store of which only its %s is left, nothing is written into the new one',
    async (end) => {
      const url = fullStore('store');

      await backUpTo('backup', url);
      writeFileSync(file(`lost${end}`), 'x');
      await refused(restore('backup', urlOf('lost')), /no store at .*but the log of one\. Move/);

      expect(readFileSync(file(`lost${end}`), 'utf8')).toBe('x');

      rmSync(file(`lost${end}`));
      await restore('backup', urlOf('lost'));
    },
  );

  it('the store that is replaced must not be a backup, neither another one nor the one that is restored', async () => {
    await backUpTo('backup', fullStore('store'));
    await backUpTo('older', urlOf('store'));
    const before = readFileSync(file('older'));
    for (const name of ['backup', 'older'])
      await refused(restore(name, urlOf('older')), /older cannot be replaced .*it is a backup/);

    expect(readFileSync(file('older')).equals(before)).toBe(true);
  });

  it('the file that is replaced must be a store, and not be damaged', async () => {
    await backUpTo('backup', fullStore('store'));
    const sql = new DatabaseSync(file('foreign'));
    sql.exec('CREATE TABLE notes (x)');
    sql.close();
    await refused(restore('backup', urlOf('foreign')), /database of another program/);
    writeFileSync(file('text'), 'not a database, but mine'.repeat(100));
    await refused(restore('backup', urlOf('text')), /is damaged, and is not overwritten.*Move it/);

    expect(readFileSync(file('text'), 'utf8')).toMatch(/^not a database/);
  });
});

describe('a database', { tags: ['postgres'] }, () => {
  const database = databaseForEach();

  it.each(PLAIN_AND_ENCRYPTED)(
    'a database that is $how is backed up in use, and restored also as a file',
    async ({ keys }) => {
      const before = await contentOf(fullStore('as it was', keys), keys);
      await moveStore({ from: fullStore('store', keys), to: database.url, keys, progress });
      const running = await opened(database.url, keys);
      const inbox = { lane: 'a', person: undefined, body: {} };
      await running.store.inbox.put([{ id: 101, ...inbox }]);
      await backUpTo('backup', database.url);
      await running.store.keyv('cache').set('after', 1);
      await running.store.inbox.put([{ id: 102, ...inbox }]);
      await refused(restore('backup', database.url, keys), /Darkroom works on this store .*Stop it/);
      await running.close();

      for (const url of [database.url, urlOf('file'), `${database.url}?schema=another`]) {
        expect(await restore('backup', url, keys)).toMatchObject({ followed: FOLLOWED });
        expectRestored(await contentOf(url, keys), before);
      }
      expect(await database.query('SELECT DISTINCT body, lane FROM inbox')).toEqual([
        { body: null, lane: '' },
      ]);

      const late = await database.query('SELECT id FROM inbox WHERE id > 100 ORDER BY id');
      expect(late).toEqual([{ id: '101' }, { id: '102' }]);

      const [next] = await database.query("SELECT nextval('audit_seq') > max(seq) AS higher FROM audit");
      expect(next).toEqual({ higher: true });
      // Lines of the audit trail are still kept.
      await expect(database.query('TRUNCATE audit')).rejects.toThrow(/kept for ninety days/);
    },
  );

  it('a database that was written with another key can be replaced', async () => {
    await backUpTo('backup', fullStore('store', [KEY]));
    const former = await opened(database.url, [Buffer.alloc(32, 8)]);
    await former.close();

    await restore('backup', database.url, [KEY]);

    expect((await contentOf(database.url, [KEY])).entries.cache).not.toEqual([]);
  });

  it('a database takes nothing from a process that was cut off while it was replaced, and tells it', async () => {
    await moveStore({ from: fullStore('store'), to: database.url, keys: [], progress });
    await backUpTo('backup', database.url);
    const direct = new URL(database.url);
    const nowhere = await freePort();
    let target = Number(direct.port);
    const network = await createProxy(() => target);
    const through = new URL(database.url);
    through.port = String(network.port);
    const told = Promise.withResolvers<void>();
    const cutOff = await opened(through.href, [], told.resolve);
    const write = () => cutOff.store.keyv('cache').set('later', 1);
    await write();

    target = nowhere;
    network.cut();
    await eventually(async () => {
      const [row] = await database.query(`SELECT count(*)::int AS n FROM ${MEMBER_LOCKS}`);
      return row?.n === 0;
    }, 'its session ends');
    await restore('backup', database.url);
    target = Number(direct.port);

    await told.promise;

    await expect(write()).rejects.toThrow(StoreReplacedError);

    await cutOff.close();
    await network.close();
    expect(await cacheOf(database.url)).not.toContain('later');
  });

  it('a database that vanishes may have been replaced at the end of a restore, and is as before when it vanishes earlier', async () => {
    await backUpTo('backup', fullStore('store'));
    await restore('backup', database.url);
    const jobs = () => database.query('SELECT count(*)::int AS n FROM jobs');
    const before = await jobs();
    await database.query('DELETE FROM jobs');
    const through = async (word: string) => {
      const proxy = await startCuttingProxy(database.url, word);
      const error: unknown = await restore('backup', proxy.url).catch((thrown: unknown) => thrown);
      proxy.stop();
      return { error, shown: databaseAddressOf(proxy.url).shown };
    };

    const early = await through('TRUNCATE');

    expect(String(early.error)).toMatch(
      /^StoreError: The store .* cannot be replaced .*: the connection was cut/,
    );
    expect(await jobs()).toEqual([{ n: 0 }]);

    const late = await through('COMMIT');
    expect(late.error).toBeInstanceOf(UncertainError);
    expect(String(late.error)).toContain(`The connection to ${late.shown} (STORE_URL) was lost`);
    expect(await jobs()).toEqual(before);

    await refused(
      restore('backup', 'postgres://u:secret@127.0.0.1:1/d'),
      /postgres:\/\/u@127\.0\.0\.1:1\/d cannot be replaced .*nothing listens there/,
    );
  });

  it('a database is as before when something fails on the way of a restore', async () => {
    await backUpTo('backup', fullStore('store', [KEY]));
    await moveStore({ from: fullStore('other'), to: database.url, keys: [], progress });
    const before = await database.query('SELECT id, version FROM jobs ORDER BY id');
    await database.query(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.spent := NEW.spent + 1; RETURN NEW; END $$`);
    await database.query('CREATE TRIGGER spoil BEFORE INSERT ON usage FOR EACH ROW EXECUTE FUNCTION spoil()');
    await refused(restore('backup', database.url, [KEY]), /not the same/);

    expect(await database.query('SELECT id, version FROM jobs ORDER BY id')).toEqual(before);
    expect((await contentOf(database.url)).encrypts).toBe(false);

    await database.query('INSERT INTO migrations VALUES (999)');
    await refused(restore('backup', database.url, [KEY]), /newer version of Darkroom/);
  });
});
