import { type Migration, migrationOf } from '../../records/migration.ts';
import { StoreVersionError } from '../../records/store-error.ts';
import { memberTables } from '../members/tables.ts';
import type { Query } from './database.ts';
import { functions } from './functions.ts';
import { givenCredits } from './given-credits.ts';
import { inboxTables } from './inbox-tables.ts';
import { ledgerTables } from './ledger-tables.ts';
import { lineFunctions } from './line-functions.ts';
import { lockOrder } from './lock-order.ts';
import { ownRecords } from './own-records.ts';
import { photoProcesses, rejoinedProcesses } from './photo-processes.ts';
import { tables } from './schema.ts';
import { searchIndexes } from './search-indexes.ts';
import { tallyTables } from './tally-tables.ts';
import { turnKeys } from './turn-keys.ts';

/** One entry per version: entries are added at the end and never changed. */
const migrations: readonly string[] = [
  `${tables}\n${functions}\n${lineFunctions}\n${memberTables}`,
  inboxTables,
  photoProcesses,
  ownRecords,
  tallyTables,
  ledgerTables,
  // The audit trail of a community by person, and without its accepted jobs.
  `CREATE INDEX audit_person ON audit (community, actor, seq);
   CREATE INDEX audit_acts ON audit (community, seq) WHERE action <> 'job'`,
  // How the program is doing, see records/figures.ts.
  'CREATE TABLE figures (scale text NOT NULL, at bigint NOT NULL, body bytea NOT NULL, PRIMARY KEY (scale, at))',
  searchIndexes,
  givenCredits,
  lockOrder,
  rejoinedProcesses,
  turnKeys,
];

/** The first with `idle_session_timeout`. */
export const OLDEST_SERVER = 140_000;

/** How many migrations have been applied. Throws where this version of Darkroom cannot work. */
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
  if (version > migrations.length) throw new StoreVersionError('NEWER_STORE', version);
  return version;
}

/** Of the advisory lock that a start takes; `$1`: the schema. */
export const startKey = "hashtextextended('darkroom migrations ' || coalesce($1, ''), 0)";

const isUpToDate = (version: number): boolean => version === migrations.length;

/** For what is read or filled as it is. */
export function requireUpToDate(version: number): void {
  if (!isUpToDate(version)) throw new StoreVersionError('OLDER_STORE', version);
}

/** Brings the tables up to date, in the caller's transaction. Of several processes that start at once, one does it. */
export async function migrate(query: Query, schema: string | undefined): Promise<Migration | undefined> {
  await query('SET LOCAL statement_timeout = 0');
  await query(`SELECT pg_advisory_xact_lock(${startKey})`, [schema]);
  if (schema !== undefined) await createSchema(query, schema);
  const version = await schemaVersion(query);
  if (isUpToDate(version)) return undefined;
  // Not counting the wait for another process.
  const began = performance.now();
  await query(
    'CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
  );
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue;
    await query(migration);
    await query('INSERT INTO migrations (version) VALUES ($1)', [index + 1]);
  }
  return migrationOf(version, migrations.length, began);
}

/** `IF NOT EXISTS` would ask for the right to create one even where it exists. */
async function createSchema(query: Query, schema: string): Promise<void> {
  const [known] = await query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (known === undefined) await query(`CREATE SCHEMA ${schema}`);
}
