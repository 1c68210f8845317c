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
  ['read-only', 'may not write', () => opened('good', { readOnly: true }).exec('INSERT INTO t VALUES (1)')],
  ['no access', 'may not open', () => opened('folder')],
  ['not a store', 'not a database', () => opened('text').exec('SELECT * FROM t')],
  [
    'full',
    'disk is full',
    () => {
      const memory = new DatabaseSync(':memory:');
      memory.exec('CREATE TABLE t (x); PRAGMA max_page_count = 1; INSERT INTO t VALUES (zeroblob(100000))');
    },
  ],
  [
    'busy',
    'locked',
    () => {
      opened('good').exec('BEGIN IMMEDIATE');
      opened('good', { timeout: 0 }).exec('BEGIN IMMEDIATE');
    },
  ],
])('recognises %s', (kind, words, work) => {
  const error = thrownBy(work);
  expect(fileErrorKind(error)).toBe(kind);
  expect(describeFileError(error)).toContain(words);
});

it('does not treat our own bugs as file errors', () => {
  const error = thrownBy(() => new DatabaseSync(':memory:').exec('SELEKT'));
  expect(fileErrorKind(error)).toBeUndefined();
  expect(describeFileError(error)).toContain('SELEKT');
  expect(fileErrorKind(new Error('disk is full'))).toBeUndefined();
});

it('a folder that cannot be created gives a clear message', () => {
  const error = Object.assign(new Error("EACCES: permission denied, mkdir './data'"), { code: 'EACCES' });
  expect(describeFileError(error)).toMatch(/^this user may not create it or its folder\..*STORE_URL/);
});
