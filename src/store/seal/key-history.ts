import type { DatabaseSync } from 'node:sqlite';
import type { Seal } from './seal.ts';

/**
 * Which keys may have sealed something in the file, by their ids: a key that is taken away too early is missed when the
 * file is opened, not when the first record of its time is needed.
 */
export interface KeyHistory {
  /** Whether all of them are at hand. */
  isComplete(): boolean;
  /** The current key may be in use from now on. */
  begin(): void;
  /** Everything has been sealed anew: only the current one is needed. */
  settled(): void;
}

const isKeyId = /^[0-9a-f]{8}$/;

export const createKeyHistory = (sql: DatabaseSync, { keyIds }: Seal): KeyHistory => {
  const used = (): readonly string[] => {
    const stored = sql.prepare("SELECT value FROM meta WHERE name = 'keys'").get()?.value;
    // A list that is damaged must not stop the start: a record that no key opens is set aside when it is read.
    const ids = typeof stored === 'string' ? stored.split(',').filter((id) => isKeyId.test(id)) : [];
    return ids.length > 0 ? ids : keyIds;
  };
  const write = (ids: readonly string[]): void => {
    sql.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('keys', ?)").run(ids.join(','));
  };
  return {
    isComplete: () => used().every((id) => keyIds.includes(id)),
    begin: () => write([...new Set([...keyIds.slice(0, 1), ...used()])]),
    settled: () => write(keyIds.slice(0, 1)),
  };
};
