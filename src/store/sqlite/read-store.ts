import { DatabaseSync } from 'node:sqlite';
import { createSeal } from '../records/seal/seal.ts';
import type { ReadStore } from '../records/store.ts';
import { type Database, requireCurrent, requireFile, requireThere } from './file/database.ts';
import { fileError } from './file/sqlite-error.ts';
import { createAudit } from './records/audit.ts';
import { createErasures } from './records/erasures.ts';
import { createFigures } from './records/figures.ts';
import { blindOf, isEncrypted } from './seal/unlock.ts';
import { surveyOf, troublesOf } from './survey.ts';

/** How long to wait while another process writes. */
const busyTimeoutMs = 5_000;

/**
 * Opens a store without changing it: nothing is created, migrated or re-encrypted. Changing the key of a store in use would
 * lock the running Darkroom out.
 */
export function openStoreToRead(path: string, keys: readonly Uint8Array[]) {
  requireThere(path);
  let sql: DatabaseSync | undefined;
  try {
    requireFile(path);
    sql = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
    const store = read(sql, keys);
    return { ...store, close: () => sql?.close() };
  } catch (error) {
    sql?.close();
    throw fileError(error, path, 'read');
  }
}

function read(sql: DatabaseSync, keys: readonly Uint8Array[]): Omit<ReadStore, 'close'> {
  requireCurrent(sql);
  // A plain store stays readable with STORE_KEY set: it is encrypted at the next start.
  const encrypts = isEncrypted(sql);
  const seal = createSeal(encrypts ? keys : []);
  const database = readOnly(sql);
  // The running Darkroom reports damaged lines.
  const ignoreDamage = { skip: () => undefined };
  const blind = blindOf(sql, seal);
  return {
    encrypts,
    audit: createAudit(database, seal, blind, createErasures(database, Date.now), ignoreDamage),
    figures: createFigures(database, seal),
    survey: async () => surveyOf(sql),
    troubles: async () => troublesOf(sql, seal, blind),
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
