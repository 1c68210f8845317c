import { randomBytes } from 'node:crypto';
import { original } from '../records/seal/columns.ts';
import { createBlind, openedOf, type Seal } from '../records/seal/seal.ts';
import { StoreError, StoreKeyError } from '../records/store-error.ts';
import { MOVING, SCRUB, TABLES } from '../records/tables.ts';
import type { Query } from './driver.ts';
import { readMeta, writeMeta } from './meta.ts';

type Blind = (id: string) => string;

const BLINDING = 'blinding';
const KEYS = 'keys';

/** Encrypted in an encrypted store, empty in a plain one, undefined in a new one. */
const keptSecret = (query: Query): Promise<Uint8Array | undefined> => readMeta(query, BLINDING);

export const isEncrypted = async (query: Query): Promise<boolean> =>
  ((await keptSecret(query))?.length ?? 0) > 0;

const HALF_MOVED =
  'The store is being filled by npm run store:move or npm run restore, which has not finished. Run the same command again, or empty the store.';

/** It is being filled with another store. */
export async function refuseHalfMoved(query: Query): Promise<void> {
  if ((await readMeta(query, MOVING)) !== undefined) throw new StoreError(HALF_MOVED);
}

const textOf = (bytes: unknown): string | undefined =>
  bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : undefined;

const isKeyId = /^[0-9a-f]{8}$/;

/** The ids of keys that records may be encrypted with: a key that was removed too early is noticed at the start. */
async function usedKeys(query: Query, { keyIds }: Seal): Promise<readonly string[]> {
  // A damaged list must not prevent the start: a record that no key opens is set aside when it is read.
  const ids =
    textOf(await readMeta(query, KEYS))
      ?.split(',')
      .filter((id) => isKeyId.test(id)) ?? [];
  return ids.length > 0 ? ids : keyIds;
}

/** The secret of the hash. Throws when the given keys do not fit. */
async function openSecret(query: Query, stored: Uint8Array, seal: Seal): Promise<string> {
  if (!seal.encrypts)
    throw new StoreKeyError('The store is encrypted: set STORE_KEY to the key it was created with.');
  const secret = openedOf(seal, stored, BLINDING);
  if (secret === undefined)
    throw new StoreKeyError('STORE_KEY is not the key that this store was encrypted with.');
  if ((await usedKeys(query, seal)).every((id) => seal.keyIds.includes(id))) return secret;
  throw new StoreKeyError(
    'Some records are still encrypted with a key that STORE_KEY no longer has. Start with STORE_KEY=new,old once more until they are re-encrypted, which takes a minute or two.',
  );
}

/** For a store that is only read; throws when the keys do not fit. */
export async function blindOf(query: Query, seal: Seal): Promise<Blind> {
  const stored = await keptSecret(query);
  if (stored === undefined || stored.length === 0) return createBlind(undefined);
  return createBlind(Buffer.from(await openSecret(query, stored, seal), 'base64'));
}

/** Every record was re-encrypted: only the current key is needed. */
export const keysSettled = (query: Query, seal: Seal): Promise<void> =>
  writeMeta(query, KEYS, seal.keyIds[0] ?? '');

/**
 * In the caller's transaction, which no other start can be in. The random secret of the hash is stored encrypted: ids stay findable
 * when the key changes, and a wrong key is noticed at once. `requireUnused`: before the key changes.
 */
export async function unlock(
  query: Query,
  seal: Seal,
  requireUnused: (query: Query) => Promise<void> = async () => undefined,
): Promise<Blind> {
  await refuseHalfMoved(query);
  const stored = await keptSecret(query);
  const keep = (secret: string): Promise<void> => writeMeta(query, BLINDING, seal.seal(secret, BLINDING));
  if (stored !== undefined && stored.length > 0) {
    const secret = await openSecret(query, stored, seal);
    if (!seal.isCurrent(stored)) {
      await requireUnused(query);
      const used = new Set([...seal.keyIds.slice(0, 1), ...(await usedKeys(query, seal))]);
      await writeMeta(query, KEYS, [...used].join(','));
      // The older keys can be removed once all records are re-encrypted too.
      await keep(secret);
    }
    return createBlind(Buffer.from(secret, 'base64'));
  }
  if (!seal.encrypts) {
    if (stored === undefined) await writeMeta(query, BLINDING, '');
    return createBlind(undefined);
  }
  const secret = randomBytes(32);
  const blind = createBlind(secret);
  if (stored !== undefined) {
    await requireUnused(query);
    await encryptExisting(query, seal, blind);
    await writeMeta(query, SCRUB, 'due');
  }
  await keep(secret.toString('base64'));
  await keysSettled(query, seal);
  return blind;
}

/** Encrypts a store that was created without a key. `scrubReadable` must follow. */
async function encryptExisting(query: Query, seal: Seal, blind: Blind): Promise<void> {
  for (const { name, columns, key, purposes } of TABLES) {
    const changed = Object.entries(columns).filter(([, { kind }]) => kind === 'id' || kind === 'sealed');
    if (changed.length === 0) continue;
    const where = key.map((column, index) => `${column} = $${index + 1}`).join(' AND ');
    const set = changed.map(([column], index) => `${column} = $${key.length + index + 1}`).join(', ');
    // Keys change in this loop, so they are read first; records may be large and are read one by one.
    for (const found of await query(`SELECT ${key.join(', ')} FROM ${name}`)) {
      const keys = key.map((column) => found[column]);
      const [row = {}] = await query(`SELECT * FROM ${name} WHERE ${where}`, keys);
      const values = changed.map(([column, { kind }]) => {
        const value = kind === 'id' ? row[column] : textOf(row[column]);
        // A sum has an empty person, and an update that was handled no body.
        if (typeof value !== 'string' || (kind === 'id' && value === '')) return value ?? null;
        return kind === 'id' ? blind(original(value)) : seal.seal(value, purposes?.(row).at(-1) ?? '');
      });
      await query(`UPDATE ${name} SET ${set} WHERE ${where}`, [...keys, ...values]);
    }
  }
}

/** Removes the plain text from unused pages, after a crash at the next start. */
export async function scrubReadable(query: Query, scrub: () => void | Promise<void>): Promise<void> {
  if ((await readMeta(query, SCRUB)) === undefined) return;
  await scrub();
  await query('DELETE FROM meta WHERE name = $1', [SCRUB]);
}
