import { createEntryBodies, valueIn } from '../records/entry-body.ts';
import type { Seal } from '../records/seal/seal.ts';
import type { ReadStore } from '../records/store.ts';
import { TROUBLES, troublesIn } from '../records/troubles.ts';
import { createAudit } from './audit.ts';
import { COPIED_TABLES } from './copy.ts';
import type { Driver } from './driver.ts';
import { createFigures } from './figures.ts';

export interface ReadParts {
  readonly driver: Pick<Driver, 'query' | 'transaction' | 'sql'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly version: number;
}

/** What the owner's tools read of a store, also while Darkroom runs on it. */
export function createReadTables({ driver, seal, blind, version }: ReadParts): Omit<ReadStore, 'close'> {
  const { query, sql } = driver;
  const numberOf = async (text: string): Promise<number> => Number((await query(text, []))[0]?.n ?? 0);
  return {
    encrypts: seal.encrypts,
    // The running Darkroom reports damaged lines.
    audit: createAudit({ driver, seal, blind, damagedRecords: { skip: () => undefined } }),
    figures: createFigures(driver, seal),
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
    async troubles() {
      const { namespace, key } = TROUBLES;
      const text = 'SELECT key, value FROM entries WHERE namespace = $1 AND key = $2';
      const [row] = await query(text, [namespace, blind(key)]);
      if (row === undefined) return [];
      try {
        return troublesIn(valueIn(createEntryBodies(namespace, {}, seal, blind).open(row)[1]));
      } catch {
        // Damaged, or of a key that is no longer given.
        return [];
      }
    },
  };
}
