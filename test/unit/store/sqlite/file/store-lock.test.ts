import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock } from '../../../../../src/store/sqlite/file/store-file.ts';
import { openStore } from '../../../../../src/store/sqlite/store.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-alone-'));
  path = join(folder, 'darkroom.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is held by one process at a time', () => {
  const giveUp = acquireLock(`${path}-lock`, 0);
  expect(acquireLock(`${path}-lock`, 0)).toBeUndefined();
  giveUp?.();
  expect(acquireLock(`${path}-lock`, 0)).toBeInstanceOf(Function);
});

it('is skipped where no file can be created: the store reports the reason', () => {
  expect(acquireLock(join(folder, 'missing', 'lock'), 0)).toBeInstanceOf(Function);
});

it('locks a store for one writer, lets tools read, and is removed at closing', async () => {
  const working = await openStore({ path, keys: [], alone: true });
  expect(acquireLock(`${path}-lock`, 0)).toBeUndefined();
  (await openStore({ path, keys: [] })).close();
  working.close();
  expect(acquireLock(`${path}-lock`, 0)).toBeInstanceOf(Function);
});
