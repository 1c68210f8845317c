import { createSkipped } from '../../records/damage.ts';
import type { DamagedRecord } from '../../records/store.ts';
import type { Database } from '../database/database.ts';

/** Damaged records are set aside in the database, so that others can be read and the owner can examine them. */
export interface DamagedRecords {
  /** It has just been set aside. */
  found(record: DamagedRecord): void;
  /** For a record that cannot be moved: reported once. */
  skip(record: DamagedRecord): void;
  /** Counts those in the database again: other processes find some too. */
  recount(): Promise<void>;
  /** How many are set aside or skipped, as of the latest count. */
  count(): number;
}

export function createDamagedRecords(
  { query }: Pick<Database, 'query'>,
  found: (record: DamagedRecord) => void,
): DamagedRecords {
  const skipped = createSkipped(found);
  let known = 0;
  return {
    found(record) {
      known += 1;
      found(record);
    },
    skip: skipped.skip,
    async recount() {
      const [row] = await query('SELECT count(*) AS n FROM damaged', []);
      known = Number(row?.n ?? 0);
    },
    count: () => known + skipped.count(),
  };
}
