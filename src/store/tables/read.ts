import { createSeal } from '../records/seal/seal.ts';
import { type AuditTable, createAuditTable } from './audit.ts';
import { COPIED_TABLES } from './copy.ts';
import type { ReadBase } from './driver.ts';
import { createEntryBodies } from './entry-body.ts';
import { createFigureRecords, type FigureRecords } from './figures.ts';
import { blindOf, isEncrypted, refuseHalfMoved } from './unlock.ts';

/** A store opened by the owner's tools, also while Darkroom runs on it. */
export interface ReadStore {
  readonly encrypts: boolean;
  readonly audit: Pick<AuditTable, 'recent' | 'since'>;
  readonly figures: Pick<FigureRecords, 'read'>;
  survey(): Promise<Survey>;
  /** The value of a record; undefined: there is none that can be read. */
  entry(namespace: string, key: string): Promise<unknown>;
  close(): void | Promise<void>;
}

/** What a store holds, in numbers: for the support file. */
export interface Survey {
  /** The number of its schema. */
  readonly version: number;
  readonly bytes: number;
  /** Rows by table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Jobs by state, as it is stored. */
  readonly jobs: Readonly<Record<string, number>>;
}

/** What the owner's tools read of a store, also while Darkroom runs on it. `version`: its schema's number. */
export async function readTables(
  driver: ReadBase['driver'],
  keys: readonly Uint8Array[],
  version: number,
): Promise<Omit<ReadStore, 'close'>> {
  const { query, sql } = driver;
  await refuseHalfMoved(query);
  // A plain store stays readable with STORE_KEY set: it is encrypted at the next start.
  const seal = createSeal((await isEncrypted(query)) ? keys : []);
  const blind = await blindOf(query, seal);
  const base: ReadBase = { driver, seal, blind };
  const numberOf = async (text: string): Promise<number> => Number((await query(text, []))[0]?.n ?? 0);
  return {
    encrypts: seal.encrypts,
    // The running Darkroom reports damaged lines.
    audit: createAuditTable(base, { skip: () => undefined }),
    figures: createFigureRecords(base),
    async survey() {
      const tables: [string, number][] = [];
      for (const { name } of COPIED_TABLES)
        tables.push([name, await numberOf(`SELECT count(*) AS n FROM ${name}`)]);
      const states = await query('SELECT state, count(*) AS n FROM jobs GROUP BY state ORDER BY state', []);
      return {
        version,
        bytes: await numberOf(sql.size),
        tables: Object.fromEntries(tables),
        jobs: Object.fromEntries(states.map(({ state, n }) => [String(state), Number(n)])),
      };
    },
    async entry(namespace, key) {
      const text = 'SELECT key, value FROM entries WHERE namespace = $1 AND key = $2';
      const [row] = await query(text, [namespace, blind(key)]);
      try {
        return row && createEntryBodies(namespace, {}, base).open(row)[1];
      } catch {
        // Damaged, or of a key that is no longer given.
        return undefined;
      }
    },
  };
}
