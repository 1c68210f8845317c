import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { refuseUnwritable } from '../../../../src/owner/doctor/store-check.ts';
import { folderForEach } from '../../../temp-folder.ts';

const file = folderForEach();

beforeEach(() => {
  writeFileSync(file('file'), '');
  symlinkSync(file('gone'), file('link'));
});

it.each([
  {
    what: 'a path through a file',
    path: 'file/new/store',
    reason: 'its path leads through a file where a folder should be',
  },
  {
    what: 'a path through a link to nothing',
    path: 'link/new/store',
    reason: 'it is a link to a folder that does not exist',
  },
  { what: 'a path that is too long', path: 'n'.repeat(300), reason: 'its name or path is too long' },
])('$what is refused as the place of a store', ({ path, reason }) => {
  expect(() => refuseUnwritable(file(path))).toThrow(reason);
});

it.skipIf(!existsSync('/proc/self'))(
  'a folder in which nothing can be created is refused as the place of a store',
  () => {
    for (const path of ['/proc/store', '/proc/new/store'])
      expect(() => refuseUnwritable(path)).toThrow('/proc: ');
  },
);

it('a place of a store whose folders can be created is accepted, and nothing is left there', () => {
  refuseUnwritable(file('new/folders/store'));

  expect(readdirSync(file())).toEqual(['file', 'link']);
});
