import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Database, isAnothers, shapeOf } from './file/database.ts';
import { migrations } from './file/migrations.ts';
import { fileTrouble } from './file/sqlite-error.ts';
import { StoreError } from './file/store-error.ts';
import { type Audit, createAudit } from './records/audit.ts';
import { createErasures } from './records/erasures.ts';
import { createSeal } from './seal/seal.ts';
import { blindOf, isEncrypted } from './seal/unlock.ts';

/** A store as the owner's tools see it, also while Darkroom runs on it. */
export interface ReadStore {
  readonly encrypts: boolean;
  readonly audit: Pick<Audit, 'recent' | 'since'>;
  close(): void;
}

/** Another process may be writing: that takes it no longer than this. */
const BUSY_MS = 5_000;

/**
 * Opens a store without changing it: nothing is made, migrated, encrypted or sealed with another key. A tool that changed
 * the key of a store in use would lock the running Darkroom out of it.
 */
export function openStoreToRead(path: string, keys: readonly Uint8Array[]): ReadStore {
  // SQLite would say only that it cannot be opened.
  if (!existsSync(path)) throw new StoreError(`There is no store at ${path} (STORE_URL).`);
  let sql: DatabaseSync | undefined;
  try {
    sql = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    const store = read(sql, keys);
    return { ...store, close: () => sql?.close() };
  } catch (error) {
    sql?.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`The store ${path} cannot be read (STORE_URL): ${fileTrouble(error)}`, {
      cause: error,
    });
  }
}

function read(sql: DatabaseSync, keys: readonly Uint8Array[]): Omit<ReadStore, 'close'> {
  if (isAnothers(sql)) throw new Error('it is a database of another program.');
  const shape = shapeOf(sql);
  if (shape > migrations.length) {
    throw new Error(`it was written by a newer version of Darkroom (schema ${shape}).`);
  }
  if (shape < migrations.length) {
    throw new Error('it was created by an older version of Darkroom. Start this version on it first.');
  }
  // What is not encrypted yet will be at the next start, whatever STORE_KEY says now.
  const encrypts = isEncrypted(sql);
  const seal = createSeal(encrypts ? keys : []);
  const database = readOnly(sql);
  // A damaged line is told of by the Darkroom that runs on the store.
  const passOver = { skip: () => undefined };
  return {
    encrypts,
    audit: createAudit(database, seal, blindOf(sql, seal), createErasures(database, Date.now), passOver),
  };
}

const refuse = (): never => {
  throw new Error('The store was opened for reading only.');
};

const readOnly = (sql: DatabaseSync): Database => ({
  sql,
  transaction: refuse,
  onDisk: refuse,
  note: refuse,
  removed: refuse,
  scrub: refuse,
  check: refuse,
  refuse,
  close: () => sql.close(),
});
