import { type Migration, migrationOf } from '../../records/migration.ts';
import { StoreVersionError } from '../../records/store-error.ts';
import type { Query } from '../../tables/driver.ts';
import { countMembers } from '../members/lock-keys.ts';
import { OLDEST_VERSION, SCHEMA_VERSION, schema, upgrade } from './schema.ts';

/** The first with `idle_session_timeout`. */
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

/** For what is read or filled as it is. */
export function requireUpToDate(version: number): void {
  if (version < SCHEMA_VERSION) throw new StoreVersionError('OLDER_STORE', version);
}

/** Brings the tables up to date, in the caller's transaction. If several processes start at once, one does it. */
export async function migrate(query: Query, name: string | undefined): Promise<Migration | undefined> {
  await query('SET LOCAL statement_timeout = 0');
  await query(`SELECT pg_advisory_xact_lock(${startKey})`, [name]);
  if (name !== undefined) await createSchema(query, name);
  const version = await schemaVersion(query);
  if (version === SCHEMA_VERSION) return undefined;
  if (version !== 0) await requireUpgradable(query, version);
  // Not counting the wait for another process.
  const began = performance.now();
  await query(
    'CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
  );
  await query(version === 0 ? schema : upgrade);
  await query('INSERT INTO migrations (version) VALUES ($1)', [SCHEMA_VERSION]);
  return migrationOf(version, SCHEMA_VERSION, began);
}

async function requireUpgradable(query: Query, version: number): Promise<void> {
  if (version < OLDEST_VERSION)
    throw new Error(`it is of a version of Darkroom that was never released (schema ${version}).`);
  if ((await countMembers(query)) > 0)
    throw new Error('processes of an older version of Darkroom still work on it. Stop all of them first.');
}

/** `IF NOT EXISTS` would ask for the right to create one even where it exists. */
async function createSchema(query: Query, schema: string): Promise<void> {
  const [known] = await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (known === undefined) await query(`CREATE SCHEMA ${schema}`);
}
