import { setTimeout as pause } from 'node:timers/promises';
import { namedKey } from './lock-keys.ts';
import type { Session } from './session.ts';

export interface NamedLocks {
  /** The names of those that this process has. */
  held(): readonly string[];
  hold(name: string, work: (ended: AbortSignal) => Promise<void>, until: AbortSignal): Promise<void>;
}

const EVERY_MS = 1_000;

/** `session`: the present one; undefined while there is none. */
export function createNamedLocks(session: () => Session | undefined): NamedLocks {
  /** PostgreSQL grants a session its own lock again: in one process a name is asked for once at a time. */
  const locks = new Map<string, 'asked for' | 'held'>();

  const tryLock = async (name: string): Promise<Session | undefined> => {
    const current = session();
    if (current === undefined || locks.has(name)) return undefined;
    locks.set(name, 'asked for');
    const sql = `SELECT pg_try_advisory_lock(${namedKey('$1')}) AS granted`;
    // When the session was lost meanwhile, so was the lock.
    const [answer] = await current.query<{ granted: boolean }>(sql, [name]).catch(() => []);
    if (answer?.granted === true) {
      locks.set(name, 'held');
      return current;
    }
    locks.delete(name);
    return undefined;
  };
  const unlock = async (name: string, from: Session): Promise<void> => {
    await from.query(`SELECT pg_advisory_unlock(${namedKey('$1')})`, [name]).catch(() => undefined);
    locks.delete(name);
  };

  return {
    held: () => [...locks].filter(([, state]) => state === 'held').map(([name]) => name),
    async hold(name, work, until) {
      while (!until.aborted) {
        const granted = await tryLock(name);
        if (granted === undefined) {
          // Ends early when `until` aborts.
          await pause(EVERY_MS, undefined, { signal: until }).catch(() => undefined);
          continue;
        }
        const ended = AbortSignal.any([granted.lost, until]);
        try {
          if (!ended.aborted) await work(ended);
          if (!ended.aborted) return;
        } catch (error) {
          if (!ended.aborted) throw error;
        } finally {
          await unlock(name, granted);
        }
      }
    },
  };
}
