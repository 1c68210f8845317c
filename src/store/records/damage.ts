import type { DamagedRecord } from './store.ts';

/** A parser's message may contain a piece of the record, and not every column takes zero bytes. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200).replaceAll('\0', ' ').toWellFormed();

const MOST_SKIPPED = 1_000;

/** Damaged records that cannot be moved: each is reported once. */
export function createSkipped(found: (record: DamagedRecord) => void) {
  const skipped = new Set<string>();
  return {
    skip(record: DamagedRecord): void {
      const name = `${record.kind} ${record.id}`;
      if (skipped.has(name) || skipped.size >= MOST_SKIPPED) return;
      skipped.add(name);
      found(record);
    },
    count: () => skipped.size,
  };
}
