import { FIGURES } from '../figures.ts';
import { GRANT } from '../grants.ts';

type Row = Readonly<Record<string, unknown>>;

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly id: readonly string[];
  /** A key below the first of the table. */
  readonly first: readonly (string | number)[];
  /** What it may have been encrypted for. */
  readonly purposes: (row: Row) => readonly string[];
}

/** Every encrypted column. What was set aside comes last: while the others are gone through, more may be. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'entries',
    column: 'value',
    id: ['namespace', 'key'],
    first: ['', ''],
    purposes: (row) => [String(row.namespace)],
  },
  { table: 'inbox', column: 'body', id: ['id'], first: [-1], purposes: () => ['inbox'] },
  { table: 'jobs', column: 'body', id: ['seq'], first: [0], purposes: () => ['job'] },
  { table: 'audit', column: 'detail', id: ['seq'], first: [0], purposes: () => ['audit'] },
  { table: 'grants', column: 'body', id: ['community', 'person'], first: ['', ''], purposes: () => [GRANT] },
  { table: 'figures', column: 'body', id: ['scale', 'at'], first: ['', 0], purposes: () => [FIGURES] },
  {
    table: 'damaged',
    column: 'bytes',
    id: ['seq', 'kind'],
    first: [0, ''],
    // As it was when it was set aside, or encrypted there because the store had no key before.
    purposes: (row) => [String(row.kind), 'damaged'],
  },
];
