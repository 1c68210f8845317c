import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import {
  COPIED_TABLES,
  type CopiedRow,
  type CopiedValue,
  type CopySource,
  isBytes,
  isText,
  whereCopied,
} from '../records/copy/copied-tables.ts';
import { originalOf } from '../records/seal/columns.ts';
import { StoreError } from '../records/store-error.ts';
import type { Table } from '../records/tables.ts';
import { isEncrypted, refuseHalfMoved } from '../tables/unlock.ts';
import { readDriverOf } from './driver.ts';
import { requireCurrent, requireFile, requireThere } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { soundNumber } from './file/schema.ts';
import { fileError } from './file/sqlite-error.ts';
import { acquireLock, lockOf } from './file/store-lock.ts';

const BUSY_TIMEOUT_MS = 5_000;

/** Reads a file that no Darkroom uses. Nothing in it changes. */
export async function copyFromSqlite<T>(path: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  requireThere(path);
  const shown = `sqlite:${path}`;
  const opened = new DisposableStack();
  try {
    requireFile(path);
    opened.defer(lockFile(realFile(path)));
    const sql = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    opened.defer(() => sql.close());
    // One state of the file for all that is read.
    sql.exec('BEGIN');
    requireCurrent(sql);
    const { query } = readDriverOf(sql);
    await refuseHalfMoved(query);
    return await work({ shown, encrypts: await isEncrypted(query), ...tablesOf(sql, shown) });
  } catch (error) {
    throw fileError(error, path, 'read');
  } finally {
    opened.dispose();
  }
}

export function lockFile(file: string): () => void {
  const release = acquireLock(lockOf(file));
  if (release !== undefined) return release;
  throw new StoreError(`Another process works on the store ${file}. Stop it first.`);
}

export function tablesOf(sql: DatabaseSync, shown: string): Pick<CopySource, 'count' | 'rows'> {
  return {
    count: async (table) =>
      Number(sql.prepare(`SELECT count(*) AS n FROM ${table.name}${whereCopied(table)}`).get()?.n),
    async *rows(table) {
      try {
        for (const row of sql.prepare(selectOf(table)).iterate()) yield rowOf(table, row);
      } catch (error) {
        throw fileError(error, shown, 'read');
      }
    },
  };
}

const selectOf = (table: Table): string => {
  const columns = Object.entries(table.columns).map(([name, column]) =>
    isBytes(column) || isText(column) ? name : `${soundNumber(name, column)} AS ${name}`,
  );
  return `SELECT ${columns.join(', ')} FROM ${table.name}${whereCopied(table)}`;
};

const rowOf = ({ columns }: Table, row: Readonly<Record<string, SQLOutputValue>>): CopiedRow =>
  Object.entries(columns).map(([name, column]): CopiedValue => {
    const value = row[name] ?? null;
    return typeof value === 'string' && isText(column) ? originalOf(value) : copiedOf(value);
  });

/** Statements return no others. */
const copiedOf = (value: SQLOutputValue): CopiedValue => (typeof value === 'bigint' ? Number(value) : value);

/** Whether it holds nothing but what a new store does. */
export const isEmpty = (sql: DatabaseSync): boolean =>
  COPIED_TABLES.every(
    ({ name, isPrepared }) => isPrepared || sql.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() === undefined,
  );
