import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tryFolder } from '../../../../src/owner/doctor/store-check.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-folder-'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'gone'), join(folder, 'link'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['a path through a file', 'file/new/store', 'its path leads through a file where a folder should be'],
  ['a path through a link to nothing', 'link/new/store', 'it is a link to a folder that does not exist'],
  ['a path that is too long', 'n'.repeat(300), 'its name or path is too long'],
])('%s is refused', (_, path, reason) => {
  expect(() => tryFolder(join(folder, path))).toThrow(reason);
});

it.skipIf(!existsSync('/proc/self'))('a folder in which nothing can be created is refused', () => {
  for (const path of ['/proc/store', '/proc/new/store']) expect(() => tryFolder(path)).toThrow('/proc: ');
});

it('a path whose folders can be created is accepted, and nothing is left there', () => {
  tryFolder(join(folder, 'new/folders/store'));
  expect(readdirSync(folder)).toEqual(['file', 'link']);
});
