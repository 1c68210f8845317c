import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../../../fixtures/old-migrations.ts';

/** Makes of a store one that a version of Darkroom with this older schema has left; what that cannot hold is lost. */
export function copyToOldSchema(newer: string, path: string, version: number): void {
  const sql = new DatabaseSync(path);
  sql.exec('CREATE TABLE migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)');
  for (const [index, migration] of migrations.slice(0, version).entries()) {
    sql.exec(migration);
    sql.prepare('INSERT INTO migrations (version, at) VALUES (?, 0)').run(index + 1);
  }
  sql.prepare('ATTACH ? AS newer').run(newer);
  const tables = sql.prepare(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'migrations'",
  );
  const common = sql.prepare(
    `SELECT name FROM pragma_table_info($name, 'main') WHERE name IN (SELECT name FROM pragma_table_info($name, 'newer'))`,
  );
  for (const { name } of tables.all()) {
    const columns = common.all({ name: name ?? '' }).map((column) => column.name);
    sql.exec(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM newer.${name}`);
  }
  sql.close();
}
