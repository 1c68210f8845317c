import type { Base, Row, Transaction } from './driver.ts';

/** A record that cannot be read, as it is reported to the log and the owner. */
export interface DamagedRecord {
  /** Which kind: `job`, `audit`, `usage`, or the namespace of a key-value record. */
  readonly kind: string;
  readonly id: string;
  readonly why: string;
}

interface Unreadable extends Omit<DamagedRecord, 'why'> {
  readonly error: unknown;
}

/** So much of a damaged record is kept, which is enough to see what it was. */
export const KEPT_BYTES = 65_536;
const MOST_RECORDS = 1_000;
const MOST_SKIPPED = 1_000;

const KEEP = 'INSERT INTO damaged (at, kind, id, owner, why, bytes) VALUES ($1, $2, $3, $4, $5, $6)';

export type DamagedRecords = ReturnType<typeof createDamagedRecords>;

/** Sets damaged records aside, so that others can be read and the owner can examine them. */
export function createDamagedRecords(
  { driver: { query: ask, transaction, sql }, now }: Base,
  report: (record: DamagedRecord) => void,
) {
  const removeOldest = `DELETE FROM damaged WHERE seq IN (SELECT seq FROM damaged
    WHERE seq <= (SELECT seq FROM damaged ORDER BY seq DESC LIMIT 1 OFFSET $1)${sql.skipLocked})`;
  const skipped = new Set<string>();
  let known = 0;
  /** For a record that stays where it is: reported once. */
  const skip = ({ kind, id, error }: Unreadable): void => {
    const name = `${kind} ${id}`;
    if (skipped.has(name) || skipped.size >= MOST_SKIPPED) return;
    skipped.add(name);
    report({ kind, id, why: reasonOf(error) });
  };
  return {
    /** Moves a record here. `take`: removes it, and returns its owner and its bytes; undefined: it is not there any more. */
    async setAside(
      { kind, id, error }: Unreadable,
      take: (query: Transaction) => Promise<Row | undefined>,
    ): Promise<void> {
      const why = reasonOf(error);
      try {
        const isMoved = await transaction(async (query) => {
          const row = await take(query);
          if (row === undefined) return false;
          const bytes = row.bytes instanceof Uint8Array ? row.bytes : new Uint8Array();
          await query(KEEP, [Math.floor(now()), kind, id, row.owner, why, bytes]);
          await query(removeOldest, [MOST_RECORDS]);
          return true;
        });
        if (!isMoved) return;
        known = Math.min(known + 1, MOST_RECORDS);
        if (!skipped.delete(`${kind} ${id}`)) report({ kind, id, why });
      } catch {
        // Not writable now; the next read tries again.
        skip({ kind, id, error });
      }
    },
    skip,
    /** Counts those in the table again: other processes find some too. */
    async recount(): Promise<void> {
      const [row] = await ask('SELECT count(*) AS n FROM damaged', []);
      known = Number(row?.n);
    },
    /** How many are set aside or skipped, as of the latest count. */
    count: (): number => known + skipped.size,
  };
}

/** A parser's message may contain a piece of the record, and not every column takes zero bytes. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200).replaceAll('\0', ' ').toWellFormed();
