import type { DatabaseSync } from 'node:sqlite';
import { withCurrentKey } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import { textIn } from '../file/database.ts';

export interface KeyHistory {
  /** The ids of keys that records may be encrypted with. */
  used(): string | undefined;
  /** Adds the current key. */
  begin(): void;
  /** Every record was re-encrypted: only the current key is needed. */
  settled(): void;
}

export const createKeyHistory = (sql: DatabaseSync, seal: Seal): KeyHistory => {
  const used = (): string | undefined => {
    return textIn(sql.prepare("SELECT value FROM meta WHERE name = 'keys'").get()?.value);
  };
  const write = (ids: string): void => {
    sql.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('keys', ?)").run(Buffer.from(ids));
  };
  return {
    used,
    begin: () => write(withCurrentKey(used(), seal)),
    settled: () => write(seal.keyIds[0] ?? ''),
  };
};
