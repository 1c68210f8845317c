import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireLock } from '../../../../src/store/file/store-lock.ts';
import { openStore } from '../../../../src/store/store.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-alone-'));
  path = join(folder, 'darkroom.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is had by one at a time', () => {
  const giveUp = acquireLock(`${path}-lock`, 0);
  expect(acquireLock(`${path}-lock`, 0)).toBeUndefined();
  giveUp?.();
  expect(acquireLock(`${path}-lock`, 0)).toBeInstanceOf(Function);
});

it('stands in nobody’s way where no file can be made: the store says what is wrong', () => {
  expect(acquireLock(join(folder, 'missing', 'lock'), 0)).toBeInstanceOf(Function);
});

it('keeps a store to the one that works with it, lets tools read along, and goes with its closing', () => {
  const working = openStore({ path, keys: [], alone: true });
  expect(acquireLock(`${path}-lock`, 0)).toBeUndefined();
  openStore({ path, keys: [] }).close();
  working.close();
  expect(acquireLock(`${path}-lock`, 0)).toBeInstanceOf(Function);
});
