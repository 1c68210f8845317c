import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { createSchema, FORMER_SCHEMAS, SCHEMA_VERSION } from '../file/schema.ts';

/** SQLite's own, after ANALYZE. */
export const STATISTICS = /^sqlite_stat\d$/;

function objectsOf(sql: DatabaseSync) {
  return sql
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .all()
    .filter(({ name }) => !STATISTICS.test(String(name)));
}

const sumOf = (sql: DatabaseSync): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        objectsOf(sql).map(({ type, name, tbl_name, sql: text }) => [type, name, tbl_name, text]),
      ),
    )
    .digest('hex');

function inNewStore<T>(work: (sql: DatabaseSync) => T): T {
  const sql = new DatabaseSync(':memory:');
  try {
    createSchema(sql);
    return work(sql);
  } finally {
    sql.close();
  }
}

/** Whether it has exactly the tables, indexes and triggers of a store of that version. */
export const hasSchema = (sql: DatabaseSync, version: number): boolean =>
  sumOf(sql) === (version === SCHEMA_VERSION ? inNewStore(sumOf) : FORMER_SCHEMAS[version]);

/** Names of what a store does not have. */
export function strangeIn(sql: DatabaseSync): readonly string[] {
  const names = (of: DatabaseSync): string[] => objectsOf(of).map(({ name }) => String(name));
  const known = new Set(inNewStore(names));
  return names(sql).filter((name) => !known.has(name));
}
