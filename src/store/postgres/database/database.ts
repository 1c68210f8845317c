import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { Query as PgQuery, Pool, type PoolClient, types } from 'pg';
import type { Dialect, Driver, Query, Row, Transaction } from '../../tables/driver.ts';
import { isDead, MEMBER_LOCKS } from '../members/lock-keys.ts';
import { type DatabaseAddress, STATEMENT_MS } from './address.ts';
import { isTaken, isTransactionConflict } from './postgres-error.ts';

export type Database = ReturnType<typeof openDatabase>;

/** The most connections of each process, beside its session. */
export const CONNECTIONS = 10;
const CONNECT_MS = 10_000;
/** The longest that a statement without values may take: at a start it may wait for another process, on large tables. */
const SCRIPT_MS = 24 * 3_600_000;
const MOST_TRIES = 5;

/** Numbers up to 2^53, as everywhere else. */
const parsers = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === types.builtins.INT8 ? Number : types.getTypeParser(id, format),
};

/** Connects when it is first used, and whenever a connection was lost. `admit` rejects one that must not be used. */
export function openDatabase(
  { config, schema, setUp }: DatabaseAddress,
  admit: (query: Query) => Promise<void> = async () => undefined,
) {
  const sockets = new Set<Socket>();
  const newSocket = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const pool = new Pool({
    ...config,
    stream: newSocket,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    // A server that vanished does not keep to its own limit.
    query_timeout: STATEMENT_MS + 5_000,
    application_name: 'darkroom',
    // Statements that are not awaited in between travel together.
    pipeline: true,
    types: parsers,
    onConnect: async (client) => {
      await client.query(`${setUp} SET synchronous_commit = on`);
      await admit(async (text) => (await client.query<Row>(text)).rows);
    },
  });
  const close = async (): Promise<void> => (pool.ending ? undefined : pool.end());
  const query: Query = (text, values) => repeated(() => run(pool, text, values));
  const lossy: Query = (text, values) => query(lossyText(text), values);
  // Errors of an idle connection; the next query opens another.
  pool.on('error', () => undefined);
  // Errors between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => void client.on('error', () => undefined));

  return {
    schema,
    /** One statement, one transaction: on disk when it resolves, unless it is lossy. */
    query: Object.assign(query, { lossy, unawaited: lossy }),
    transaction: <T>(work: (query: Transaction) => Promise<T>): Promise<T> =>
      repeated(async () => {
        const client = await pool.connect();
        const sent: Promise<unknown>[] = [];
        const write: Transaction['write'] = (text, values) => {
          const done = run(client, text, values);
          done.catch(() => undefined);
          sent.push(done);
        };
        const ask: Query = (text, values) => run(client, text, values);
        const query: Transaction = Object.assign(ask, {
          lossy: (text: string, values?: readonly unknown[]) => run(client, lossyText(text), values),
          write,
        });
        let failure: unknown;
        try {
          write('BEGIN', []);
          const result = await work(query);
          await Promise.all([...sent, client.query('COMMIT')]);
          return result;
        } catch (error) {
          failure = error;
          // When this fails too, the connection is gone, and the server undoes it.
          await client.query('ROLLBACK').then(
            () => (failure = undefined),
            () => undefined,
          );
          // All that follow one that failed fail, too: the first says why.
          await Promise.all(sent);
          throw error;
        } finally {
          client.release(failure !== undefined);
        }
      }),
    /** Statements that cannot stand in a transaction. */
    async outside(text: string): Promise<void> {
      const client = await pool.connect();
      try {
        await client.query('SET statement_timeout = 0');
        await run(client, text);
      } finally {
        client.release(true);
      }
    },
    /** Cuts every connection: pending queries get an error, and the next query opens another. */
    disconnect(): void {
      for (const socket of sockets) socket.destroy();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A statement that changes a row turns the waiting for the disk off for its own transaction: a statement for that would take longer. */
const OFF = "(SELECT set_config('synchronous_commit', 'off', true)) AS lossy";
const lossyTexts = new Map<string, string>();
function lossyText(text: string): string {
  const known = lossyTexts.get(text) ?? `${text}, ${OFF}`;
  lossyTexts.set(text, known);
  return known;
}

const names = new Map<string, string>();

/** The texts are constants of the program, so that each is prepared once for each connection. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
  names.set(text, name);
  return name;
}

/** A statement that is prepared once for each connection. Given as a plain object, `pg` would copy it for each run, in 8 µs. */
class PreparedStatement extends PgQuery {
  declare text: string;
  declare name: string;

  constructor(text: string, values: readonly unknown[]) {
    super(text, [...values]);
    this.name = nameOf(text);
  }
}

function run(on: Pool | PoolClient, text: string, values?: readonly unknown[]): Promise<Row[]> {
  const query =
    values === undefined ? { text, query_timeout: SCRIPT_MS } : new PreparedStatement(text, values);
  return new Promise((resolve, reject) => {
    on.query<Row>(query, (error, result) => (error ? reject(error) : resolve(result.rows)));
  });
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isTransactionConflict(error)) throw error;
    }
  }
}

const key = (what: string, name: string): string =>
  `hashtextextended(current_schema() || '/${what}/' || ${name}, 0)`;

/** Members who only lost their session: their process has another id now. */
const rejoined = `SELECT former.id FROM members AS former JOIN members AS later USING (process)
  WHERE later.id > former.id AND later.id IN (SELECT objid::integer FROM ${MEMBER_LOCKS})`;

/** The pieces of statements as PostgreSQL has them. */
export const dialect: Dialect = {
  isSole: false,
  forUpdate: ' FOR UPDATE',
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  greatest: 'greatest',
  least: 'least',
  now: '(extract(epoch FROM now()) * 1000)::bigint',
  // It is a subquery, because the planner knows that one is read once, and can search an index for it.
  clock: '(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint)',
  indexedBy: () => '',
  // `OFFSET 0`: planned by itself, so that all jobs are not read in order to find the few that are unfinished.
  unfinishedJobs: '(SELECT * FROM jobs WHERE finished_at IS NULL OFFSET 0) AS jobs',
  nextSeq: (table) => `nextval('${table}_seq')`,
  list: (list, type) => `unnest(${list}::${type}[]) AS list (value)`,
  rows: (list) => `jsonb_array_elements(${list}::jsonb) AS list (value)`,
  bytes: (text) => `decode(${text}, 'hex')`,
  given: ' OVERRIDING SYSTEM VALUE',
  sharedLock: (person) =>
    `SELECT CASE WHEN ${person}::text IS NOT NULL THEN pg_advisory_xact_lock_shared(${key('person', `${person}::text`)})::text END AS locked`,
  lock: (what, names) =>
    `SELECT pg_advisory_xact_lock(${key(what, 'value')}) FROM unnest(${names}::text[]) AS list (value)`,
  isDead,
  rejoined,
};

/** The driver that the tables use, over the pool of a process. */
export function driverOf({ query, transaction }: Pick<Database, 'query' | 'transaction'>): Driver {
  return {
    query,
    transaction,
    together: (work) => work(query.lossy),
    // Every statement but the lossy ones is on disk when it resolves.
    onDisk: async () => undefined,
    removed: () => undefined,
    isDuplicate: isTaken,
    sql: dialect,
  };
}
