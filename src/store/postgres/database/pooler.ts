import { Client, type ClientConfig } from 'pg';
import { StoreError } from '../../records/store-error.ts';
import { SHARED_SESSIONS_MESSAGE } from '../members/session.ts';
import type { DatabaseAddress } from './address.ts';

/** `shared`: sessions are shared by a pooler. `session`: a pooler that does not was all that could be found. */
export type Pooler = 'none' | 'session' | 'shared';

const CONNECT_MS = 10_000;
const OTHER_CLIENTS = 5;
const OTHER_CLIENT_MS = 3_000;

/**
 * A server tells each client the id of its process when it connects. A pooler makes up another one, and one that shares sessions
 * gives an idle session to the next client: so many are asked for at once that ours must be among them.
 */
export async function findPooler(client: Client, config: ClientConfig): Promise<Pooler> {
  const pidOf = async (of: Client): Promise<number> =>
    Number((await of.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid);
  const own = await pidOf(client);
  if ('processID' in client && client.processID === own) return 'none';
  const others: Client[] = [];
  try {
    for (let count = 0; count < OTHER_CLIENTS; count += 1) {
      const other = clientOf(config, OTHER_CLIENT_MS);
      others.push(other);
      await other.connect();
      // Keeps its session to itself until the end.
      await other.query('BEGIN');
      if ((await pidOf(other)) === own || (await pidOf(client)) !== own) return 'shared';
    }
    return 'session';
  } catch (error) {
    // A pooler that shares sessions for each statement knows no transactions; no session left: they are not shared.
    return error instanceof Error && /transaction/i.test(error.message) ? 'shared' : 'session';
  } finally {
    for (const other of others) void other.end().catch(() => undefined);
  }
}

/** A connection apart from the pool, whose errors are those of its statements. */
export function clientOf(config: ClientConfig, connectionTimeoutMillis: number): Client {
  const client = new Client({ ...config, connectionTimeoutMillis, query_timeout: CONNECT_MS });
  return client.on('error', () => undefined);
}

/** For processes that write: their statements could reach other sessions than they are meant for. */
export async function refuseSharedSessions({ config }: DatabaseAddress): Promise<void> {
  const client = clientOf(config, CONNECT_MS);
  try {
    await client.connect();
    if ((await findPooler(client, config)) === 'shared') throw new StoreError(SHARED_SESSIONS_MESSAGE);
  } finally {
    void client.end().catch(() => undefined);
  }
}
