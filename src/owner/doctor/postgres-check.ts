import type { Finding } from '../../adapters/connection.ts';
import { OLDEST_SERVER } from '../../store/postgres/database/schema.ts';
import { examinePostgres, type PostgresFacts } from './examine-postgres.ts';

/** The clocks may differ by this much, because times of jobs are compared with the clocks of all processes. */
const MOST_CLOCK_MS = 2_000;

/** Checks whether the server is set up so that nothing is lost there and all processes can work. Changes nothing there. */
export async function checkPostgres(
  url: string,
): Promise<{ readonly isNew: boolean; readonly findings: readonly Finding[] }> {
  const facts = await examinePostgres(url);
  return {
    isNew: !facts.hasTables,
    findings: [server(facts), rights(facts), durability(facts), connections(facts), clock(facts)],
  };
}

function finding(name: string, detail: string, troubles: readonly (readonly [string, string])[]): Finding {
  if (troubles.length === 0) return { name, ok: true, detail };
  const details = troubles.map(([what]) => what);
  const cures = troubles.map(([, cure]) => cure);
  return { name, ok: false, detail: details.join('; '), cure: cures.join(' ') };
}

function* when(condition: boolean, what: string, cure: string): Generator<readonly [string, string]> {
  if (condition) yield [what, cure];
}

function server({ shown, version, isStandby, isReadOnly, pooler, user, perProcess }: PostgresFacts): Finding {
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  const through =
    pooler === 'session'
      ? `, through a connection pooler (its pool_mode must stay session; for each process it needs ${perProcess} connections: default_pool_size)`
      : '';
  return finding('Store server', `${name} at ${shown}${through}`, [
    ...when(version < OLDEST_SERVER, `${name} is too old`, 'Use PostgreSQL 14 or newer.'),
    ...when(isStandby, `${shown} is a standby`, 'Set STORE_URL to the primary server.'),
    ...when(
      isReadOnly && !isStandby,
      'transactions are read-only',
      `Reset it: ALTER ROLE ${user} RESET default_transaction_read_only; the same for the database and the server.`,
    ),
    ...when(
      pooler === 'shared',
      'a connection pooler shares sessions (PgBouncer with pool_mode = transaction or statement)',
      'Set STORE_URL to PostgreSQL itself, or set pool_mode = session.',
    ),
  ]);
}

function rights(facts: PostgresFacts): Finding {
  const { schema, canCreate, hasTables, unusable, foreign, user, database } = facts;
  const name = 'Store rights';
  if (!hasTables)
    return finding(name, `${user} can create the tables`, [
      ...when(
        !canCreate && schema !== null,
        `${user} may not create tables in the schema ${schema}`,
        `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${user}; or add ?schema=darkroom to STORE_URL for one of its own.`,
      ),
      ...when(
        !canCreate && schema === null,
        `the schema does not exist, and ${user} may not create it`,
        `CREATE SCHEMA darkroom AUTHORIZATION ${user}; and add ?schema=darkroom to STORE_URL, or GRANT CREATE ON DATABASE ${database} TO ${user};`,
      ),
    ]);
  return finding(name, `${user} can use the tables in the schema ${schema}`, [
    ...when(
      unusable.length > 0,
      `${user} may not read and write ${unusable.join(', ')}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user}; GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${user};`,
    ),
    ...when(
      foreign.length > 0,
      'tables belong to another user, so a new version of Darkroom cannot bring them up to date',
      `REASSIGN OWNED BY the other user TO ${user};`,
    ),
  ]);
}

const RELOAD = 'SELECT pg_reload_conf();';

function durability({ fsync, fullPageWrites, synchronousCommit }: PostgresFacts): Finding {
  const isWeak = ['off', 'local', 'remote_write'].includes(synchronousCommit);
  const detail = isWeak
    ? `what is written is on disk (synchronous_commit is ${synchronousCommit} for this user; Darkroom sets it to on for itself)`
    : 'what is written is on disk';
  return finding('Store durability', detail, [
    ...when(
      !fsync,
      'fsync is off: a power cut can destroy the database',
      `ALTER SYSTEM SET fsync = on; ${RELOAD}`,
    ),
    ...when(
      !fullPageWrites,
      'full_page_writes is off: a power cut can destroy the database',
      `ALTER SYSTEM SET full_page_writes = on; ${RELOAD}`,
    ),
  ]);
}

function connections(facts: PostgresFacts): Finding {
  const { mostConnections: most, reserved, others, perProcess, processes, user, database } = facts;
  const { mostOfUser: ofUser, mostOfDatabase: ofDatabase } = facts;
  const free = most - reserved - others;
  const enough = (limit: number | null): number => Math.max(0, Math.floor((limit ?? free) / perProcess));
  const needed = Math.max(1, processes);
  const least = Math.min(enough(free), enough(ofUser), enough(ofDatabase));
  const running =
    processes === 0 ? 'none is running' : `${processes} ${processes === 1 ? 'is' : 'are'} running`;
  const detail = `enough for ${least} ${least === 1 ? 'process' : 'processes'} of ${perProcess} connections (max_connections ${most}, ${reserved} reserved, ${others} used by others); ${running}`;
  const all =
    needed === 1
      ? `one process, which needs ${perProcess}`
      : `the ${needed} processes that are running, which need ${perProcess} each`;
  const short = (limit: number | null): boolean => enough(limit) < needed;
  return finding('Store connections', detail, [
    ...when(
      short(free),
      `max_connections is ${most}, of which ${reserved} are reserved and ${others} used by others: too few for ${all}`,
      `ALTER SYSTEM SET max_connections = ${reserved + others + needed * perProcess}; or more, then restart PostgreSQL.`,
    ),
    ...when(
      ofUser !== null && short(ofUser),
      `${user} may have ${ofUser} connections: too few for ${all}`,
      `ALTER ROLE ${user} CONNECTION LIMIT -1;`,
    ),
    ...when(
      ofDatabase !== null && short(ofDatabase),
      `the database may have ${ofDatabase} connections: too few for ${all}`,
      `ALTER DATABASE ${database} CONNECTION LIMIT -1;`,
    ),
  ]);
}

function clock({ clockAheadMs: [least, most] }: PostgresFacts): Finding {
  const ahead = least > MOST_CLOCK_MS;
  const seconds = Math.round(Math.abs(ahead ? least : most) / 1_000);
  return finding('Store clock', 'as on this machine', [
    ...when(
      ahead || most < -MOST_CLOCK_MS,
      `the server's clock is ${seconds} seconds ${ahead ? 'ahead of' : 'behind'} this machine's`,
      'Synchronise both machines with NTP (timedatectl set-ntp true).',
    ),
  ]);
}
