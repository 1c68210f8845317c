import { randomBytes } from 'node:crypto';
import { createBlind, hasSeal, openedOf, original, type Seal } from '../records/seal.ts';
import { StoreDamagedError, StoreError, StoreKeyError } from '../records/store-error.ts';
import type { Dialect, Query, Row } from './driver.ts';
import { BACKED_UP, MOVING, SCRUB, TABLES } from './schema.ts';

/** Reads a value about the store itself. */
export async function readMeta(query: Query, name: string): Promise<Uint8Array | undefined> {
  const [row] = await query('SELECT value FROM meta WHERE name = $1', [name]);
  return row?.value instanceof Uint8Array ? row.value : undefined;
}

/** Writes a value about the store itself. */
export async function writeMeta(query: Query, name: string, value: string | Uint8Array): Promise<void> {
  await query(
    'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, Buffer.from(value)],
  );
}

/** When the last backup of a database was begun, in ms; undefined: none is known. */
export async function readBackupTime(query: Query): Promise<number | undefined> {
  const noted = await readMeta(query, BACKED_UP);
  return noted && backupTimeIn(String(Buffer.from(noted)));
}

/** The time in the note of a backup; undefined: it is none, or damaged. */
export function backupTimeIn(note: string): number | undefined {
  const at = Date.parse(note.trim());
  return Number.isNaN(at) ? undefined : at;
}

type Blind = (id: string) => string;

/** The tables with an encrypted column, whose name is `sealed`. `last`: the key that was reached, at first one below all. */
const SEALED_TABLES = TABLES.flatMap(({ name, columns, key, purposes }) => {
  const sealed = Object.keys(columns).find((column) => columns[column]?.kind === 'sealed');
  const last = key.map((column): unknown => (columns[column]?.kind === 'whole' ? -1 : ''));
  return sealed && purposes ? [{ name, key, purposes, sealed, last }] : [];
});

/** Tables whose bytes may be from before the store had a key, or absent. */
const SET_APART: readonly string[] = ['damaged', 'inbox'];

const BLINDING = 'blinding';
const KEYS = 'keys';

/** The secret of the hash: encrypted in an encrypted store, empty in a plain one, undefined in a new one. */
const keptSecret = (query: Query): Promise<Uint8Array | undefined> => readMeta(query, BLINDING);

/** Records of each table that are looked at to find out whether a store is encrypted. */
const SAMPLES = 5;

/** Whether most of a few records are encrypted; undefined: there are none. A damaged one among them decides nothing. */
async function looksEncrypted(query: Query): Promise<boolean | undefined> {
  const samples: Row[] = [];
  for (const { name, sealed } of SEALED_TABLES.filter((each) => !SET_APART.includes(each.name)))
    samples.push(...(await query(`SELECT substr(${sealed}, 1, 64) AS head FROM ${name} LIMIT ${SAMPLES}`)));
  const encrypted = samples.filter(({ head }) => hasSeal(head));
  return samples.length === 0 ? undefined : encrypted.length > samples.length / 2;
}

/**
 * `keptSecret`, where a row that was lost or emptied is noticed: without the secret all records would be taken for damaged, or for
 * plain ones and encrypted once more.
 */
async function soundSecret(query: Query): Promise<Uint8Array | undefined> {
  const stored = await keptSecret(query);
  if (stored !== undefined && stored.length > 0) return stored;
  const hasEncrypted = await looksEncrypted(query);
  if (hasEncrypted)
    throw new StoreDamagedError(
      'The store is damaged (STORE_URL): its records are encrypted, and the secret that they are found by is missing (table `meta`, row `blinding`). Nothing was changed. Restore a backup (npm run restore).',
    );
  return hasEncrypted === undefined ? stored : new Uint8Array();
}

/** Whether records of this store are encrypted. */
export const isEncrypted = async (query: Query): Promise<boolean> =>
  ((await keptSecret(query))?.length ?? 0) > 0;

/** Throws for a store that a copy has not filled to its end. */
export async function refuseHalfMoved(query: Query): Promise<void> {
  if ((await readMeta(query, MOVING)) !== undefined)
    throw new StoreError(
      'The store is being filled by npm run store:move or npm run restore, which has not finished. Run the same command again, or empty the store.',
    );
}

/** The ids of keys that records may be encrypted with: a key that was removed too early is noticed at the start. */
async function usedKeys(query: Query, { keyIds }: Seal): Promise<readonly string[]> {
  // A damaged list must not prevent the start: a record that no key opens is set aside when it is read.
  const ids = String(Buffer.from((await readMeta(query, KEYS)) ?? [])).match(/\b[0-9a-f]{8}\b/g);
  return ids ?? keyIds;
}

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

/** The hash of ids of a store that is only read; throws when the keys do not fit. */
export async function blindOf(query: Query, seal: Seal): Promise<Blind> {
  const stored = await soundSecret(query);
  if (stored === undefined || stored.length === 0) return createBlind(undefined);
  return createBlind(Buffer.from(await openSecret(query, stored, seal), 'base64'));
}

