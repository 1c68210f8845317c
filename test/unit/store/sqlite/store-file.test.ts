import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { personKey } from '../../../../src/command/place.ts';
import { StoreDamagedError, StoreGoneError } from '../../../../src/store/records/store-error.ts';
import { openDatabase } from '../../../../src/store/sqlite/file/database.ts';
import { acquireLock, realFile } from '../../../../src/store/sqlite/file/store-file.ts';
import {
  findDamage,
  openSqliteStore,
  openStoreToRead,
  type SqliteStore,
} from '../../../../src/store/sqlite/store.ts';
import { allOf } from '../../../all-of.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

let folder: string;
let path: string;
let stores: SqliteStore[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'darkroom-file-')));
  path = join(folder, 'real', 'darkroom.sqlite');
  mkdirSync(join(folder, 'real'));
  stores = [];
});

afterEach(() => {
  for (const store of stores) store.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = async (where = path): Promise<SqliteStore> => {
  const store = await openSqliteStore({ path: where, keys: [], alone: true });
  stores.push(store);
  return store;
};

const accept = async (store: SqliteStore): Promise<void> => {
  await insert(store, sampleJob());
  await store.jobs.onDisk();
};

const STORE = 'real/darkroom.sqlite';

/** Makes a link in the folder of the test, which leads to another name there. */
const makeLink = (name: string, target: string): void =>
  symlinkSync(join(folder, target), join(folder, name));

describe('a path', () => {
  it.each([
    {
      title: 'a link to a link, one of them relative,',
      make: () => {
        symlinkSync(STORE, join(folder, 'first'));
        makeLink('second', 'first');
      },
      spelled: () => `${folder}/second`,
    },
    {
      title: 'a link to the folder',
      make: () => makeLink('data', 'real'),
      spelled: () => `${folder}/data/darkroom.sqlite`,
    },
    { title: 'a relative path', make: () => undefined, spelled: () => relative(process.cwd(), path) },
    { title: 'a detour', make: () => undefined, spelled: () => `${folder}/real/../real/./darkroom.sqlite` },
  ])('$title leads to the same store, and the store’s jobs are synced to disk', async ({ make, spelled }) => {
    make();

    // The first start creates the file.
    const store = await open(spelled());
    await accept(store);

    expect(realFile(spelled())).toBe(path);
    expect(acquireLock(`${path}-lock`, 0)).toBeUndefined();

    store.close();
    const again = await open(path);
    // A job that is accepted after the start is not abandoned.
    await accept(again);
    expect(await allOf(again.jobs.abandoned())).toHaveLength(1);

    again.close();
    expect(readdirSync(join(folder, 'real')).sort()).toEqual(['darkroom.sqlite', 'darkroom.sqlite-lock']);
  });

  it.each([
    {
      title: 'is a link to a missing disk',
      make: () => makeLink(STORE, 'mnt/disk/x'),
      name: STORE,
      words: /a link to a folder .* exist: .*disk/,
    },
    {
      title: 'leads through a link to a missing disk',
      make: () => makeLink('data', 'mnt/disk'),
      name: 'data/x',
      words: /through a link to a folder/,
    },
    {
      title: 'has a link loop',
      make: () => {
        makeLink(STORE, 'ring');
        makeLink('ring', STORE);
      },
      name: STORE,
      words: /loop/,
    },
    {
      title: 'is a folder',
      make: () => mkdirSync(join(folder, STORE)),
      name: STORE,
      words: /it is a folder or a device, not a file/,
    },
    {
      title: 'leads through a file',
      make: () => writeFileSync(join(folder, STORE), ''),
      name: `${STORE}/data/x`,
      words: /through a file where a folder should be/,
    },
    {
      title: 'has a name that is too long',
      make: () => undefined,
      name: 'n'.repeat(300),
      words: /its path is too long/,
    },
    {
      title: 'is too long',
      make: () => undefined,
      name: `${'folder/'.repeat(600)}x`,
      words: /its path is too long\. Set STORE_URL/,
    },
  ])('a path that $title is refused, and nothing is created', async ({ make, name, words }) => {
    make();
    const names = () =>
      readdirSync(folder, { recursive: true }).filter((each) => !/-lock$/.test(String(each)));

    const before = names();

    const opening = open(join(folder, name));

    await expect(opening).rejects.toThrow(words);
    await expect(opening).rejects.toThrow('STORE_URL');
    expect(names()).toEqual(before);
  });

  it('a path to a folder is not opened to be read either', async () => {
    const read = openStoreToRead(folder, []);
    await expect(read).rejects.toThrow(/it is a folder or a device, not a file/);
  });

  it('a file with a second name is refused, because SQLite would keep a log for each name', async () => {
    (await open()).close();
    linkSync(path, join(folder, 'second.sqlite'));
    await expect(open()).rejects.toThrow(/second name \(a hard link\)/);
  });
});

it('a committed write does not fail because another file cannot be looked at', async () => {
  const loop = join(folder, 'loop');

  symlinkSync(loop, loop);
  const database = openDatabase(path, [loop]);

  expect(await database.transaction(() => 'done')).toBe('done');

  database.close();
});

describe('the lock of a store', () => {
  it('the lock of a store has one writer at a time, lets tools read, and is released when the store is closed', async () => {
    const working = await open();
    expect(acquireLock(`${path}-lock`, 0)).toBeUndefined();

    (await openSqliteStore({ path, keys: [] })).close();
    working.close();
    expect(acquireLock(`${path}-lock`, 0)).toBeInstanceOf(Function);
  });

  it('the lock of a store is skipped where no file can be created, because the store reports the reason', () => {
    expect(acquireLock(join(folder, 'missing', 'lock'), 0)).toBeInstanceOf(Function);
  });
});

describe('a store in use', () => {
  const replace = (name: string): void => {
    writeFileSync(join(folder, 'copy'), readFileSync(name));
    renameSync(join(folder, 'copy'), name);
  };

  const gone = [
    { what: 'is removed', happen: () => rmSync(path) },
    { what: 'is replaced by a copy', happen: () => replace(path) },
    { what: 'loses its log', happen: () => rmSync(`${path}-wal`) },
    { what: 'gets another log', happen: () => replace(`${path}-wal`) },
    { what: 'loses its index of the log', happen: () => rmSync(`${path}-shm`) },
    { what: 'loses its lock', happen: () => rmSync(`${path}-lock`) },
    { what: 'moves with its folder', happen: () => renameSync(join(folder, 'real'), join(folder, 'moved')) },
  ];

  it.each(gone)('a store in use that $what accepts nothing more', async ({ happen }) => {
    const store = await open();

    await accept(store);
    await store.tryToReach();
    happen();

    await expect(store.tryToReach()).rejects.toThrow(StoreGoneError);
    await expect(store.tryToWrite()).rejects.toThrow(StoreGoneError);
    await expect(store.sweep()).rejects.toThrow(StoreGoneError);
    await expect(accept(store)).rejects.toThrow(/removed or replaced.*Put it back/);
    await expect(store.keyv('settings').set('key', 1)).rejects.toThrow(StoreGoneError);
    expect(await store.jobs.ofPerson(personKey(sampleJob().caller), 10)).toHaveLength(1);
  });

  it('a store that is removed during a sync rejects that sync', async () => {
    const store = await open();

    await insert(store, sampleJob());
    const promised = store.jobs.onDisk();
    rmSync(path);

    await expect(promised).rejects.toThrow(StoreGoneError);
  });

  it('a store syncs audit lines to disk, too', async () => {
    const store = await open();

    await store.jobs.onDisk();
    await store.audit.append({ at: 1, community: 'c', actor: 'a', action: 'alias.repoint', detail: {} });
    rmSync(`${path}-wal`);

    await expect(store.jobs.onDisk()).rejects.toThrow(StoreGoneError);
  });

  it('a store that is put back continues', async () => {
    const store = await open();
    renameSync(path, join(folder, 'away'));
    await expect(accept(store)).rejects.toThrow(StoreGoneError);

    renameSync(join(folder, 'away'), path);
    await accept(store);
    await store.tryToWrite();
  });
});

describe('damage', () => {
  const PAGE = 4096;

  const fill = async (): Promise<number> => {
    const store = await open();
    for (let count = 0; count < 300; count += 1) await insert(store, sampleJob());
    store.close();
    // A checkpoint that was under way still has the file open, and the log would hide what is overwritten.
    const sql = new DatabaseSync(path, { timeout: 60_000 });
    const copy = sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
    while (copy.get()?.busy !== 0);
    sql.close();
    return statSync(path).size / PAGE;
  };

  const overwrite = (page: number): void => {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(PAGE, 0x5a), 0, PAGE, page * PAGE);
  };

  /** Overwrites ten pages, because a page that is free is read by nobody. */
  const overwriteSome = async (): Promise<void> => {
    const pages = await fill();
    const middle = Math.floor(pages / 2);
    for (let page = middle; page < middle + 10; page += 1) overwrite(page);
  };

  it('damage of an inner page is found, and nothing more is written', async () => {
    await overwriteSome();
    const store = await open();

    const verifying = store.verify();

    await expect(verifying).rejects.toThrow(StoreDamagedError);
    // The message is one line.
    await expect(verifying).rejects.toThrow(
      /^.*darkroom\.sqlite is damaged \(STORE_URL\): .*Restore a backup.*$/,
    );
    await expect(store.tryToWrite()).rejects.toThrow(StoreDamagedError);
  });

  it('damage that a write finds stops all writes', async () => {
    const pages = await fill();
    const store = await open();
    for (let page = 1; page < pages; page += 1) overwrite(page);
    // Some pages are in SQLite's memory already, so not every insert fails.
    const insertMany = async () => {
      for (let count = 0; count < 100; count += 1) await insert(store, sampleJob());
    };

    await expect(insertMany()).rejects.toThrow(/malformed/);
    await expect(store.tryToWrite()).rejects.toThrow(StoreDamagedError);
    await expect(store.tryToWrite()).rejects.toThrow(/the file is damaged\. Restore a backup/);
  });

  it('no damage is reported for a good file, also while it is being written', async () => {
    await fill();
    const store = await open();
    const verified = store.verify();
    for (let count = 0; count < 50; count += 1) await accept(store);

    await expect(verified).resolves.toBeUndefined();
  });

  it('a file that is too large is not searched for damage', async () => {
    await overwriteSome();
    expect(await findDamage(path, PAGE)).toBeUndefined();
    expect(await findDamage(path)).toMatch(/page|malformed/i);
  });
});
