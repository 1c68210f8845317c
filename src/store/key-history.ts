import type { Database } from './database.ts';
import type { Seal } from './seal.ts';

/**
 * Which keys may have sealed something in the file, by their ids: a key that is taken away too early is missed when the
 * file is opened, not when the first record of its time is needed.
 */
export interface KeyHistory {
  /** Whether all of them are at hand; those at hand may be in use from now on. */
  complete(): boolean;
  /** Everything has been sealed anew: only the current one is needed. */
  settled(): void;
}

export const createKeyHistory = ({ sql }: Database, { keyIds }: Seal): KeyHistory => {
  const write = (ids: readonly string[]): void => {
    sql.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('keys', ?)").run(ids.join(','));
  };
  return {
    complete() {
      const stored = sql.prepare("SELECT value FROM meta WHERE name = 'keys'").get()?.value;
      const used = typeof stored === 'string' ? stored.split(',') : keyIds;
      if (used.some((id) => !keyIds.includes(id))) return false;
      write([...new Set([...keyIds.slice(0, 1), ...used])]);
      return true;
    },
    settled: () => write(keyIds.slice(0, 1)),
  };
};
