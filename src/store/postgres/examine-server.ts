import { Client, type ClientConfig } from 'pg';
import { addressOf } from './database/address.ts';
import { CONNECTIONS } from './database/database.ts';
import { findPooler, type Pooler } from './database/pooler.ts';
import { startError } from './database/postgres-error.ts';
import { MEMBER_LOCKS } from './members/lock-keys.ts';

/** What a database server says of itself, for the owner's tools. Nothing is changed there. */
export interface ServerFacts {
  readonly shown: string;
  /** As SQL writes it, like every name here. */
  readonly user: string;
  readonly database: string;
  /** Such as 150004. */
  readonly version: number;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly fsync: boolean;
  readonly fullPageWrites: boolean;
  /** As the server, the database and the user have it; Darkroom's own connections set it. */
  readonly synchronousCommit: string;
  readonly connections: {
    readonly most: number;
    /** For superusers and others with special rights. */
    readonly reserved: number;
    /** In use by other programs now. */
    readonly others: number;
    readonly ofUser: number | undefined;
    readonly ofDatabase: number | undefined;
    readonly perProcess: number;
    /** Processes of Darkroom that run on this store. */
    readonly processes: number;
  };
  readonly pooler: Pooler;
  /** By how much the server's clock is ahead, at least and at most. */
  readonly clockAheadMs: readonly [least: number, most: number];
  readonly rights: Rights;
}

interface Rights {
  /** The schema of the tables; undefined: it does not exist. */
  readonly schema: string | undefined;
  /** Whether the schema, or tables in it, can be made. */
  readonly canCreate: boolean;
  /** There are tables of Darkroom. */
  readonly hasTables: boolean;
  /** Tables and sequences that cannot be used. */
  readonly unusable: readonly string[];
  /** Tables of another user, which cannot be brought up to date. */
  readonly foreign: readonly string[];
}

const CONNECT_MS = 10_000;
const QUERY_MS = 10_000;
const CLOCK_READINGS = 5;

const FACTS = `SELECT quote_ident(current_user) AS "user", quote_ident(current_database()) AS database,
  current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS standby,
  current_setting('default_transaction_read_only')::bool AS read_only, current_setting('fsync')::bool AS fsync,
  current_setting('full_page_writes')::bool AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('max_connections')::int AS most,
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) AS reserved,
  (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS of_user,
  (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS of_database,
  (SELECT count(*)::int FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND application_name NOT LIKE 'darkroom%'
    AND coalesce(backend_type, 'client backend') = 'client backend') AS others,
  (SELECT count(*)::int FROM ${MEMBER_LOCKS}) AS processes,
  quote_ident(current_schema()) AS schema, has_database_privilege(current_database(), 'CREATE') AS can_create_schema,
  coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS can_create,
  to_regclass(quote_ident(current_schema()) || '.migrations') IS NOT NULL AS has_tables`;

const TABLES = `SELECT relname AS name, pg_has_role(relowner, 'USAGE') AS owned,
  CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE') ELSE has_table_privilege(oid, 'SELECT')
    AND has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE') END AS usable
  FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'S')`;

export async function examineServer(url: string): Promise<ServerFacts> {
  const { config, shown, schema, setUp } = addressOf(url);
  const client = clientOf(config, CONNECT_MS);
  try {
    await client.connect();
    await client.query(setUp);
    const facts = (await client.query(FACTS)).rows[0] ?? {};
    const limit = (value: number): number | undefined => (value < 0 ? undefined : value);
    return {
      shown,
      user: facts.user,
      database: facts.database,
      version: facts.version,
      isStandby: facts.standby,
      isReadOnly: facts.read_only,
      fsync: facts.fsync,
      fullPageWrites: facts.full_page_writes,
      synchronousCommit: facts.synchronous_commit,
      connections: {
        most: facts.most,
        reserved: facts.reserved,
        others: facts.others,
        ofUser: limit(facts.of_user),
        ofDatabase: limit(facts.of_database),
        // The session beside the pool.
        perProcess: CONNECTIONS + 1,
        processes: facts.processes,
      },
      pooler: await findPooler(client, (ms) => clientOf(config, ms)),
      clockAheadMs: await compareClocks(client),
      rights: {
        schema: facts.schema ?? undefined,
        canCreate: facts.schema === null ? schema !== undefined && facts.can_create_schema : facts.can_create,
        hasTables: facts.has_tables === true,
        ...(facts.has_tables === true ? await tablesFor(client) : { unusable: [], foreign: [] }),
      },
    };
  } catch (error) {
    throw startError(error, shown, 'read');
  } finally {
    void client.end().catch(() => undefined);
  }
}

function clientOf(config: ClientConfig, connectionTimeoutMillis: number): Client {
  const client = new Client({
    ...config,
    connectionTimeoutMillis,
    query_timeout: QUERY_MS,
    application_name: 'darkroom doctor',
  });
  client.on('error', () => undefined);
  return client;
}

async function tablesFor(client: Client): Promise<Pick<Rights, 'unusable' | 'foreign'>> {
  const { rows } = await client.query<{ name: string; owned: boolean; usable: boolean }>(TABLES);
  const namesOf = (which: typeof rows): string[] => which.map(({ name }) => name);
  return {
    unusable: namesOf(rows.filter(({ usable }) => !usable)),
    foreign: namesOf(rows.filter(({ owned }) => !owned)),
  };
}

/** The clock was read between request and answer: the narrowest of some readings. */
async function compareClocks(client: Client): Promise<readonly [number, number]> {
  let [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let reading = 0; reading < CLOCK_READINGS; reading += 1) {
    const sent = Date.now();
    const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now');
    const now = Number(rows[0]?.now);
    least = Math.max(least, now - Date.now());
    most = Math.min(most, now - sent);
  }
  return [least, most];
}
