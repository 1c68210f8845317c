import { readFileSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSeal } from '../../../../src/store/records/seal.ts';
import { driverOf } from '../../../../src/store/sqlite/driver.ts';
import { openDatabase } from '../../../../src/store/sqlite/file/database.ts';
import { openStoreToRead } from '../../../../src/store/sqlite/store.ts';
import { createReseal } from '../../../../src/store/tables/meta.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { holds } from '../../../eventually.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { createStoreFile, keyOf } from '../../../fakes/store-file.ts';

let file: ReturnType<typeof createStoreFile>;

beforeEach(() => {
  file = createStoreFile();
});

afterEach(() => file.remove());

const secrets = ['424242424242', 'Annabella', '777777777', '888888888', 'secret', 'interaction'];

async function fillWithSecrets(store: Awaited<ReturnType<typeof file.open>>): Promise<void> {
  await insert(store, sampleJob());
  const community = 'discord:777777777';
  const actor = 'discord:424242424242';
  const detail = { name: 'Annabella' };
  await store.audit.append({ at: 1, community, actor, action: 'job.accepted', detail });
}

describe('the file', () => {
  it('the file of a store is checkpointed in the background', async () => {
    const store = await file.open();
    const before = statSync(file.path).size;

    for (let n = 0; n < 500; n += 1) await insert(store, sampleJob());

    await holds(() => expect(statSync(file.path).size).toBeGreaterThan(before));
    expect(await store.jobs.unfinishedOf('discord:424242424242')).toHaveLength(500);
  });

  it('the file of a store is checkpointed when the disk is full', async () => {
    await file.open();
    file.close();
    const { sql, note, close } = openDatabase(file.path);
    const put = sql.prepare("INSERT INTO entries (namespace, key, value) VALUES ('n', ?, zeroblob(3000))");
    const putFrom = async (first: number): Promise<void> => {
      for (let count = first; count < first + 100; count += 1) await note(() => put.run(`key ${count}`));
    };

    await putFrom(0);
    const before = statSync(file.path).size;
    sql.exec(`PRAGMA max_page_count = 1`);

    await expect(putFrom(100)).rejects.toThrow('full');
    await holds(() => expect(statSync(file.path).size).toBeGreaterThan(before + 100 * 3000));

    close();
  });

  it('the file of a store is readable only by its owner', async () => {
    (await file.open()).close();
    expect(statSync(file.folder).mode & 0o777).toBe(0o700);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it('the file of a store and its log contain nothing that was removed, after a sweep', async () => {
    const store = await file.open();
    const job = sampleJob();
    await insert(store, job);
    await store.jobs.remove(job.id);

    expect(file.bytes()).toContain('a secret wish');

    await store.sweep();
    await holds(() => expect(file.bytes()).not.toContain('a secret wish'));
  });

  it('a long read of the file does not delay writers, and the file is checkpointed afterwards', async () => {
    const store = await file.open();
    const job = sampleJob();
    await insert(store, job);
    const backup = new DatabaseSync(file.path);
    backup.exec('BEGIN; SELECT count(*) FROM jobs');
    await store.jobs.remove(job.id);
    await store.sweep();
    // A writer that had to wait as long as the backup takes would be told that the file is locked.
    for (let written = 0; written < 150; written += 1) {
      await store.audit.append({ at: 1, community: 'c', actor: 'a', action: 'job', detail: {} });
      await new Promise((go) => setTimeout(go, 10));
    }

    expect(await store.audit.recent('c', 200)).toHaveLength(150);
    expect(file.bytes()).toContain('a secret wish');

    backup.close();
    await holds(async () => {
      await store.sweep();
      expect(file.bytes()).not.toContain('a secret wish');
    });
  });

  it('the file of a store is encrypted when a key is set later, and no plain text remains', async () => {
    await fillWithSecrets(await file.open());
    for (const secret of secrets) expect(file.bytes()).toContain(secret);

    const sealed = await file.open([keyOf(1)]);
    expect(await sealed.jobs.ofPerson('discord:424242424242', 1)).toHaveLength(1);
    for (const secret of secrets) expect(file.bytes()).not.toContain(secret);
  });

  it('the file of a store is not encrypted by readers', async () => {
    await fillWithSecrets(await file.open());
    const tool = await openStoreToRead(file.path, [keyOf(1)]);
    expect(tool.encrypts).toBe(false);
    expect(await tool.audit.recent('discord:777777777', 1)).toHaveLength(1);

    tool.close();
    expect((await file.open([keyOf(1)])).encrypts).toBe(true);
  });

  it('a file that belongs to another program is not opened, and stays as it is', async () => {
    (await file.open()).close();
    rmSync(file.path);
    const others = new DatabaseSync(file.path);
    others.exec('CREATE TABLE jobs (name)');
    others.close();
    const before = readFileSync(file.path);

    await expect(file.open()).rejects.toThrow(/STORE_URL.*another program/);
    expect(readFileSync(file.path).equals(before)).toBe(true);
  });

  it('a file that a newer version wrote is not opened', async () => {
    (await file.open()).close();
    const raw = new DatabaseSync(file.path);
    raw.exec('INSERT INTO migrations (version, at) VALUES (999, 0)');
    raw.close();

    await expect(file.open()).rejects.toThrow(/newer version/);
  });
});

it('a batch of records that could not be sealed anew is repeated, and a damaged record does not stop the others', async () => {
  const old = keyOf(1);
  const fresh = keyOf(2);

  const settings = (await file.open([old])).keyv('settings');
  for (let index = 0; index < 130; index += 1) await settings.set(`community-${index}`, index);
  file.close();
  const database = openDatabase(file.path);
  const { query, transaction, sql } = driverOf(database, Date.now);
  await query(
    'UPDATE entries SET value = substr(value, 1, 40) WHERE key = (SELECT min(key) FROM entries)',
    [],
  );
  const finished = vi.fn(async () => undefined);
  const reseal = createReseal(createSeal([fresh, old]), sql, finished);
  let isFull = true;
  const batch = async (): Promise<boolean> => {
    const { left, committed } = await transaction(async (on) => {
      const result = await reseal(on);
      if (isFull) throw new Error('database or disk is full');
      return result;
    });
    committed();
    return left;
  };

  for (let tries = 0; tries < 3; tries += 1) await expect(batch()).rejects.toThrow('full');
  expect(finished).not.toHaveBeenCalled();

  isFull = false;
  while (await batch());
  expect(finished).toHaveBeenCalledTimes(1);

  const ofOldKey = 'SELECT count(*) AS count FROM entries WHERE substr(value, 2, 4) = $1';
  expect(await query(ofOldKey, [createSeal([old]).currentKey])).toEqual([{ count: 1 }]);

  database.close();
});
