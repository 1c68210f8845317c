import type { Database } from './database.ts';
import type { Seal } from './seal.ts';

/** Text columns by which records are found, and the sealed column with what its ciphertext is tied to. */
const tables = [
  { name: 'jobs', key: ['seq'], blinded: ['origin', 'owner', 'community'], sealed: 'body', purpose: 'job' },
  { name: 'audit', key: ['seq'], blinded: ['community', 'actor'], sealed: 'detail', purpose: 'audit' },
  { name: 'entries', key: ['namespace', 'key'], blinded: ['key'], sealed: 'value', purpose: undefined },
  { name: 'removed', key: ['origin'], blinded: ['origin'], sealed: undefined },
  { name: 'usage', key: ['day', 'community', 'person'], blinded: ['community', 'person'], sealed: undefined },
] as const;

/** The owner has set a key for a store that was made without: everything personal in it is sealed, once. */
export function encryptExisting(
  { sql, transaction }: Database,
  seal: Seal,
  blind: (id: string) => string,
): void {
  transaction(() => {
    for (const table of tables) {
      const rows = sql.prepare(`SELECT * FROM ${table.name}`).all();
      const changed = [...table.blinded, ...(table.sealed === undefined ? [] : [table.sealed])];
      const update = sql.prepare(
        `UPDATE ${table.name} SET ${changed.map((column) => `${column} = ?`).join(', ')}
         WHERE ${table.key.map((column) => `${column} = ?`).join(' AND ')}`,
      );
      for (const row of rows) {
        const values = table.blinded.map((column) => {
          const id = String(row[column]);
          // The row of a community's sum names nobody.
          return id === '' ? '' : blind(id);
        });
        const purpose = 'purpose' in table ? (table.purpose ?? String(row.namespace)) : '';
        const body = table.sealed === undefined ? [] : [seal.seal(String(row[table.sealed]), purpose)];
        update.run(...values, ...body, ...table.key.map((column) => row[column] ?? null));
      }
    }
  });
}
