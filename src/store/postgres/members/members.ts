import { randomUUID } from 'node:crypto';
import { machineTime } from '../../../base/clock.ts';
import type { MemberInfo, Members, MemberWatcher } from '../../../base/members/members.ts';
import type { Log } from '../../../log/log.ts';
import { StoreRequestedError } from '../../records/store-error.ts';
import { HAS_NOTHING, MEMBER_LOCKS } from './lock-keys.ts';
import { createNamedLocks } from './named-locks.ts';
import { CONNECT_MS, openSession, type PgSession, type PgSessionOptions, TRUSTED_MS } from './session.ts';

export interface MembersOptions extends Omit<PgSessionOptions, 'process' | 'startedAt'> {
  /** What this process has to do, for the others to see. */
  readonly load: () => Readonly<Record<string, number>>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Monotonic time in ms. */
  readonly passed?: (() => number) | undefined;
}

export interface PostgresMembers extends Members {
  /** Whether every process that was cut off together with this one, and lives, has joined again. */
  isSettled(): boolean;
  close(): Promise<void>;
}

const REJOIN_MS = 1_000;
/**
 * From the moment at which the database can be reached again: until a process finds out that it was cut off, or its attempt and a
 * pause are over, and it has connected.
 */
const LONGEST_REJOIN_MS = Math.max(TRUSTED_MS, CONNECT_MS + REJOIN_MS) + CONNECT_MS;
const TELL_MS = 3_000;
/** Dead members that are kept for the owner to see. */
const MOST_REMEMBERED = 100;
const MOST_LISTED = 200;

/** Joins the processes on this database; rejects when that is not possible. What is lost later is joined again under another id. */
export async function joinMembers(options: MembersOptions): Promise<PostgresMembers> {
  const { load, log, requested, passed = machineTime.passed } = options;
  const watchers = new Set<MemberWatcher>();
  const own = randomUUID();
  const startedAt = new Date();
  let joinedAt = 0;
  let isClosed = false;
  let rejoining: NodeJS.Timeout | undefined;

  const tell = (what: keyof MemberWatcher): void => {
    for (const watcher of watchers) watcher[what]?.();
  };
  const open = async (): Promise<PgSession> => {
    const opened = await openSession({ ...options, process: own, startedAt });
    joinedAt = passed();
    opened.lost.addEventListener('abort', () => lost(opened.lost.reason));
    return opened;
  };
  const lost = (reason: unknown): void => {
    if (isClosed) return;
    log.warn({ err: reason }, 'the session with the database was lost: work is suspended until it is back');
    tell('lost');
    void rejoin();
  };
  const rejoin = async (): Promise<void> => {
    try {
      const opened = await open();
      if (isClosed) return await opened.close();
      session = opened;
    } catch (error) {
      if (error instanceof StoreRequestedError) requested();
      if (!isClosed) rejoining = setTimeout(() => void rejoin(), REJOIN_MS);
      return;
    }
    log.info({ member: session.id() }, 'there is a session with the database again: work resumes');
    tell('joined');
  };
  let session = await open();
  const present = (): PgSession | undefined => (session.isAlive() ? session : undefined);
  const locks = createNamedLocks(present);

  const tellOthers = async (): Promise<void> => {
    const state = JSON.stringify({ holds: locks.held(), load: load() });
    await present()?.query('UPDATE members SET state = $2, seen_at = now() WHERE id = $1', [
      session.id(),
      state,
    ]);
  };
  const telling = setInterval(() => void tellOthers().catch(() => undefined), TELL_MS).unref();

  await session.query(
    `DELETE FROM members WHERE id NOT IN (SELECT objid::bigint FROM ${MEMBER_LOCKS})
     AND (seen_at < now() - interval '1 day' OR id <= (SELECT max(id) FROM members) - $1) AND ${HAS_NOTHING}`,
    [MOST_REMEMBERED],
  );

  return {
    id: () => session.id(),
    process: own,
    isAlive: () => session.isAlive(),
    isSettled: () => passed() - joinedAt >= LONGEST_REJOIN_MS,
    count: () => session.count(),
    list: () =>
      session.query<MemberInfo>(
        `SELECT id::text, process, name, version, (extract(epoch FROM started_at) * 1000)::float8 AS "startedAt",
           id IN (SELECT objid::bigint FROM ${MEMBER_LOCKS}) AS "isAlive",
           coalesce(state -> 'holds', '[]') AS holds, coalesce(state -> 'load', '{}') AS load
         FROM members AS m WHERE NOT EXISTS (SELECT FROM members WHERE process = m.process AND id > m.id)
         ORDER BY m.id DESC LIMIT $1`,
        [MOST_LISTED],
      ),
    hold: locks.hold,
    keep: locks.keep,
    async renew() {
      await session.renew();
      tell('joined');
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    async close() {
      isClosed = true;
      clearTimeout(rejoining);
      clearInterval(telling);
      await session.close();
    },
  };
}
