import { type Column, TABLES, type Table } from '../tables.ts';

/**
 * A store as tables of plain values, which are the same in every kind of store, so that all of it can be moved from one to
 * another. What is encrypted is copied as it is.
 */
export type CopiedValue = string | number | Uint8Array | null;
export type CopiedRow = readonly CopiedValue[];

/** Of every table the columns that are copied. */
export const COPIED_TABLES: readonly Table[] = TABLES.map((table) => ({
  ...table,
  columns: Object.fromEntries(Object.entries(table.columns).filter(([, column]) => !column.local)),
})).filter(({ columns }) => Object.keys(columns).length > 0);

export const isText = ({ kind }: Column): boolean => kind === 'text' || kind === 'id';
export const isBytes = ({ kind }: Column): boolean => kind === 'bytes' || kind === 'sealed';

export const HALF_MOVED =
  'The store is being filled by npm run store:move or npm run restore, which has not finished. Run the same command again, or empty the store.';
export const IS_A_BACKUP =
  'The file of STORE_URL is a backup: jobs that wait in it may have been submitted since. Restore it with: npm run restore -- FILE';

/** A store that nobody works on, and nobody can begin to, while it is copied. */
export interface CopySource {
  /** Without password. */
  readonly shown: string;
  readonly encrypts: boolean;
  count(table: Table): Promise<number>;
  /** In any order. */
  rows(table: Table): AsyncIterable<CopiedRow>;
}

/** All that is written to it, or nothing, is there in the end. */
export interface CopyTarget extends Omit<CopySource, 'encrypts'> {
  readonly isEmpty: boolean;
  /** Removes what a new store has in this table. */
  clear(table: Table): Promise<void>;
  write(table: Table, rows: readonly CopiedRow[]): Promise<void>;
  /** After the last row: new records get higher numbers, and the store can be used. */
  finish(): Promise<void>;
}

/** The condition for rows that are copied, of constants. */
export const whereCopied = ({ without }: Table): string =>
  without === undefined
    ? ''
    : ` WHERE ${without.column} NOT IN (${without.values.map((value) => `'${value}'`).join(', ')})`;