/** Notes that every record was re-encrypted, so that only the current key is needed. */
export const noteKeysSettled = (query: Query, seal: Seal): Promise<void> =>
  writeMeta(query, KEYS, seal.keyIds[0] ?? '');

/**
 * Opens the secret of the hash of ids, or makes one, in the caller's transaction, which no other start can be in. It is stored encrypted: ids stay findable
 * when the key changes, and a wrong key is noticed at once. `requireUnused`: before the key changes.
 */
export async function openIdHash(
  query: Query,
  seal: Seal,
  requireUnused: (query: Query) => Promise<void> = async () => undefined,
): Promise<Blind> {
  await refuseHalfMoved(query);
  const stored = await soundSecret(query);
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
    if ((await keptSecret(query)) === undefined) await writeMeta(query, BLINDING, '');
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
  await noteKeysSettled(query, seal);
  return blind;
}

/** Encrypts a store that was created without a key. `scrubReadable` must follow. */
async function encryptExisting(query: Query, seal: Seal, blind: Blind): Promise<void> {
  for (const { name, columns, key, purposes } of TABLES) {
    const changed = Object.keys(columns).filter((name) =>
      ['id', 'sealed'].includes(columns[name]?.kind ?? ''),
    );
    if (changed.length === 0) continue;
    const where = key.map((column, index) => `${column} = $${index + 1}`).join(' AND ');
    const set = changed.map((column, index) => `${column} = $${key.length + index + 1}`).join(', ');
    // Keys change in this loop, so they are read first; records may be large and are read one by one.
    for (const found of await query(`SELECT ${key.join(', ')} FROM ${name}`)) {
      const keys = key.map((column) => found[column]);
      const [row = {}] = await query(`SELECT * FROM ${name} WHERE ${where}`, keys);
      const values = changed.map((column) => {
        const value = row[column];
        if (value instanceof Uint8Array)
          return seal.seal(String(Buffer.from(value)), purposes?.(row).at(-1) ?? '');
        // A sum has an empty person, and an update that was handled no body.
        return typeof value === 'string' && value !== '' ? blind(original(value)) : (value ?? null);
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

/** Records that are re-encrypted at once: fewer than a sweep removes, because encrypting costs more. */
const RESEAL_BATCH = 50;
/** Bytes that are re-encrypted at once; the batch ends with whichever limit comes first. */
const RESEAL_BYTES = 2 * 1024 * 1024;
/** Records that are read for a batch: skipping one that has the current key already is cheap. */
const READ_BATCH = 10 * RESEAL_BATCH;

/**
 * Re-encrypts records of an older key with the current one, one batch at a time, so that the older key can be removed.
 * Each table is read once, in key order; new records use the current key anyway. Calls `finished` in the last batch.
 */
export function createReseal(seal: Seal, { skipLocked }: Dialect, finished: (query: Query) => Promise<void>) {
  const { currentKey } = seal;
  const isChanged = currentKey !== undefined && seal.keyIds.length > 1;
  let tables = isChanged ? SEALED_TABLES : [];

  /** `left`: whether more is left. `committed`: to be called after the commit, so that a failed batch is repeated. */
  return async (query: Query) => {
    const [next, ...others] = tables;
    if (next === undefined) return { left: false, committed: () => undefined };
    const { name, sealed, key: id, purposes } = next;
    const names = id.join(', ');
    const marksFrom = (first: number): string => id.map((_, index) => `$${index + first}`).join(', ');
    // An encrypted value starts with a version byte and the id of its key.
    const rows = await query(
      `SELECT ${names}, substr(${sealed}, 2, 4) <> $1 AS old FROM ${name}
       WHERE (${names}) > (${marksFrom(3)}) ORDER BY ${names} LIMIT $2`,
      [currentKey, READ_BATCH, ...next.last],
    );
    let { last } = next;
    let [passed, old, bytes] = [0, 0, 0];
    for (const row of rows) {
      if (old === RESEAL_BATCH || bytes >= RESEAL_BYTES) break;
      const key = id.map((name) => row[name]);
      if (row.old) {
        // One at a time: together they could be too large for the memory.
        const [found] = await query(
          `SELECT * FROM ${name} WHERE (${names}) = (${marksFrom(1)})${skipLocked}`,
          key,
        );
        // Locked, or gone: the next batch begins with it.
        if (found === undefined) break;
        const value = found[sealed];
        old += 1;
        bytes += value instanceof Uint8Array ? value.length : 0;
        const [again] = purposes(found).flatMap((purpose) => {
          const text = openedOf(seal, value, purpose);
          return text === undefined ? [] : [seal.seal(text, purpose)];
        });
        const update = `UPDATE ${name} SET ${sealed} = $1 WHERE (${names}) = (${marksFrom(2)})`;
        if (again !== undefined) await query(update, [again, ...key]);
      }
      passed += 1;
      last = key;
    }
    const isDone = passed === rows.length && passed < READ_BATCH;
    const left = isDone ? others : [{ ...next, last }, ...others];
    if (left.length === 0) await finished(query);
    const committed = (): void => {
      tables = left;
    };
    return { left: left.length > 0, committed };
  };
}
