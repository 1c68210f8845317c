import { Socket } from 'node:net';
import { hostname } from 'node:os';
import { Client, type ClientConfig, type QueryResultRow } from 'pg';
import { machineTime } from '../../../base/clock.ts';
import { StoreError, StoreReplacedError } from '../../records/store-error.ts';
import { HAS_NO_JOBS, MEMBER_LOCKS, memberKey, RESTORE_ID, WAIT_FOR_RESTORE } from './lock-keys.ts';

export type PgSession = Awaited<ReturnType<typeof openSession>>;

export interface PgSessionOptions {
  readonly config: ClientConfig;
  readonly setUp: string;
  readonly process: string;
  readonly version: string;
  readonly startedAt: Date;
  /** The id of the restore that had filled the store when this process opened it; null: none had. */
  readonly restored: string | null;
}

/** `idle_session_timeout`: the server gives up a session that is silent for this long. */
const SESSION_SILENCE_MS = 8_000;
/** Less than `SESSION_SILENCE_MS`, so that this process stops before the server gives up its session. */
export const TRUSTED_MS = 6_500;
/** The longest that an attempt to connect may take. */
export const REJOIN_CONNECT_MS = 4_000;
const PING_MS = 1_000;
/** So long a lost session may last at the server, which may have heard one ping more than was answered. */
export const LINGERS_MS = SESSION_SILENCE_MS + PING_MS - TRUSTED_MS;
/** So long a former id is kept, so that what is claimed under it can be brought under the new one. */
const LEAVE_MS = 2_000;

/** The message to the owner where sessions are shared. */
export const SHARED_SESSIONS_MESSAGE =
  'STORE_URL leads through a connection pooler that shares sessions (PgBouncer with pool_mode = transaction or statement). ' +
  'Darkroom needs sessions of its own: connect to PostgreSQL directly, or set pool_mode = session.';

const PING = `SELECT pg_backend_pid() AS pid, (SELECT count(*)::int FROM ${MEMBER_LOCKS}) AS members`;

/**
 * A process's connection apart from the pool. While it lasts, an advisory lock says that the member is alive. The server ends
 * it when it has heard nothing for a while, so the lock of a frozen process or a vanished machine becomes free; no
 * clocks are compared.
 */
export async function openSession(options: PgSessionOptions) {
  const socket = new Socket();
  const client = new Client({
    ...options.config,
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: REJOIN_CONNECT_MS,
    application_name: 'darkroom session',
  });
  const end = new AbortController();
  /** When the latest request that was answered was sent: the server was not silent then. */
  let proven = timeMark();
  let expiry: NodeJS.Timeout | undefined;
  let pings: NodeJS.Timeout | undefined;
  let members = 1;

  const lose = (reason: unknown): void => {
    if (end.signal.aborted) return;
    clearTimeout(expiry);
    clearTimeout(pings);
    // A half-open connection would be waited for otherwise.
    socket.destroy();
    end.abort(reason);
  };
  /** Whether the server cannot have given up this session yet. Ends the session if it may have. */
  const isAlive = (): boolean => {
    if (proven.elapsed() >= TRUSTED_MS) lose(new Error('The database did not answer in time.'));
    return !end.signal.aborted;
  };
  /** One request at a time, as `pg` demands. */
  let last: Promise<unknown> = Promise.resolve();
  const ask = async <Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> => {
    end.signal.throwIfAborted();
    const sent = timeMark();
    const { rows } = await client.query<Row>(text, [...values]);
    end.signal.throwIfAborted();
    proven = sent;
    clearTimeout(expiry);
    expiry = setTimeout(isAlive, TRUSTED_MS - sent.elapsed()).unref();
    return rows;
  };
  const query = <Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    const answer = last.then(() => ask<Row>(text, values));
    last = answer.catch(() => undefined);
    return answer;
  };

  client.on('error', lose);
  client.on('end', () => lose(new Error('The connection to the database ended.')));
  try {
    await client.connect();
    const [server] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // Nothing is waited for on disk: statements about the member itself may be lost.
    await query(
      `${options.setUp} SET idle_session_timeout = ${SESSION_SILENCE_MS}; SET synchronous_commit = off`,
    );
    const join = async (): Promise<number> => {
      // Waits for a restore that is under way; none can begin before this statement has ended.
      const [joined] = await query<{ id: number }>(
        `WITH restore AS MATERIALIZED (SELECT ${WAIT_FOR_RESTORE}),
           joined AS (INSERT INTO members (name, version, started_at, process) SELECT $1, $2, $3, $4 FROM restore RETURNING id)
         SELECT id, pg_advisory_lock(${memberKey('id')}) FROM joined`,
        [`${hostname()}:${process.pid}`, options.version, options.startedAt, options.process],
      );
      if (joined === undefined) throw new Error('The database did not return the id of the new member.');
      return joined.id;
    };
    const leave = async (former: number): Promise<void> => {
      // The former one is kept, so that others see that the process lives.
      await query(`DELETE FROM members WHERE process = $1 AND id < $2 AND ${HAS_NO_JOBS}`, [
        options.process,
        former,
      ]);
      await query(`SELECT pg_advisory_unlock(${memberKey('$1')})`, [former]);
    };
    let id = await join();
    const [now] = await query<{ restored: string | null }>(`SELECT ${RESTORE_ID} AS restored`);
    // This process has in memory what the store held before the restore.
    if (now?.restored !== options.restored) throw new StoreReplacedError();
    const ping = async (): Promise<void> => {
      const [answer] = await query<{ pid: number; members: number }>(PING);
      if (answer === undefined || answer.pid !== server?.pid)
        return lose(new StoreError(SHARED_SESSIONS_MESSAGE));
      members = Math.max(1, answer.members);
    };
    const pingLater = (): void => {
      pings = setTimeout(() => void ping().then(pingLater, lose), PING_MS).unref();
    };
    await ping();
    end.signal.throwIfAborted();
    pingLater();
    return {
      id: () => String(id),
      /** Aborts when the lock is lost, or may be. */
      lost: end.signal,
      isAlive,
      count: () => members,
      query,
      async renew(): Promise<void> {
        const former = id;
        id = await join();
        setTimeout(() => void leave(former).catch(lose), LEAVE_MS).unref();
      },
      async close(): Promise<void> {
        await query('DELETE FROM members WHERE process = $1', [options.process]).catch(() => undefined);
        lose(new Error('The session was closed.'));
      },
    };
  } catch (error) {
    lose(error);
    throw error;
  }
}

/** One clock stands still while the machine sleeps, the other can be set: whichever says that more time has elapsed counts. */
function timeMark() {
  const passed = machineTime.passed();
  const wall = machineTime.wall();
  return { elapsed: () => Math.max(machineTime.passed() - passed, machineTime.wall() - wall) };
}
