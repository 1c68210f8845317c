import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { Pool, type PoolClient, types } from 'pg';
import type { Query, Row, Transaction } from '../../tables/driver.ts';
import { type Address, STATEMENT_MS } from './address.ts';
import { isRepeatable } from './postgres-error.ts';

export type Database = ReturnType<typeof openDatabase>;

/** Connections of each process, beside its session. */
export const CONNECTIONS = 10;
const CONNECT_MS = 10_000;
/** For statements without values, at the start: other processes may run them too, on large tables. */
const SCRIPT_MS = 24 * 3_600_000;
const MOST_TRIES = 5;

/** Numbers up to 2^53, as everywhere else. */
const parsers = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === types.builtins.INT8 ? Number : types.getTypeParser(id, format),
};

/**
 * Connects when it is first used, and again whenever a connection was lost. `admit`: asked about every connection, which is not used
 * when it rejects.
 */
export function openDatabase(
  { config, schema, setUp }: Address,
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
  // Errors of an idle connection; the next query opens another.
  pool.on('error', () => undefined);
  // Errors between two statements of a transaction: the next statement fails.
  pool.on('connect', (client) => void client.on('error', () => undefined));

  return {
    /** Undefined: the first of the user's own search path. */
    schema,
    /** One statement, one transaction: on disk when it resolves, unless it is lossy. */
    query: (text: string, values?: readonly unknown[]) => repeated(() => run(pool, text, values)),
    /** All or nothing. `work` may be run several times. */
    transaction: <T>(work: (query: Transaction) => Promise<T>): Promise<T> =>
      repeated(async () => {
        const client = await pool.connect();
        const sent: Promise<unknown>[] = [];
        const write: Transaction['write'] = (text, values) => {
          const done = run(client, text, values);
          done.catch(() => undefined);
          sent.push(done);
        };
        const query = Object.assign<Query, Pick<Transaction, 'write'>>(
          (text, values) => run(client, text, values),
          { write },
        );
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
    close: async (): Promise<void> => (pool.ending ? undefined : pool.end()),
  };
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

async function run(on: Pool | PoolClient, text: string, values?: readonly unknown[]): Promise<Row[]> {
  const query =
    values === undefined
      ? { text, query_timeout: SCRIPT_MS }
      : { name: nameOf(text), text, values: [...values] };
  return (await on.query<Row>(query)).rows;
}

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isRepeatable(error)) throw error;
    }
  }
}
