import { setTimeout as pause } from 'node:timers/promises';
import { untilAborted } from '../../../base/clock.ts';
import type { KeepingWork } from '../../../base/members/members.ts';
import { namedKey } from './lock-keys.ts';
import { LINGERS_MS, type PgSession } from './session.ts';

const EVERY_MS = 1_000;
/** How often a lock may be refused because the server still holds it for this process's former session. */
const MOST_REFUSALS = Math.ceil(LINGERS_MS / EVERY_MS);

/** `session`: the present one; undefined while there is none. */
export function createNamedLocks(session: () => PgSession | undefined) {
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
  const tryLock = async (name: string): Promise<PgSession | undefined> => {
    if (locks.has(name)) return undefined;
    const answer = await ask(name);
    if (typeof answer === 'object') return answer;
    locks.delete(name);
    return undefined;
  };
  const unlock = async (name: string, from: PgSession): Promise<void> => {
    await from.query(`SELECT pg_advisory_unlock(${namedKey('$1')})`, [name]).catch(() => undefined);
    locks.delete(name);
  };
  /** Ends early when `until` aborts. */
  const waitBefore = (until: AbortSignal): Promise<void> =>
    pause(EVERY_MS, undefined, { signal: until }).catch(() => undefined);

  /** Takes the lock with each further session; undefined when another has it, or after `until`. */
  const regain = async (name: string, until: AbortSignal): Promise<PgSession | undefined> => {
    for (let refusals = 0; refusals <= MOST_REFUSALS && !until.aborted; await waitBefore(until)) {
      const answer = await ask(name);
      if (typeof answer === 'object') return answer;
      if (answer === 'taken') refusals += 1;
    }
    return undefined;
  };

  const run = async (name: string, work: KeepingWork, until: AbortSignal, isKept: boolean): Promise<void> => {
    while (!until.aborted) {
      const granted = await tryLock(name);
      if (granted === undefined) {
        await waitBefore(until);
        continue;
      }
      let current = granted;
      const over = new AbortController();
      const ended = AbortSignal.any([over.signal, until, ...(isKept ? [] : [granted.lost])]);
      const follow = async (): Promise<void> => {
        while (!ended.aborted) {
          await untilAborted(AbortSignal.any([current.lost, ended]));
          const next = ended.aborted ? undefined : await regain(name, ended);
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
    /** The names of those that this process has. */
    held: () => [...locks].filter(([, state]) => state === 'held').map(([name]) => name),
    hold: (name: string, work: KeepingWork, until: AbortSignal) => run(name, work, until, false),
    keep: (name: string, work: KeepingWork, until: AbortSignal) => run(name, work, until, true),
  };
}
