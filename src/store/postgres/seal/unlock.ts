import { randomBytes } from 'node:crypto';
import { HALF_MOVED, MOVING } from '../../records/copy/copied-tables.ts';
import { createColumnBlind } from '../../records/seal/columns.ts';
import { BLINDING, openSecret, withCurrentKey } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import { StoreError } from '../../records/store-error.ts';
import type { Query } from '../../tables/driver.ts';
import { readMeta, writeMeta } from '../../tables/meta.ts';
import { MEMBER_LOCKS } from '../members/lock-keys.ts';
import { encryptExisting, SCRUB } from './encrypt-existing.ts';

const KEYS = 'keys';
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();

/** Encrypted in an encrypted store, empty in a plain one, undefined in a new one. */
const keptSecret = (query: Query): Promise<Uint8Array | undefined> => readMeta(query, BLINDING);

export const isEncrypted = async (query: Query): Promise<boolean> =>
  ((await keptSecret(query))?.length ?? 0) > 0;

/** It is being filled with another store. */
export async function refuseHalfMoved(query: Query): Promise<void> {
  if ((await readMeta(query, MOVING)) !== undefined) throw new StoreError(HALF_MOVED);
}

/** They would take records that their keys do not open for damaged. */
async function refuseWhileInUse(query: Query): Promise<void> {
  const [others] = await query(`SELECT count(*)::int AS count FROM ${MEMBER_LOCKS}`);
  if (others?.count !== 0)
    throw new StoreError(
      'STORE_KEY has changed, and other processes still run on this store. Stop all of them, then start them with the same STORE_KEY.',
    );
}

const usedKeys = async (query: Query): Promise<string | undefined> => textOf(await readMeta(query, KEYS));

/** The id hash of a store that is only read; throws when the keys do not fit. */
export async function blindOf(query: Query, seal: Seal): Promise<(id: string) => string> {
  const stored = await keptSecret(query);
  if (stored === undefined || stored.length === 0) return createColumnBlind(undefined);
  return createColumnBlind(Buffer.from(openSecret(stored, await usedKeys(query), seal), 'base64'));
}

/** Every record was re-encrypted: only the current key is needed. */
export const keysSettled = (query: Query, seal: Seal): Promise<void> =>
  writeMeta(query, KEYS, seal.keyIds[0] ?? '');

/**
 * Returns the hash for stored ids, in the caller's transaction, which no other start can be in. Its random secret is stored
 * encrypted: ids stay findable when the key changes, and a wrong key is noticed at once.
 */
export async function unlock(query: Query, seal: Seal): Promise<(id: string) => string> {
  await refuseHalfMoved(query);
  const stored = await keptSecret(query);
  const keep = (secret: string): Promise<void> => writeMeta(query, BLINDING, seal.seal(secret, BLINDING));
  if (stored !== undefined && stored.length > 0) {
    const secret = openSecret(stored, await usedKeys(query), seal);
    if (!seal.isCurrent(stored)) {
      await refuseWhileInUse(query);
      await writeMeta(query, KEYS, withCurrentKey(await usedKeys(query), seal));
      // The older keys can be removed once all records are re-encrypted too.
      await keep(secret);
    }
    return createColumnBlind(Buffer.from(secret, 'base64'));
  }
  if (!seal.encrypts) {
    if (stored === undefined) await writeMeta(query, BLINDING, '');
    return createColumnBlind(undefined);
  }
  const secret = randomBytes(32);
  const blind = createColumnBlind(secret);
  if (stored !== undefined) {
    await refuseWhileInUse(query);
    await encryptExisting(query, seal, blind);
    await writeMeta(query, SCRUB, 'due');
  }
  await keep(secret.toString('base64'));
  await keysSettled(query, seal);
  return blind;
}
