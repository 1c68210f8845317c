import { StoreVersionError } from '../../records/store-error.ts';
import type { Query } from '../../tables/driver.ts';
import { type Migration, migrationOf, schemaOf } from '../../tables/schema.ts';
import { countMembers } from '../members/lock-keys.ts';

/** The number of the present schema. */
export const SCHEMA_VERSION = 15;
/** Schemas from this number on can be brought up to date; earlier ones were of versions that were never released. */
export const OLDEST_VERSION = 9;

/**
 * Tables of the processes on the store. `process`: the same for all ids of one process. `pace` is unlogged: after a crash
 * of the server it is empty, and a process that finds no row waits for a second, so that no earlier reservation is exceeded.
 */
export const memberTables = `
CREATE TABLE members (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  state jsonb NOT NULL DEFAULT '{}',
  process text,
  joined_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNLOGGED TABLE pace (
  service text PRIMARY KEY,
  next timestamptz NOT NULL
);
`;

/** All tables, indexes and triggers of a new store. */
export const schema = `
CREATE SEQUENCE jobs_seq;
CREATE SEQUENCE audit_seq;
CREATE SEQUENCE entries_seq;
${schemaOf({
  // `text` takes no zero bytes.
  types: {
    text: 'text',
    id: 'text',
    bytes: 'bytea',
    sealed: 'bytea',
    whole: 'bigint',
    count: 'bigint',
    flag: 'boolean',
  },
  sorted: 'COLLATE "C"',
  number: ({ name, numbered }) =>
    numbered === 'itself'
      ? 'bigint GENERATED ALWAYS AS IDENTITY'
      : `bigint NOT NULL DEFAULT nextval('${name}_seq')`,
  end: () => '',
})}
CREATE INDEX jobs_member ON jobs (member, seq) WHERE finished_at IS NULL OR held IS NOT NULL;
CREATE INDEX jobs_places ON jobs (turn, seq) INCLUDE (turn_of) WHERE line IS NOT NULL;
CREATE INDEX acceptances_at ON acceptances (at);
CREATE INDEX audit_actor ON audit (actor, action);
CREATE INDEX audit_person ON audit (community, actor, seq);
CREATE INDEX inbox_held ON inbox (lane, holder) WHERE body IS NOT NULL AND holder IS NOT NULL;
CREATE INDEX inbox_lanes_holder ON inbox_lanes (holder);

-- The audit trail is append-only. Re-encryption changes neither time nor action; lines about a person's own jobs (job…) and faces
-- (face.…) can be deleted on request, everything else after ninety days.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0];
END $$;
CREATE TRIGGER audit_unchanged BEFORE UPDATE OF seq, at, action ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change('an audit line does not change');
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
  FOR EACH ROW WHEN (substr(OLD.action, 1, 3) <> 'job' AND substr(OLD.action, 1, 5) <> 'face.'
    AND OLD.at > (extract(epoch FROM now()) - 90 * 86400) * 1000)
  EXECUTE FUNCTION refuse_audit_change('an audit line is kept for ninety days');
CREATE TRIGGER audit_not_emptied BEFORE TRUNCATE ON audit
  EXECUTE FUNCTION refuse_audit_change('an audit line is kept for ninety days');
${memberTables}`;

/** Functions that stood in the database in earlier versions, for rules that are in the program now. */
const FUNCTIONS = `'accept_job', 'add_grant', 'append_line', 'begin_erasure', 'bind_job', 'change_entry', 'change_slots',
  'count_slots', 'count_total', 'keep_damaged', 'lock_slots', 'move_charge', 'next_turn', 'note_kind', 'other_processes',
  'own_turn', 'person_key', 'put_entry', 'remember', 'remove_job', 'retired', 'save_job', 'set_job_aside', 'settle_lost', 'take_back_grant',
  'take_job', 'tally'`;

