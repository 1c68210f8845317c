import type { DatabaseSync } from 'node:sqlite';
import type { Seal } from '../../records/seal.ts';

/** The ids of keys that records may be encrypted with: a key that was removed too early is noticed at the start. */
export interface KeyHistory {
  /** Whether all of them are configured. */
  isComplete(): boolean;
  /** Adds the current key. */
  begin(): void;
  /** Every record was re-encrypted: only the current key is needed. */
  settled(): void;
}

const isKeyId = /^[0-9a-f]{8}$/;

export const createKeyHistory = (sql: DatabaseSync, { keyIds }: Seal): KeyHistory => {
  const used = (): readonly string[] => {
    const stored = sql.prepare("SELECT value FROM meta WHERE name = 'keys'").get()?.value;
    // A damaged list must not prevent the start: a record that no key opens is set aside when it is read.
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
