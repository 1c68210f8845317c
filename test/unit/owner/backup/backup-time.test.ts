import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { backUp } from '../../../../src/owner/backup/back-up.ts';
import { findLastBackup } from '../../../../src/owner/doctor/store-check.ts';
import { isBackupLate } from '../../../../src/store/store.ts';
import { databaseForEach } from '../../../contract/store/suite/set-up.ts';
import { openAt } from '../../../fakes/story/place.ts';
import { folderForEach } from '../../../temp-folder.ts';

const DAY = 86_400_000;
const file = folderForEach();

const backUpTo = (name: string, url: string) =>
  backUp({ url, file: file(name), version: '1.2.3', progress: () => undefined });

/** Backs up a store that a Darkroom works on, and reads when that was. */
async function expectNoted(url: string): Promise<void> {
  const { store, close } = await openAt(url, [], { now: Date.now() });
  try {
    expect(await store.lastBackup()).toBeUndefined();
    await store.keyv('cache').set('before', 1);
    const { at } = await backUpTo('kept', url);
    await store.keyv('cache').set('after', 2);

    expect(await store.lastBackup()).toBe(Date.parse(at));
    expect(await findLastBackup({ url, keys: [] })).toEqual({ at: Date.parse(at) });

    const second = await backUpTo('second', url);
    expect(await store.lastBackup()).toBe(Date.parse(second.at));
  } finally {
    await close();
  }
}

describe('when the last backup was made', () => {
  it('the time of the last backup is known to the running program and to the doctor, and the store itself is not written to', async () => {
    await expectNoted(`sqlite:${file('store.sqlite')}`);
    expect(readdirSync(file('.'))).toContain('store.sqlite-backed-up');
    expect(readdirSync(file('.')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  describe('with PostgreSQL', { tags: ['postgres'] }, () => {
    const database = databaseForEach();

    it('the time of the last backup of PostgreSQL is known to the running program and to the doctor', () =>
      expectNoted(database.url));

    it('a new database of PostgreSQL does not lack the time of a backup', async () => {
      expect(await findLastBackup({ url: database.url, keys: [] })).toBeUndefined();
    });
  });

  it('the time of the last backup is unknown where none was made, and a backup cannot have the name of the note', async () => {
    const url = `sqlite:${file('store.sqlite')}`;
    expect(await findLastBackup({ url, keys: [] })).toBeUndefined();
    await (await openAt(url, [], { now: 0 })).close();
    expect(await findLastBackup({ url, keys: [] })).toEqual({ at: undefined });
    await expect(backUpTo('store.sqlite-backed-up', url)).rejects.toThrow('a name that the store uses');
  });

  it('the last backup is too long ago after a week', () => {
    expect(isBackupLate(undefined, 0)).toBe(true);
    expect(isBackupLate(0, 7 * DAY)).toBe(false);
    expect(isBackupLate(0, 7 * DAY + 1)).toBe(true);
  });
});