/** Brings the oldest schema that is supported, and each since then, to the present one. */
export const upgrade = `
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
    WHERE n.nspname = current_schema() AND p.proname IN (${FUNCTIONS})
  LOOP EXECUTE 'DROP FUNCTION ' || name || ' CASCADE'; END LOOP;
END $$;
ALTER TABLE usage ADD COLUMN IF NOT EXISTS given bigint NOT NULL DEFAULT 0 CHECK (given >= 0);
ALTER TABLE grants ADD COLUMN IF NOT EXISTS id text NOT NULL DEFAULT '';
ALTER TABLE charges ADD COLUMN IF NOT EXISTS grant_id text NOT NULL DEFAULT '';
ALTER TABLE members ADD COLUMN IF NOT EXISTS joined_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE jobs ADD COLUMN IF NOT EXISTS turn_of text;
UPDATE jobs SET turn_of = owner WHERE turn_of IS NULL AND finished_at IS NULL;
CREATE INDEX IF NOT EXISTS jobs_turns ON jobs (turn_of) WHERE finished_at IS NULL;
DROP INDEX jobs_places;
CREATE INDEX jobs_places ON jobs (turn, seq) INCLUDE (turn_of) WHERE line IS NOT NULL;
ALTER TABLE jobs DROP COLUMN IF EXISTS only_process;
ALTER TABLE erasures ADD COLUMN IF NOT EXISTS began_at bigint NOT NULL DEFAULT 0;
ALTER TABLE jobs ALTER COLUMN community TYPE text COLLATE "C", ALTER COLUMN member SET DEFAULT '';
DROP INDEX jobs_by_community;
CREATE INDEX jobs_by_community ON jobs (community, seq) WHERE finished_at IS NOT NULL;
`;

/** The first PostgreSQL with `idle_session_timeout`, as its number. */
export const OLDEST_SERVER = 140_000;

/** The number of its schema; 0: there is none. Throws where this version of Darkroom cannot work. */
export async function schemaVersion(query: Query): Promise<number> {
  const [found] = await query(
    `SELECT current_setting('server_version_num')::int AS server, current_schema() AS schema,
       to_regclass(quote_ident(current_schema()) || '.migrations') IS NOT NULL AS ours,
       to_regclass(quote_ident(current_schema()) || '.jobs') IS NOT NULL AS used`,
    [],
  );
  if (Number(found?.server) < OLDEST_SERVER)
    throw new Error('this PostgreSQL is too old: version 14 or newer is needed.');
  if (found?.schema === null)
    throw new Error('there is no such schema, or no schema that tables can be made in.');
  if (found?.ours !== true) {
    if (found?.used === true)
      throw new Error(
        'it has tables of another program. Add ?schema=darkroom to STORE_URL for a schema of its own.',
      );
    return 0;
  }
  const [row] = await query('SELECT max(version) AS version FROM migrations', []);
  const version = Number(row?.version ?? 0);
  if (version > SCHEMA_VERSION) throw new StoreVersionError('NEWER_STORE', version);
  return version;
}

/** Key of the advisory lock that a start takes; `$1`: the schema. */
export const startKey = "hashtextextended('darkroom migrations ' || coalesce($1, ''), 0)";

/** Throws for an older schema: for tools that read or fill a database as it is. */
export function requireUpToDate(version: number): void {
  if (version < SCHEMA_VERSION) throw new StoreVersionError('OLDER_STORE', version);
}

/** Brings the tables up to date, in the caller's transaction. If several processes start at once, one does it. */
export async function migrate(query: Query, name: string | undefined): Promise<Migration | undefined> {
  await query('SET LOCAL statement_timeout = 0');
  await query(`SELECT pg_advisory_xact_lock(${startKey})`, [name]);
  // `IF NOT EXISTS` would ask for the right to create one even where it exists.
  const [known] = await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [name]);
  if (name !== undefined && known === undefined) await query(`CREATE SCHEMA ${name}`);
  const version = await schemaVersion(query);
  if (version === SCHEMA_VERSION) return undefined;
  if (version > 0 && version < OLDEST_VERSION)
    throw new Error(`it is of a version of Darkroom that was never released (schema ${version}).`);
  if (version > 0 && (await countMembers(query)) > 0)
    throw new Error('processes of an older version of Darkroom still work on it. Stop all of them first.');
  // Not counting the wait for another process.
  const began = performance.now();
  await query(
    'CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
  );
  await query(version === 0 ? schema : upgrade);
  await query('INSERT INTO migrations (version) VALUES ($1)', [SCHEMA_VERSION]);
  return migrationOf(version, SCHEMA_VERSION, began);
}
