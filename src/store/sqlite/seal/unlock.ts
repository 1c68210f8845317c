import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { HALF_MOVED, MOVING } from '../../records/copy/copied-tables.ts';
import { createColumnBlind } from '../../records/seal/columns.ts';
import { BLINDING, openSecret } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import { StoreError } from '../../records/store-error.ts';
import type { Database } from '../file/database.ts';
import { encryptExisting, isScrubDue, scrubReadable } from './encrypt-existing.ts';
import { createKeyHistory } from './key-history.ts';

/** Encrypted in an encrypted store, empty in a plain one, undefined in a new one. */
const keptSecret = (sql: DatabaseSync): Uint8Array | undefined => {
  const stored = sql.prepare("SELECT value FROM meta WHERE name = 'blinding'").get()?.value;
  return stored instanceof Uint8Array ? stored : undefined;
};

export const isEncrypted = (sql: DatabaseSync): boolean => (keptSecret(sql)?.length ?? 0) > 0;

/** It is being filled with another store. */
export const isHalfMoved = (sql: DatabaseSync): boolean =>
  sql.prepare('SELECT 1 FROM meta WHERE name = ?').get(MOVING) !== undefined;

/** The id hash of a store that is only read; throws when the keys do not fit. */
export function blindOf(sql: DatabaseSync, seal: Seal): (id: string) => string {
  if (isHalfMoved(sql)) throw new StoreError(HALF_MOVED);
  const stored = keptSecret(sql);
  if (stored === undefined || stored.length === 0) return createColumnBlind(undefined);
  return createColumnBlind(
    Buffer.from(openSecret(stored, createKeyHistory(sql, seal).used(), seal), 'base64'),
  );
}

/**
 * Returns the hash for stored ids. Its random secret is stored encrypted in the file: ids stay findable when the key
 * changes, and a wrong key is noticed at once.
 */
export function unlock({ sql, transaction }: Database, seal: Seal): (id: string) => string {
  if (isHalfMoved(sql)) throw new StoreError(HALF_MOVED);
  const stored = keptSecret(sql);
  const keep = (secret: string): void => {
    const put = sql.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('blinding', ?)");
    put.run(seal.seal(secret, BLINDING));
  };
  if (stored !== undefined && stored.length > 0) {
    const secret = openSecret(stored, createKeyHistory(sql, seal).used(), seal);
    if (!seal.isCurrent(stored)) {
      transaction(() => {
        createKeyHistory(sql, seal).begin();
        // The older keys can be removed once all records are re-encrypted too.
        keep(secret);
      });
    }
    if (isScrubDue(sql)) scrubReadable(sql);
    return createColumnBlind(Buffer.from(secret, 'base64'));
  }
  if (!seal.encrypts) {
    if (stored === undefined) transaction(() => keep(''));
    return createColumnBlind(undefined);
  }
  const secret = randomBytes(32);
  const blind = createColumnBlind(secret);
  transaction(() => {
    if (stored !== undefined) encryptExisting(sql, seal, blind);
    keep(secret.toString('base64'));
    createKeyHistory(sql, seal).settled();
  });
  if (stored !== undefined) scrubReadable(sql);
  return blind;
}
