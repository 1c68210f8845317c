import type { DamagedRecord } from '../records/store.ts';
import type { Driver, Query } from './driver.ts';

/** Sets damaged records aside, so that others can be read and the owner can examine them. */
export interface DamagedRecords {
  /** Keeps the bytes; the caller removes the record in the same transaction, and then calls `found`. */
  keep(query: Query, record: DamagedRecord, owner: unknown, bytes: unknown): Promise<void>;
  /** It has just been set aside. */
  found(record: DamagedRecord): void;
  /** For a record that cannot be moved: reported once. */
  skip(record: DamagedRecord): void;
  /** Counts those in the table again: other processes find some too. */
  recount(): Promise<void>;
  /** How many are set aside or skipped, as of the latest count. */
  count(): number;
}

/** Enough to see what it was. */
export const KEPT_BYTES = 65_536;
const MOST_RECORDS = 1_000;
const MOST_SKIPPED = 1_000;

const KEEP = 'INSERT INTO damaged (at, kind, id, owner, why, bytes) VALUES ($1, $2, $3, $4, $5, $6)';

export function createDamagedRecords(
  { query: ask, sql }: Pick<Driver, 'query' | 'sql'>,
  now: () => number,
  report: (record: DamagedRecord) => void,
): DamagedRecords {
  const skipped = new Set<string>();
  let known = 0;
  return {
    async keep(query, record, owner, bytes) {
      const kept = bytes instanceof Uint8Array ? bytes : new Uint8Array();
      await query(KEEP, [Math.floor(now()), record.kind, record.id, owner, record.why, kept]);
      await query(
        `DELETE FROM damaged WHERE seq IN (SELECT seq FROM damaged
           WHERE seq <= (SELECT seq FROM damaged ORDER BY seq DESC LIMIT 1 OFFSET $1)${sql.skipLocked})`,
        [MOST_RECORDS],
      );
    },
    found(record) {
      known = Math.min(known + 1, MOST_RECORDS);
      report(record);
    },
    skip(record) {
      const name = `${record.kind} ${record.id}`;
      if (skipped.has(name) || skipped.size >= MOST_SKIPPED) return;
      skipped.add(name);
      report(record);
    },
    async recount() {
      const [row] = await ask('SELECT count(*) AS n FROM damaged', []);
      known = Number(row?.n);
    },
    count: () => known + skipped.size,
  };
}
