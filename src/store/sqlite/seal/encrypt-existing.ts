import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { FIGURES } from '../../records/figures.ts';
import { GRANT } from '../../records/grants.ts';
import { original } from '../../records/seal/columns.ts';
import type { Seal } from '../../records/seal/seal.ts';
import { textIn } from '../file/database.ts';

/** Columns that records are looked up by (hashed), and the encrypted column with its purpose. */
const tables = [
  {
    name: 'jobs',
    key: ['seq'],
    blinded: ['origin', 'owner', 'turn_of', 'community', 'service_id', 'again_of'],
    sealed: 'body',
    purpose: 'job',
  },
  { name: 'audit', key: ['seq'], blinded: ['community', 'actor'], sealed: 'detail', purpose: 'audit' },
  {
    name: 'entries',
    key: ['namespace', 'key'],
    blinded: ['key', 'owner'],
    sealed: 'value',
    purpose: undefined,
  },
  { name: 'erasures', key: ['person'], blinded: ['person', 'direct'], sealed: undefined },
  { name: 'damaged', key: ['seq'], blinded: ['id', 'owner'], sealed: 'bytes', purpose: 'damaged' },
  { name: 'inbox', key: ['id'], blinded: ['lane', 'person'], sealed: 'body', purpose: 'inbox' },
  { name: 'inbox_lanes', key: ['lane'], blinded: ['lane'], sealed: undefined },
  { name: 'slots', key: ['person'], blinded: ['person'], sealed: undefined },
  { name: 'removed', key: ['origin'], blinded: ['origin'], sealed: undefined },
  { name: 'acceptances', key: ['person', 'at', 'seq'], blinded: ['person'], sealed: undefined },
  { name: 'usage', key: ['day', 'community', 'person'], blinded: ['community', 'person'], sealed: undefined },
  {
    name: 'tallies',
    key: ['community', 'what', 'hour', 'name'],
    blinded: ['community'],
    sealed: undefined,
  },
  { name: 'charges', key: ['job'], blinded: ['grants_of'], sealed: undefined },
  {
    name: 'grants',
    key: ['community', 'person'],
    blinded: ['community', 'person'],
    sealed: 'body',
    purpose: GRANT,
  },
  { name: 'figures', key: ['scale', 'at'], blinded: [], sealed: 'body', purpose: FIGURES },
] as const;

/**
 * Encrypts a store that was created without a key, in the transaction of the caller. `scrubReadable` must follow; after a
 * crash, at the next start.
 */
export function encryptExisting(sql: DatabaseSync, seal: Seal, blind: (id: string) => string): void {
  for (const table of tables) {
    const where = table.key.map((column) => `${column} = ?`).join(' AND ');
    const changed = [...table.blinded, ...(table.sealed === undefined ? [] : [table.sealed])];
    const get = sql.prepare(`SELECT * FROM ${table.name} WHERE ${where}`);
    const update = sql.prepare(
      `UPDATE ${table.name} SET ${changed.map((column) => `${column} = ?`).join(', ')} WHERE ${where}`,
    );
    // Keys change in this loop, so they are read first; records may be large and are read one by one.
    for (const found of sql.prepare(`SELECT ${table.key.join(', ')} FROM ${table.name}`).all()) {
      const key = table.key.map((column): SQLOutputValue => found[column] ?? null);
      const row = get.get(...key) ?? {};
      const values = table.blinded.map((column) => {
        const id = row[column] ?? null;
        // A community's sum has an empty person; a job that was never submitted has no service id.
        return id === null || id === '' ? id : blind(original(String(id)));
      });
      const purpose = 'purpose' in table ? (table.purpose ?? String(row.namespace)) : '';
      const text = table.sealed && textIn(row[table.sealed]);
      const body = table.sealed === undefined ? [] : [text === undefined ? null : seal.seal(text, purpose)];
      update.run(...values, ...body, ...key);
    }
  }
  sql.exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('scrub', X'31')");
}

export const isScrubDue = (sql: DatabaseSync): boolean =>
  sql.prepare("SELECT 1 FROM meta WHERE name = 'scrub'").get() !== undefined;

/** Removes the plain text from unused pages and from the log. */
export function scrubReadable(sql: DatabaseSync): void {
  sql.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  sql.exec("DELETE FROM meta WHERE name = 'scrub'");
}
