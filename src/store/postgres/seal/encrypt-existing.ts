import { FIGURES } from '../../records/figures.ts';
import { GRANT } from '../../records/grants.ts';
import { original } from '../../records/seal/columns.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Query, Row } from '../../tables/driver.ts';
import { readMeta } from '../../tables/meta.ts';
import type { Database } from '../database/database.ts';

interface Table {
  readonly name: string;
  /** Columns that records are looked up by. */
  readonly blinded: readonly string[];
  readonly sealed?: { readonly column: string; readonly purpose: (row: Row) => string };
}

const TABLES: readonly Table[] = [
  {
    name: 'jobs',
    blinded: ['origin', 'owner', 'turn_of', 'community', 'service_id', 'again_of'],
    sealed: { column: 'body', purpose: () => 'job' },
  },
  { name: 'audit', blinded: ['community', 'actor'], sealed: { column: 'detail', purpose: () => 'audit' } },
  {
    name: 'entries',
    blinded: ['key', 'owner'],
    sealed: { column: 'value', purpose: (row) => String(row.namespace) },
  },
  { name: 'erasures', blinded: ['person', 'direct'] },
  { name: 'damaged', blinded: ['id', 'owner'], sealed: { column: 'bytes', purpose: () => 'damaged' } },
  { name: 'removed', blinded: ['origin'] },
  { name: 'acceptances', blinded: ['person'] },
  { name: 'slots', blinded: ['person'] },
  { name: 'inbox', blinded: ['lane', 'person'], sealed: { column: 'body', purpose: () => 'inbox' } },
  { name: 'inbox_lanes', blinded: ['lane'] },
  { name: 'usage', blinded: ['community', 'person'] },
  { name: 'tallies', blinded: ['community'] },
  { name: 'charges', blinded: ['grants_of'] },
  { name: 'grants', blinded: ['community', 'person'], sealed: { column: 'body', purpose: () => GRANT } },
  { name: 'figures', blinded: [], sealed: { column: 'body', purpose: () => FIGURES } },
];

/** What a store that was readable still has to be rid of. */
export const SCRUB = 'scrub';

/** Encrypts a store that was created without a key, in the transaction of the caller. `scrubReadable` must follow. */
export async function encryptExisting(
  query: Query,
  seal: Seal,
  blind: (id: string) => string,
): Promise<void> {
  for (const { name, blinded, sealed } of TABLES) {
    const changed = [...blinded, ...(sealed === undefined ? [] : [sealed.column])];
    const set = changed.map((column, index) => `${column} = $${index + 2}`).join(', ');
    await query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
    // A cursor does not see what is changed after it was opened.
    await query(`DECLARE plain NO SCROLL CURSOR FOR SELECT ctid, * FROM ${name}`);
    for (;;) {
      const rows = await query('FETCH 200 FROM plain');
      for (const row of rows) {
        const values = changed.map((column) =>
          // An update that was handled has no body.
          column === sealed?.column && row[column] !== null
            ? seal.seal(textIn(row[column]), sealed.purpose(row))
            : columnOf(row[column], blind),
        );
        await query(`UPDATE ${name} SET ${set} WHERE ctid = $1`, [row.ctid, ...values]);
      }
      if (rows.length === 0) break;
    }
    await query('CLOSE plain');
  }
}

const textIn = (value: unknown): string => (value instanceof Uint8Array ? Buffer.from(value).toString() : '');

/** The sum of all has an empty person. */
const columnOf = (value: unknown, blind: (id: string) => string): string | null =>
  typeof value === 'string' && value !== '' ? blind(original(value)) : value === '' ? '' : null;

/** Removes the plain text from unused pages of the tables. The server's log and its backups have it until they are gone. */
export async function scrubReadable(database: Database): Promise<void> {
  if ((await readMeta(database.query, SCRUB)) === undefined) return;
  for (const { name } of TABLES) await database.outside(`VACUUM FULL ${name}`);
  await database.query('DELETE FROM meta WHERE name = $1', [SCRUB]);
}
