import type { DatabaseSync } from 'node:sqlite';
import { COPIED_TABLES, type ColumnKind } from '../../records/copy/copied-tables.ts';
import { storable } from '../../records/seal/columns.ts';

/** Its number; of those before it, version 0.1.0 had 3. */
export const SCHEMA_VERSION = 21;
/** Those from here on can be brought up to date. */
const OLDEST_VERSION = 3;

/** Says which version it is of. */
const MIGRATIONS = 'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)';

/**
 * What is looked up by stands in columns (hashed where the store has a key), everything else in bytes, which can hold what people
 * write. `jobs`, `slots`: see tables/line.ts; `inbox`: tables/inbox.ts. Each job is written to few trees, and polls to fewer.
 */
const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  turn_of TEXT,
  community TEXT NOT NULL,
  state TEXT NOT NULL,
  due INTEGER,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  version INTEGER NOT NULL,
  service_id TEXT,
  again_of TEXT,
  held TEXT,
  member TEXT NOT NULL DEFAULT '',
  only_process TEXT,
  credentials TEXT,
  line TEXT,
  turn INTEGER,
  slot INTEGER NOT NULL DEFAULT 0,
  passed INTEGER NOT NULL DEFAULT 0,
  returns INTEGER NOT NULL DEFAULT 0,
  kind TEXT,
  body BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX jobs_service_id ON jobs (service_id) WHERE service_id IS NOT NULL;
CREATE INDEX jobs_due_polls ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'running';
CREATE INDEX jobs_due_results ON jobs (due, id) WHERE due IS NOT NULL AND held IS NULL AND state = 'delivering';
CREATE INDEX jobs_due_others ON jobs (due, id)
  WHERE due IS NOT NULL AND held IS NULL AND state NOT IN ('running', 'delivering');
