import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type CopiedRow, type CopyTarget, whereCopied } from '../records/copy/copied-tables.ts';
import { storable } from '../records/seal/columns.ts';
import { MOVING, type Table } from '../records/tables.ts';
import { isEmpty, lockFile, tablesOf } from './copy-from.ts';
import { openDatabase, requireCurrent } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { fileError } from './file/sqlite-error.ts';

/**
 * Fills a file in one transaction, which is undone when `work` fails. From before it until its end the file is marked, so
 * that no Darkroom starts on it.
 */
export async function copyToSqlite<T>(path: string, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  const opened = new DisposableStack();
  try {
    if (path === ':memory:') throw new Error('it is not a file.');
    const file = realFile(path);
    opened.defer(lockFile(file));
    if (existsSync(file) && statSync(file).size > 0) requireCurrentFile(file);
    const { sql, close } = openDatabase(file);
    opened.defer(close);
    const empty = isEmpty(sql);
    if (empty) sql.prepare("INSERT OR IGNORE INTO meta (name, value) VALUES (?, X'31')").run(MOVING);
    sql.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    const shown = `sqlite:${path}`;
    const result = await work({
      shown,
      isEmpty: empty,
      ...tablesOf(sql, shown),
      clear: async (table) => sql.exec(`DELETE FROM ${table.name}${whereCopied(table)}`),
      write: async (table, rows) => write(sql, table, rows),
      async finish() {
        sql.prepare('DELETE FROM meta WHERE name = ?').run(MOVING);
      },
    });
    sql.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return result;
  } catch (error) {
    throw fileError(error, path, 'written');
  } finally {
    // Without a commit nothing of the transaction stays.
    opened.dispose();
  }
}

/** Opening it for writing would migrate it. */
function requireCurrentFile(file: string): void {
  const sql = new DatabaseSync(file, { readOnly: true });
  try {
    requireCurrent(sql);
  } finally {
    sql.close();
  }
}

function write(sql: DatabaseSync, table: Table, rows: readonly CopiedRow[]): void {
  const names = Object.keys(table.columns);
  const insert = sql.prepare(
    `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  for (const row of rows)
    insert.run(...row.map((value) => (typeof value === 'string' ? storable(value) : value)));
}
