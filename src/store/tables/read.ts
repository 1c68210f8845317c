import { createSeal } from '../records/seal/seal.ts';
import { type AuditTable, createAuditTable } from './audit.ts';
import type { ReadBase } from './driver.ts';
import { blindOf, isEncrypted, refuseHalfMoved } from './unlock.ts';

/** A store opened by the owner's tools, also while Darkroom runs on it. */
export interface ReadStore {
  readonly encrypts: boolean;
  readonly audit: Pick<AuditTable, 'recent' | 'since'>;
  close(): void | Promise<void>;
}

/** What the owner's tools read of a store, also while Darkroom runs on it. */
export async function readTables(
  driver: ReadBase['driver'],
  keys: readonly Uint8Array[],
): Promise<Omit<ReadStore, 'close'>> {
  const { query } = driver;
  await refuseHalfMoved(query);
  // A plain store stays readable with STORE_KEY set: it is encrypted at the next start.
  const seal = createSeal((await isEncrypted(query)) ? keys : []);
  const blind = await blindOf(query, seal);
  const base: ReadBase = { driver, seal, blind };
  return {
    encrypts: seal.encrypts,
    // The running Darkroom reports damaged lines.
    audit: createAuditTable(base, { skip: () => undefined }),
  };
}
