import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { machineTime, untilAborted } from '../../../base/clock.ts';
import type { MemberInfo, Members, MemberWatcher, WorkUnderLock } from '../../../base/members/members.ts';
import type { Log } from '../../../log/log.ts';
import { StoreReplacedError } from '../../records/store-error.ts';
import { HAS_NO_JOBS, MEMBER_LOCKS, namedKey } from './lock-keys.ts';
import {
  LINGERS_MS,
  openSession,
  type PgSession,
  type PgSessionOptions,
  REJOIN_CONNECT_MS,
  TRUSTED_MS,
} from './session.ts';

const EVERY_MS = 1_000;
/** How often a lock may be refused because the server still holds it for this process's former session. */
const MOST_REFUSALS = Math.ceil(LINGERS_MS / EVERY_MS);

/** `session`: the present one; undefined while there is none. */
function createNamedLocks(session: () => PgSession | undefined) {
  /** PostgreSQL grants a session its own lock again: in one process a name is asked for once at a time. */
  const locks = new Map<string, 'asked for' | 'held'>();

  /** Undefined: there is no session, or it was lost meanwhile, and the lock with it. */
  const ask = async (name: string): Promise<PgSession | 'taken' | undefined> => {
    locks.set(name, 'asked for');
    const current = session();
    const sql = `SELECT pg_try_advisory_lock(${namedKey('$1')}) AS granted`;
    const [answer] = (await current?.query<{ granted: boolean }>(sql, [name]).catch(() => [])) ?? [];
    if (answer?.granted !== true) return answer && 'taken';
    locks.set(name, 'held');
    return current;
  };
  const unlock = async (name: string, from: PgSession): Promise<void> => {
    await from.query(`SELECT pg_advisory_unlock(${namedKey('$1')})`, [name]).catch(() => undefined);
    locks.delete(name);
  };
  const waitBefore = (until: AbortSignal): Promise<void> =>
    pause(EVERY_MS, undefined, { signal: until }).catch(() => undefined);

  /** Asks with whichever session there is; undefined when another process has it, or after `until`. */
  const acquire = async (
    name: string,
    until: AbortSignal,
    mostRefusals: number,
  ): Promise<PgSession | undefined> => {
    for (let refusals = 0; refusals <= mostRefusals && !until.aborted; await waitBefore(until)) {
      const answer = await ask(name);
      if (typeof answer === 'object') return answer;
      if (answer === 'taken') refusals += 1;
    }
    return undefined;
  };

  const run = async (
    name: string,
    work: WorkUnderLock,
    until: AbortSignal,
    isKept: boolean,
  ): Promise<void> => {
    while (!until.aborted) {
      if (locks.has(name)) {
        await waitBefore(until);
        continue;
      }
      const granted = await acquire(name, until, Number.POSITIVE_INFINITY);
      if (granted === undefined) return void locks.delete(name);
      let current = granted;
      const over = new AbortController();
      const ended = AbortSignal.any([over.signal, until, ...(isKept ? [] : [granted.lost])]);
      const follow = async (): Promise<void> => {
        while (!ended.aborted) {
          await untilAborted(AbortSignal.any([current.lost, ended]));
          const next = ended.aborted ? undefined : await acquire(name, ended, MOST_REFUSALS);
          if (next === undefined) over.abort();
          else current = next;
        }
      };
      const following = follow();
      try {
        if (!ended.aborted) await work(ended, () => current.isAlive());
        if (!ended.aborted) return;
      } catch (error) {
        if (!ended.aborted) throw error;
      } finally {
        over.abort();
        await following;
        await unlock(name, current);
      }
    }
  };

  return {
    held: () => [...locks].filter(([, state]) => state === 'held').map(([name]) => name),
    hold: (name: string, work: WorkUnderLock, until: AbortSignal) => run(name, work, until, false),
    keep: (name: string, work: WorkUnderLock, until: AbortSignal) => run(name, work, until, true),
  };
}

interface MembersOptions extends Omit<PgSessionOptions, 'process' | 'startedAt'> {
  /** A restore has replaced the store while this process was cut off from it. */
  readonly replaced: () => void;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly passed?: (() => number) | undefined;
}

/** The processes on one PostgreSQL, as one of them sees the others. */
export interface PostgresMembers extends Members {
  /** Whether every process that was cut off together with this one, and lives, has joined again. */
  isSettled(): boolean;
  close(): Promise<void>;
}

const REJOIN_MS = 1_000;
/** After the database is back: until a process finds that it was cut off, or ends its attempt and a pause, and has connected. */
const LONGEST_REJOIN_MS = Math.max(TRUSTED_MS, REJOIN_CONNECT_MS + REJOIN_MS) + REJOIN_CONNECT_MS;
const TELL_MS = 3_000;
/** Dead members that are kept for the owner to see. */
const MOST_REMEMBERED = 100;
const FORGET = `DELETE FROM members WHERE id NOT IN (SELECT objid::bigint FROM ${MEMBER_LOCKS})
  AND (seen_at < now() - interval '1 day' OR id <= (SELECT max(id) FROM members) - $1) AND ${HAS_NO_JOBS}`;
const MOST_LISTED = 200;

/** Joins the processes on this database; rejects when that is not possible. After its session is lost, a process joins again under another id. */
export async function joinMembers(options: MembersOptions): Promise<PostgresMembers> {
  const { log, replaced, passed = machineTime.passed } = options;
  const watchers = new Set<MemberWatcher>();
  const own = randomUUID();
  const startedAt = new Date();
  let load = (): MemberInfo['load'] => ({});
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
    opened.query(FORGET, [MOST_REMEMBERED]).catch(() => undefined);
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
      if (error instanceof StoreReplacedError) return replaced();
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

  return {
    id: () => session.id(),
    process: own,
    isShared: true,
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
    reportLoad(reported) {
      load = reported;
    },
    async close() {
      isClosed = true;
      clearTimeout(rejoining);
      clearInterval(telling);
      await session.close();
    },
  };
}
