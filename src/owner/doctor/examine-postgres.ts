import { databaseAddressOf } from '../../store/postgres/database/address.ts';
import { CONNECTIONS } from '../../store/postgres/database/database.ts';
import { clientOf, findPooler, type Pooler } from '../../store/postgres/database/pooler.ts';
import { startError } from '../../store/postgres/database/postgres-error.ts';
import { MEMBER_LOCKS, SCHEMA_OID } from '../../store/postgres/members/lock-keys.ts';

/** The facts about a PostgreSQL server that the doctor judges. */
export interface PostgresFacts {
  readonly shown: string;
  /** The user, quoted as in SQL, like every name here. */
  readonly user: string;
  readonly database: string;
  readonly version: number;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  /** The setting of server, database and user; Darkroom's own connections set it themselves. */
  readonly synchronousCommit: string;
  readonly mostConnections: number;
  /** Connections that are reserved for superusers and others with special rights. */
  readonly reserved: number;
  readonly others: number;
  /** The limit of connections of this user; null if there is none. */
  readonly mostOfUser: number | null;
  /** The limit of connections of this database; null if there is none. */
  readonly mostOfDatabase: number | null;
  readonly perProcess: number;
  readonly processes: number;
  /** The schema of the tables; null if it does not exist. */
  readonly schema: string | null;
  /** Whether the user may create the schema, or tables in it. */
  readonly canCreate: boolean;
  readonly hasTables: boolean;
  /** Tables and sequences that the user may not read or write. */
  readonly unusable: readonly string[];
  /** Tables of another user, which this one cannot upgrade. */
  readonly foreign: readonly string[];
  readonly pooler: Pooler;
  /** How far the server's clock is ahead, at least and at most. */
  readonly clockAheadMs: readonly [least: number, most: number];
}

const CONNECT_MS = 10_000;
const CLOCK_READINGS = 5;

const tablesThat = (condition: string): string =>
  `ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = ${SCHEMA_OID} AND relkind IN ('r', 'S') AND NOT ${condition})`;

/**
 * Makes the query for the facts, without parameters, which some poolers cannot pass on. `isNamed`: the URL names a schema,
 * which could be created.
 */
function factsOf(isNamed: boolean): string {
  return `SELECT quote_ident(current_user) AS "user", quote_ident(current_database()) AS database,
  current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS "isStandby",
  current_setting('default_transaction_read_only')::bool AS "isReadOnly", current_setting('fsync')::bool AS fsync,
  current_setting('full_page_writes')::bool AS "fullPageWrites", current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('max_connections')::int AS "mostConnections",
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) AS reserved,
  (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user) AS "mostOfUser",
  (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()) AS "mostOfDatabase",
  (SELECT count(*)::int FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND application_name NOT LIKE 'darkroom%'
    AND coalesce(backend_type, 'client backend') = 'client backend') AS others,
  (SELECT count(*)::int FROM ${MEMBER_LOCKS}) AS processes, quote_ident(current_schema()) AS schema,
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), ${isNamed} AND has_database_privilege(current_database(), 'CREATE')) AS "canCreate",
  to_regclass(quote_ident(current_schema()) || '.migrations') IS NOT NULL AS "hasTables",
  ${tablesThat("pg_has_role(relowner, 'USAGE')")} AS foreign,
  ${tablesThat(`CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE') ELSE has_table_privilege(oid, 'SELECT')
    AND has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE') END`)} AS unusable`;
}

type Told = Omit<PostgresFacts, 'shown' | 'perProcess' | 'pooler' | 'clockAheadMs'>;

/** Asks a server for its facts; changes nothing there. */
export async function examinePostgres(url: string): Promise<PostgresFacts> {
  const { config, shown, schema, setUp } = databaseAddressOf(url);
  const ours = { ...config, application_name: 'darkroom doctor' };
  const client = clientOf(ours, CONNECT_MS);
  try {
    await client.connect();
    await client.query(setUp);
    const [facts] = (await client.query<Told>(factsOf(schema !== undefined))).rows;
    if (facts === undefined) throw new Error('it says nothing of itself.');
    return {
      ...facts,
      shown,
      // Each process has a session beside its pool.
      perProcess: CONNECTIONS + 1,
      pooler: await findPooler(client, ours),
      clockAheadMs: await compareClocks(client),
    };
  } catch (error) {
    throw startError(error, shown, 'read');
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Compares the clocks: the server reads its clock between request and answer, and the narrowest of some readings counts. */
async function compareClocks(client: ReturnType<typeof clientOf>): Promise<readonly [number, number]> {
  let least = Number.NEGATIVE_INFINITY;
  let most = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < CLOCK_READINGS; reading += 1) {
    const sent = Date.now();
    const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now');
    const now = Number(rows[0]?.now);
    least = Math.max(least, now - Date.now());
    most = Math.min(most, now - sent);
  }
  return [least, most];
}
