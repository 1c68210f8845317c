import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeFileError, fileErrorKind } from '../../../../../src/store/sqlite/file/sqlite-error.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-trouble-'));
  new DatabaseSync(join(folder, 'good')).exec('CREATE TABLE t (x)');
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'text'), 'no database, but long enough to be looked at'.repeat(100));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it should have failed');
};

const opened = (name: string, options = {}): DatabaseSync => new DatabaseSync(join(folder, name), options);

it.each([
  {
    kind: 'read-only',
    words: 'may not write',
    work: () => opened('good', { readOnly: true }).exec('INSERT INTO t VALUES (1)'),
  },
  { kind: 'no access', words: 'may not open', work: () => opened('folder') },
  { kind: 'not a store', words: 'not a database', work: () => opened('text').exec('SELECT * FROM t') },
  {
    kind: 'full',
    words: 'disk is full',
    work: () => {
      const memory = new DatabaseSync(':memory:');
      memory.exec('CREATE TABLE t (x); PRAGMA max_page_count = 1; INSERT INTO t VALUES (zeroblob(100000))');
    },
  },
  {
    kind: 'busy',
    words: 'locked',
    work: () => {
      opened('good').exec('BEGIN IMMEDIATE');
      opened('good', { timeout: 0 }).exec('BEGIN IMMEDIATE');
    },
  },
])('an error of SQLite is recognised as "$kind" and described in words', ({ kind, words, work }) => {
  const error = thrownBy(work);

  expect(fileErrorKind(error)).toBe(kind);
  expect(describeFileError(error)).toContain(words);
});

it('an error that is a mistake of this program is not taken for a trouble of the file', () => {
  const error = thrownBy(() => new DatabaseSync(':memory:').exec('SELEKT'));
  expect(fileErrorKind(error)).toBeUndefined();
  expect(describeFileError(error)).toContain('SELEKT');
  expect(fileErrorKind(new Error('disk is full'))).toBeUndefined();
});

it('a folder that cannot be created is described with what to do', () => {
  const error = Object.assign(new Error("EACCES: permission denied, mkdir './data'"), { code: 'EACCES' });
  expect(describeFileError(error)).toMatch(/^this user may not create it or its folder\..*STORE_URL/);
});
