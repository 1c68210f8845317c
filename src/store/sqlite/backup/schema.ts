import { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS_TABLE, migrations } from '../file/migrations.ts';

export function schemaOf(sql: DatabaseSync) {
  return sql
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .all()
    .map((object) => ({ ...object }));
}

/** Of a store of that version. */
export function expectedSchema(version: number) {
  const sql = new DatabaseSync(':memory:');
  try {
    sql.exec(MIGRATIONS_TABLE);
    for (const migration of migrations.slice(0, version)) sql.exec(migration);
    return schemaOf(sql);
  } finally {
    sql.close();
  }
}