CREATE INDEX jobs_open ON jobs (owner) WHERE finished_at IS NULL;
CREATE INDEX jobs_turns ON jobs (turn_of) WHERE finished_at IS NULL;
CREATE INDEX jobs_taken_up ON jobs (seq) WHERE finished_at IS NULL;
CREATE INDEX jobs_held ON jobs (seq) WHERE held IS NOT NULL;
CREATE INDEX jobs_created ON jobs (owner, created_at);
CREATE INDEX jobs_finished ON jobs (owner, finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_expiry ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_line ON jobs (line, turn, seq) WHERE line IS NOT NULL AND passed = 0;
CREATE INDEX jobs_places ON jobs (turn, seq, line) WHERE line IS NOT NULL;
CREATE INDEX jobs_line_of ON jobs (turn_of, turn) WHERE line IS NOT NULL;
CREATE INDEX jobs_by_community ON jobs (community, seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_kind ON jobs (kind, seq) WHERE finished_at IS NOT NULL;
CREATE INDEX jobs_by_end ON jobs (state, seq) WHERE state IN ('failed', 'cancelled', 'uncertain');

CREATE TABLE slots (
  person TEXT PRIMARY KEY,
  running INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  per_person INTEGER
) STRICT, WITHOUT ROWID;
INSERT INTO slots VALUES ('', 0, 0, NULL);

CREATE TABLE usage (
  day TEXT NOT NULL,
  community TEXT NOT NULL,
  person TEXT NOT NULL,
  reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
  jobs INTEGER NOT NULL DEFAULT 0 CHECK (jobs >= 0),
  granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0),
  given INTEGER NOT NULL DEFAULT 0 CHECK (given >= 0),
  PRIMARY KEY (day, community, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_person ON usage (person);
CREATE TABLE totals (
  day TEXT NOT NULL,
  part INTEGER NOT NULL,
  credits INTEGER NOT NULL,
  PRIMARY KEY (day, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE charges (
  job TEXT PRIMARY KEY,
  day TEXT NOT NULL,
  credits INTEGER NOT NULL CHECK (credits >= 0),
  charge TEXT NOT NULL CHECK (charge IN ('reserved', 'spent', 'returned')),
  granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0),
  grants_of TEXT,
  grant_id TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX charges_day ON charges (day);

CREATE TABLE grants (
  community TEXT NOT NULL,
  person TEXT NOT NULL,
  credits INTEGER NOT NULL CHECK (credits >= 0),
  at INTEGER NOT NULL,
  body BLOB NOT NULL,
  id TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (community, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_person ON grants (person);
CREATE INDEX grants_used_up ON grants (at) WHERE credits = 0;

CREATE TABLE tallies (
  community TEXT NOT NULL,
  what TEXT NOT NULL,
  hour INTEGER NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  credits INTEGER NOT NULL,
  PRIMARY KEY (community, what, hour, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_hour ON tallies (hour);

-- With row ids, because bodies would not fit into the pages of an index.
CREATE TABLE figures (
  scale TEXT NOT NULL,
  at INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (scale, at)
) STRICT;

-- Two may be of the same moment.
CREATE TABLE acceptances (
  person TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL DEFAULT (random() >> 12),
  PRIMARY KEY (person, at, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  community TEXT NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  detail BLOB NOT NULL
) STRICT;
CREATE INDEX audit_community ON audit (community, seq);
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_person ON audit (actor, community, seq, action);
CREATE INDEX audit_acts ON audit (community, seq) WHERE action <> 'job';

-- The audit trail is append-only. Re-encryption changes neither time nor action; lines about a person's own jobs (job…) and faces
-- (face.…) can be deleted on request, everything else after ninety days.
CREATE TRIGGER audit_unchanged BEFORE UPDATE OF seq, at, action ON audit
BEGIN SELECT RAISE(ABORT, 'an audit line does not change'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
WHEN substr(OLD.action, 1, 3) <> 'job' AND substr(OLD.action, 1, 5) <> 'face.' AND OLD.at > (unixepoch() - 90 * 86400) * 1000
BEGIN SELECT RAISE(ABORT, 'an audit line is kept for ninety days'); END;

CREATE TABLE entries (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  value BLOB NOT NULL,
  expires INTEGER,
  owner TEXT,
  seq INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (namespace, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_expires ON entries (expires) WHERE expires IS NOT NULL;
CREATE INDEX entries_owner ON entries (owner, seq) WHERE owner IS NOT NULL;
-- Found without reading the large values that stand before the owner in a row.
CREATE INDEX entries_unowned ON entries (namespace, key) WHERE owner IS NULL;

CREATE TABLE removed (origin TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX removed_at ON removed (at);

CREATE TABLE erasures (
  person TEXT PRIMARY KEY,
  direct TEXT NOT NULL,
  day TEXT NOT NULL,
  jobs INTEGER NOT NULL,
  audit INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  finished INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE damaged (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  owner TEXT,
  why TEXT NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE INDEX damaged_owner ON damaged (owner) WHERE owner IS NOT NULL;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  lane TEXT NOT NULL,
  person TEXT,
  body BLOB,
  at INTEGER NOT NULL,
  holder INTEGER,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX inbox_open ON inbox (lane, id) WHERE body IS NOT NULL;
CREATE INDEX inbox_person ON inbox (person) WHERE body IS NOT NULL;
CREATE INDEX inbox_handled ON inbox (at) WHERE body IS NULL;
CREATE TABLE inbox_lanes (lane TEXT PRIMARY KEY, holder INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Of schemas that a backup may have, the sum of what `schemaOf` says. */
export const FORMER_SCHEMAS: Readonly<Record<number, string>> = {
  3: '92fe3806111d7d74b5acc0cfe2a8d1e7dfad0463ca9a64a55b9276c9ab253df4',
  16: 'c04630ee40da002fd88ac7af1136b04f7ed6500ad34b942e22304a09b894ce46',
  18: '48db97ed5c638ed508dd34aecfa0f4b9f5da8fadfa47107f08557ca854f28f68',
  19: 'c9243cc5f12e92a90a0ba60f4c39f0d5692da79324d75fb3477ce2de15ba8829',
  20: '512650453c67d24691b2bc9650370247672b58c1f52d1e22ca29b30b49eff2cb',
};

/** A new store. */
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
  sql.function('storable', (text) => (typeof text === 'string' ? storable(text) : text));
  const present = COPIED_TABLES.filter(({ name }) => named('table').includes(name));
  for (const { name } of present) sql.exec(`ALTER TABLE ${name} RENAME TO former_${name}`);
  sql.exec('DROP TABLE IF EXISTS inbox_lanes');
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
      SELECT ${copied.map(([column, kind]) => typed(column, kind)).join(', ')} FROM former_${name}`);
    sql.exec(`DROP TABLE former_${name}`);
  }
  sql.exec(COMPLETE);
  noteVersion(sql);
}

/** A column could hold anything, whatever its declared type. */
function typed(name: string, kind: ColumnKind): string {
  if (kind === 'bytes' || kind === 'bytes?') return `CAST(${name} AS BLOB)`;
  if (kind === 'text?') return `storable(CAST(${name} AS TEXT))`;
  if (kind === 'text') return `coalesce(storable(CAST(${name} AS TEXT)), '')`;
  return soundNumber(name, kind);
}

/** Instead of a number that cannot be read. */
export function soundNumber(name: string, kind: ColumnKind): string {
  const isNumber = `typeof(${name}) IN ('integer', 'real') AND ${name} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`;
  // A damaged mark counts as the highest number, so that everything is deleted.
  const otherwise =
    kind === 'mark' ? `(SELECT coalesce(max(seq), 0) FROM ${name})` : kind === 'whole?' ? 'NULL' : '0';
  const lowest = kind === 'count' ? 'max(0, ' : '(';
  return `iif(${isNumber}, ${lowest}CAST(${name} AS INTEGER)), ${otherwise})`;
}

/** What versions before did not have. What follows from the records is completed when their jobs are taken over. */
const COMPLETE = `
INSERT OR IGNORE INTO slots VALUES ('', 0, 0, NULL);
UPDATE jobs SET slot = 1 WHERE state IN ('submitting', 'running');
UPDATE jobs SET turn_of = owner WHERE turn_of IS NULL AND finished_at IS NULL;
DELETE FROM totals;
INSERT INTO totals SELECT day, 0, sum(reserved + spent) FROM usage WHERE person = '' GROUP BY day;
INSERT INTO acceptances (person, at) SELECT owner, created_at FROM jobs
  WHERE created_at > (SELECT max(created_at) - 60000 FROM jobs) AND NOT EXISTS (SELECT 1 FROM acceptances);
`;
