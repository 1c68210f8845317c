import { createSkipped } from '../../records/damage.ts';
import type { DamagedRecord } from '../../records/store.ts';
import type { Database } from '../file/database.ts';

/** Sets damaged records aside, so that others can be read and the owner can examine them. */
export interface DamagedRecords {
  /** Stores the bytes; the caller removes the record in the same transaction. `owner`: deleted with their data. */
  setAside(record: DamagedRecord, owner: string | null, bytes: unknown): void;
  /** For a record that cannot be moved: reported once. */
  skip(record: DamagedRecord): void;
  /** How many are set aside or skipped. */
  count(): number;
}

/** Enough to see what it was. */
const maxBytes = 65_536;
const maxRecords = 1_000;

export function createDamagedRecords(
  { sql }: Database,
  now: () => number,
  found: (record: DamagedRecord) => void,
): DamagedRecords {
  const insert = sql.prepare(
    'INSERT INTO damaged (at, kind, id, owner, why, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const trim = sql.prepare(
    'DELETE FROM damaged WHERE seq <= (SELECT seq FROM damaged ORDER BY seq DESC LIMIT 1 OFFSET ?)',
  );
  const count = sql.prepare('SELECT count(*) AS n FROM damaged');
  const skipped = createSkipped(found);

  return {
    setAside(record, owner, bytes) {
      const left = typeof bytes === 'string' || bytes instanceof Uint8Array ? bytes.slice(0, maxBytes) : '';
      insert.run(now(), record.kind, record.id, owner, record.why, left);
      trim.run(maxRecords);
      found(record);
    },
    skip: skipped.skip,
    count: () => Number(count.get()?.n ?? 0) + skipped.count(),
  };
}
