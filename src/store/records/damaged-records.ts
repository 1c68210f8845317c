import type { Database } from '../file/database.ts';

/** A record that cannot be read. */
export interface DamagedRecord {
  /** Which kind: `job`, `audit`, `usage`, or the namespace of a key-value record. */
  readonly kind: string;
  readonly id: string;
  readonly why: string;
}

/** Where a damaged record goes: it must not stop the others, and what is left of it may still help the owner. */
export interface Damage {
  /** Keeps the bytes aside; the caller removes the record in the same transaction. `owner`: it goes with their data. */
  setAside(record: DamagedRecord, owner: string | null, bytes: unknown): void;
  /** For what cannot be moved: it is told of once and skipped from then on. */
  skip(record: DamagedRecord): void;
  /** How many are set aside or skipped. */
  count(): number;
}

/** Enough to see what it was. */
const MOST_BYTES = 65_536;
const MOST_RECORDS = 1_000;
const MOST_SKIPPED = 1_000;

export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);

export function createDamage(
  { sql }: Database,
  now: () => number,
  found: (record: DamagedRecord) => void,
): Damage {
  const insert = sql.prepare(
    'INSERT INTO damaged (at, kind, id, owner, why, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const trim = sql.prepare(
    'DELETE FROM damaged WHERE seq <= (SELECT seq FROM damaged ORDER BY seq DESC LIMIT 1 OFFSET ?)',
  );
  const count = sql.prepare('SELECT count(*) AS n FROM damaged');
  const skipped = new Set<string>();

  return {
    setAside(record, owner, bytes) {
      const left = typeof bytes === 'string' || bytes instanceof Uint8Array ? bytes.slice(0, MOST_BYTES) : '';
      insert.run(now(), record.kind, record.id, owner, record.why, left);
      trim.run(MOST_RECORDS);
      found(record);
    },
    skip(record) {
      const name = `${record.kind} ${record.id}`;
      if (skipped.has(name) || skipped.size >= MOST_SKIPPED) return;
      skipped.add(name);
      found(record);
    },
    count: () => Number(count.get()?.n ?? 0) + skipped.size,
  };
}
