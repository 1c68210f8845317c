import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { takeAlone } from '../../../../src/store/file/sole-use.ts';
import { openStore } from '../../../../src/store/store.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-alone-'));
  path = join(folder, 'darkroom.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is had by one at a time', () => {
  const giveUp = takeAlone(`${path}-lock`, 0);
  expect(takeAlone(`${path}-lock`, 0)).toBeUndefined();
  giveUp?.();
  expect(takeAlone(`${path}-lock`, 0)).toBeInstanceOf(Function);
});

it('stands in nobody’s way where no file can be made: the store says what is wrong', () => {
  expect(takeAlone(join(folder, 'missing', 'lock'), 0)).toBeInstanceOf(Function);
});

it('keeps a store to the one that works with it, lets tools read along, and goes with its closing', () => {
  const working = openStore({ path, keys: [], alone: true });
  expect(takeAlone(`${path}-lock`, 0)).toBeUndefined();
  openStore({ path, keys: [] }).close();
  working.close();
  expect(takeAlone(`${path}-lock`, 0)).toBeInstanceOf(Function);
});
