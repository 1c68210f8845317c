import type { DatabaseSync } from 'node:sqlite';
import { storable } from '../../records/seal.ts';
import { COPIED_TABLES, isBytes, isText } from '../../tables/copy.ts';
import { type Column, schemaOf, TABLES } from '../../tables/schema.ts';

/** Number of the present schema. Version 0.1.0 had 3. */
export const SCHEMA_VERSION = 22;
/** Schemas from this number on can be brought up to date. */
const OLDEST_VERSION = 3;
/** Since this schema ids are stored as `storable` makes them, which must not be done twice. */
const FIRST_STORABLE = 20;

const MIGRATIONS = 'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)';

const SCHEMA = `${schemaOf({
  types: {
    text: 'TEXT',
    id: 'TEXT',
    bytes: 'BLOB',
    sealed: 'BLOB',
    whole: 'INTEGER',
    count: 'INTEGER',
    flag: 'INTEGER',
  },
  sorted: '',
  number: ({ key, numbered }) =>
    `INTEGER NOT NULL${key.length === 1 ? '' : ` DEFAULT ${numbered === 'itself' ? '(random() >> 12)' : '0'}`}`,
  end: ({ key, columns, isWide }) =>
    isWide || columns[key.join()]?.kind === 'whole' ? ' STRICT' : ' STRICT, WITHOUT ROWID',
})}
CREATE INDEX jobs_taken_up ON jobs (seq) WHERE finished_at IS NULL;
CREATE INDEX jobs_held ON jobs (seq) WHERE held IS NOT NULL;
CREATE INDEX jobs_places ON jobs (turn, seq, line) WHERE line IS NOT NULL;
CREATE INDEX jobs_line_of ON jobs (turn_of, turn) WHERE line IS NOT NULL;
CREATE INDEX audit_person ON audit (actor, community, seq, action);
CREATE INDEX entries_unowned ON entries (namespace, key) WHERE owner IS NULL;
-- The audit trail is append-only. Re-encryption changes neither time nor action; lines about a person's own jobs (job…) and faces
-- (face.…) can be deleted on request, everything else after ninety days.
CREATE TRIGGER audit_unchanged BEFORE UPDATE OF seq, at, action ON audit
BEGIN SELECT RAISE(ABORT, 'an audit line does not change'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
WHEN substr(OLD.action, 1, 3) <> 'job' AND substr(OLD.action, 1, 5) <> 'face.' AND OLD.at > (unixepoch() - 90 * 86400) * 1000
BEGIN SELECT RAISE(ABORT, 'an audit line is kept for ninety days'); END;
`;

/** The sums (`sumOf` in backup/backup.ts) of the earlier schemas that a backup may have. */
export const FORMER_SCHEMAS: Readonly<Record<number, string>> = {
  3: '92fe3806111d7d74b5acc0cfe2a8d1e7dfad0463ca9a64a55b9276c9ab253df4',
  16: 'c04630ee40da002fd88ac7af1136b04f7ed6500ad34b942e22304a09b894ce46',
  18: '48db97ed5c638ed508dd34aecfa0f4b9f5da8fadfa47107f08557ca854f28f68',
  19: 'c9243cc5f12e92a90a0ba60f4c39f0d5692da79324d75fb3477ce2de15ba8829',
  20: '512650453c67d24691b2bc9650370247672b58c1f52d1e22ca29b30b49eff2cb',
  21: '2436d2ca161b962b17dcff3839e98d1af72c7e114d97f7d1434e4ad4eab87c30',
};

/** Makes the tables of a new store, in the caller's transaction. */
export function createSchema(sql: DatabaseSync): void {
  sql.exec(MIGRATIONS);
  sql.exec(SCHEMA);
  noteVersion(sql);
}

const noteVersion = (sql: DatabaseSync): unknown =>
  sql.prepare('INSERT INTO migrations (version, at) VALUES (?, ?)').run(SCHEMA_VERSION, Date.now());

/** Brings a store of an older version up to date, in the caller's transaction: its tables are made anew and filled. */
export function upgradeSchema(sql: DatabaseSync, version: number): void {
  if (version < OLDEST_VERSION)
    throw new Error(`it is of a version of Darkroom that was never released (schema ${version}).`);
  const named = (type: string): string[] =>
    sql
      .prepare('SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL')
      .all(type)
      .map(({ name }) => String(name));
  for (const trigger of named('trigger')) sql.exec(`DROP TRIGGER ${trigger}`);
  for (const index of named('index')) sql.exec(`DROP INDEX ${index}`);
  // Ids of a store without a key.
  const asIdNow = version < FIRST_STORABLE ? storable : (text: string): string => text;
  sql.function('storable', (text) => (typeof text === 'string' ? asIdNow(text) : text));
  const present = COPIED_TABLES.filter(({ name }) => named('table').includes(name));
  for (const { name } of present) sql.exec(`ALTER TABLE ${name} RENAME TO former_${name}`);
  // The other tables belonged to the process that had the store, and are made anew.
  for (const { name } of TABLES) sql.exec(`DROP TABLE IF EXISTS ${name}`);
  sql.exec(SCHEMA);
  for (const { name, columns, isPrepared } of present) {
    const former = new Set(
      sql
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(`former_${name}`)
        .map((row) => row.name),
    );
    const copied = Object.entries(columns).filter(([column]) => former.has(column));
    if (isPrepared) sql.exec(`DELETE FROM ${name}`);
    sql.exec(`INSERT OR IGNORE INTO ${name} (${copied.map(([column]) => column).join(', ')})
      SELECT ${copied.map(([name, column]) => typed(name, column)).join(', ')} FROM former_${name}`);
    sql.exec(`DROP TABLE former_${name}`);
  }
  sql.exec(COMPLETE);
  noteVersion(sql);
}

/** A column could hold anything, despite its declared type. */
function typed(name: string, column: Column): string {
  if (isBytes(column)) return `CAST(${name} AS BLOB)`;
  if (isText(column)) {
    const text = `storable(CAST(${name} AS TEXT))`;
    return column.optional ? text : `coalesce(${text}, '')`;
  }
  const number = `CAST(${name} AS INTEGER)`;
  if (column.kind === 'count') return `max(0, coalesce(${number}, 0))`;
  return column.optional ? number : `coalesce(${number}, 0)`;
}

/** Fills columns that earlier versions did not have. Values that follow from records are completed when their jobs are taken over. */
const COMPLETE = `
INSERT OR IGNORE INTO slots (person, running, turn) VALUES ('', 0, 0);
UPDATE jobs SET slot = 1 WHERE state IN ('submitting', 'running');
UPDATE jobs SET turn_of = owner WHERE turn_of IS NULL AND finished_at IS NULL;
DELETE FROM totals;
INSERT INTO totals SELECT day, 0, sum(reserved + spent) FROM usage WHERE person = '' GROUP BY day;
INSERT INTO acceptances (person, at) SELECT owner, created_at FROM jobs
  WHERE created_at > (SELECT max(created_at) - 60000 FROM jobs) AND NOT EXISTS (SELECT 1 FROM acceptances);
`;
