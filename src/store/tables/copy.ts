import { original, storable } from '../records/seal/columns.ts';
import { type Column, MOVING, TABLES, type Table } from '../records/tables.ts';
import type { Dialect, Query, Row } from './driver.ts';

/**
 * A store as tables of plain values, which are the same in every kind of store, so that all of it can be moved from one to
 * another. What is encrypted is copied as it is.
 */
export type CopiedValue = string | number | Uint8Array | null;
export type CopiedRow = readonly CopiedValue[];

/** The columns that are copied, of every table. */
export const COPIED_TABLES: readonly Table[] = TABLES.map((table) => ({
  ...table,
  columns: Object.fromEntries(Object.entries(table.columns).filter(([, column]) => !column.local)),
})).filter(({ columns }) => Object.keys(columns).length > 0);

export const isText = ({ kind }: Column): boolean => kind === 'text' || kind === 'id';
export const isBytes = ({ kind }: Column): boolean => kind === 'bytes' || kind === 'sealed';

/** A store that no process works on, or can begin to, while it is copied. */
export type CopySource = ReturnType<typeof sourceOf>;

/** All that is written to it, or nothing, is there in the end. */
export type CopyTarget = Awaited<ReturnType<typeof targetOf>>;

/** The condition for rows that are copied, of constants. */
const copied = ({ without }: Table): string =>
  without === undefined
    ? 'true'
    : `${without.column} NOT IN (${without.values.map((value) => `'${value}'`).join(', ')})`;

/** `query`: in one transaction, which sees one state. `shown`: without password. `failed`: makes a message of an error. */
export function sourceOf(query: Query, shown: string, failed: (error: unknown) => Error) {
  return {
    shown,
    async count(table: Table): Promise<number> {
      const [row] = await query(`SELECT count(*) AS n FROM ${table.name} WHERE ${copied(table)}`);
      return Number(row?.n);
    },
    /** In any order. */
    async *rows(table: Table): AsyncIterable<CopiedRow> {
      try {
        for (let last: Row | undefined; ; ) {
          const rows = await query(pageOf(table, last !== undefined), keyOf(table, last));
          for (const row of rows) yield rowOf(table, row);
          last = rows.at(-1);
          if (last === undefined) return;
        }
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

const PAGE_ROWS = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/** As many rows as there is room for, and at least one. */
function pageOf(table: Table, isFurther: boolean): string {
  const { name, columns, key } = table;
  const keys = key.join(', ');
  const sizes = Object.keys(columns).filter((column) => isBytes(columns[column] ?? { kind: 'text' }));
  const size = ['0', ...sizes.map((column) => `coalesce(length(${column}), 0)`)].join(' + ');
  const after = isFurther ? ` AND (${keys}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})` : '';
  return `SELECT ${[...key, ...Object.keys(columns)].join(', ')} FROM ${name} WHERE (${keys}) IN (
      SELECT ${keys} FROM (SELECT ${keys}, size, sum(size) OVER (ORDER BY ${keys}) AS total FROM (
        SELECT ${keys}, ${size} AS size FROM ${name} WHERE ${copied(table)}${after} ORDER BY ${keys} LIMIT ${PAGE_ROWS}
      ) AS next) AS page WHERE total - size < ${PAGE_BYTES}
    ) ORDER BY ${keys}`;
}

const keyOf = ({ key }: Table, row: Row | undefined): readonly unknown[] =>
  row === undefined ? [] : key.map((name) => row[name]);

const rowOf = ({ columns }: Table, row: Row): CopiedRow =>
  Object.entries(columns).map(([name, column]) => {
    const value = row[name] ?? null;
    if (value === null || value instanceof Uint8Array) return value;
    return isText(column) ? original(String(value)) : Number(value);
  });

/** `query`: in the transaction that fills it. `number`: the numbers of records continue after those that were ever given out. */
export async function targetOf(
  query: Query,
  { given }: Pick<Dialect, 'given'>,
  source: CopySource,
  number = async (): Promise<void> => undefined,
) {
  return {
    ...source,
    isEmpty: await isEmpty(query),
    /** Removes what a new store has in this table. */
    clear: async (table: Table) => void (await query(`DELETE FROM ${table.name} WHERE ${copied(table)}`)),
    async write({ name, columns }: Table, rows: readonly CopiedRow[]): Promise<void> {
      const marks = Object.keys(columns).map((_, index) => `$${index + 1}`);
      const insert = `INSERT INTO ${name} (${Object.keys(columns).join(', ')})${given} VALUES (${marks.join(', ')})`;
      const kinds = Object.values(columns);
      await Promise.all(
        rows.map((row) =>
          query(
            insert,
            row.map((value, index) => columnOf(value, kinds[index]?.kind)),
          ),
        ),
      );
    },
    /** After the last row: new records get higher numbers, and the store can be used. */
    async finish(): Promise<void> {
      await number();
      await query('DELETE FROM meta WHERE name = $1', [MOVING]);
    },
  };
}

function columnOf(value: CopiedValue, kind: Column['kind'] | undefined): unknown {
  if (kind === 'flag') return value === 1;
  return typeof value === 'string' ? storable(value) : value;
}

/** Whether it holds nothing but what a new store does. */
export async function isEmpty(query: Query): Promise<boolean> {
  const some = COPIED_TABLES.filter(({ isPrepared }) => !isPrepared).map(
    ({ name }) => `EXISTS (SELECT 1 FROM ${name})`,
  );
  const [row] = await query(`SELECT ${some.join(' OR ')} AS used`);
  return Number(row?.used) === 0;
}
