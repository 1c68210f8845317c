import type { Seal } from '../records/seal/seal.ts';
import type { RecordRules } from '../tables/entry-body.ts';
import { createEntryBodies, LONGEST_VALUE } from '../tables/entry-body.ts';
import type { Database } from './file/database.ts';

/** Adds the owner to records of version 0.1.0, which had no such column. */
export function assignOwners(
  { sql, transaction }: Database,
  namespace: string,
  rules: RecordRules,
  seal: Seal,
  blind: (id: string) => string,
): void {
  if (rules.ownerOf === undefined) return;
  const bodies = createEntryBodies(namespace, rules, { seal, blind });
  const unowned = sql
    .prepare(
      `SELECT key, value, length(value) AS length FROM entries INDEXED BY entries_unowned
       WHERE namespace = ? AND owner IS NULL AND length(value) <= ${LONGEST_VALUE}`,
    )
    .iterate(namespace);
  const owners: [owner: string, key: string][] = [];
  for (const row of unowned) {
    try {
      const owner = bodies.ownerOf(...bodies.open(row));
      if (owner !== undefined) owners.push([owner, String(row.key)]);
    } catch {
      // The next read sets it aside.
    }
  }
  if (owners.length === 0) return;
  const assign = sql.prepare('UPDATE entries SET owner = ?, seq = 0 WHERE namespace = ? AND key = ?');
  transaction(() => {
    for (const [owner, key] of owners) assign.run(owner, namespace, key);
  });
}
