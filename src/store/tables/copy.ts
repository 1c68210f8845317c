import { createHash } from 'node:crypto';
import { original, storable } from '../records/seal.ts';
import type { Dialect, Query, Row } from './driver.ts';
import { type Column, MOVING, TABLES, type Table } from './schema.ts';

/** A row as plain values, which are the same in every kind of store. Encrypted values are copied as they are. */
export type CopiedRow = readonly (string | number | Uint8Array | null)[];

/** All tables with the columns that a copy has: those that belong to one process are left out. */
export const COPIED_TABLES: readonly Table[] = TABLES.map((table) => ({
  ...table,
  columns: Object.fromEntries(Object.entries(table.columns).filter(([, column]) => !column.local)),
})).filter(({ columns }) => Object.keys(columns).length > 0);

export const isText = ({ kind }: Column): boolean => kind === 'text' || kind === 'id';
export const isBytes = ({ kind }: Column): boolean => kind === 'bytes' || kind === 'sealed';

/** A store that nothing changes while it is copied. */
export type CopySource = ReturnType<typeof sourceOf>;

/** A store that a copy fills: with all of it, or with nothing. */
export type CopyTarget = Awaited<ReturnType<typeof targetOf>>;

const copied = ({ without }: Table): string =>
  without === undefined
    ? 'true'
    : `${without.column} NOT IN (${without.values.map((value) => `'${value}'`).join(', ')})`;

/** Reads a store. `query`: in one transaction, which sees one state. `shown`: its address without password. `failed`: makes a message of an error. */
export function sourceOf(query: Query, shown: string, failed: (error: unknown) => Error) {
  return {
    shown,
    async count(table: Table): Promise<number> {
      const [row] = await query(`SELECT count(*) AS n FROM ${table.name} WHERE ${copied(table)}`);
      return Number(row?.n);
    },
    async *rows(table: Table): AsyncIterable<CopiedRow> {
      try {
        for (let last: readonly unknown[] = []; ; ) {
          const rows = await query(pageOf(table, last.length > 0), last);
          for (const row of rows) {
            yield rowOf(table, row);
            last = table.key.map((name) => row[name]);
          }
          if (rows.length === 0) return;
        }
      } catch (error) {
        throw failed(error);
      }
    },
  };
}

const PAGE_ROWS = 500;
const PAGE_BYTES = 4 * 1024 * 1024;

/** The statement for the next rows of a table: as many as there is room for in memory, and at least one. */
function pageOf(table: Table, isFurther: boolean): string {
  const { name, columns, key } = table;
  const keys = key.join(', ');
  const sizes = Object.entries(columns).filter(([, column]) => isBytes(column));
  const size = ['0', ...sizes.map(([column]) => `coalesce(length(${column}), 0)`)].join(' + ');
  const after = isFurther ? ` AND (${keys}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})` : '';
  return `SELECT ${[...key, ...Object.keys(columns)].join(', ')} FROM ${name} WHERE (${keys}) IN (
      SELECT ${keys} FROM (SELECT ${keys}, size, sum(size) OVER (ORDER BY ${keys}) AS total FROM (
        SELECT ${keys}, ${size} AS size FROM ${name} WHERE ${copied(table)}${after} ORDER BY ${keys} LIMIT ${PAGE_ROWS}
      ) AS next) AS page WHERE total - size < ${PAGE_BYTES}
    ) ORDER BY ${keys}`;
}

const rowOf = ({ columns }: Table, row: Row): CopiedRow =>
  Object.entries(columns).map(([name, column]) => {
    const value = row[name] ?? null;
    if (value === null || value instanceof Uint8Array) return value;
    return isText(column) ? original(String(value)) : Number(value);
  });

/** Fills a store. `query`: in the transaction that does so. `number`: lets the numbers of records continue after all that were given out. */
export async function targetOf(
  query: Query,
  { given }: Pick<Dialect, 'given'>,
  source: CopySource,
  number = async (): Promise<void> => undefined,
) {
  return {
    ...source,
    isEmpty: await isEmpty(query),
    clear: async (table: Table) => void (await query(`DELETE FROM ${table.name} WHERE ${copied(table)}`)),
    async write({ name, columns }: Table, rows: readonly CopiedRow[]): Promise<void> {
      const marks = Object.keys(columns).map((_, index) => `$${index + 1}`);
      const insert = `INSERT INTO ${name} (${Object.keys(columns).join(', ')})${given} VALUES (${marks.join(', ')})`;
      const kinds = Object.values(columns);
      const values = (row: CopiedRow): unknown[] =>
        row.map((value, index) => {
          if (kinds[index]?.kind === 'flag') return value === 1;
          return typeof value === 'string' ? storable(value) : value;
        });
      await Promise.all(rows.map((row) => query(insert, values(row))));
    },
    /** After the last row: new records get higher numbers, and the store can be used. */
    async finish(): Promise<void> {
      await number();
      await query('DELETE FROM meta WHERE name = $1', [MOVING]);
    },
  };
}

/** Whether the store holds nothing but the rows of a new one. */
export async function isEmpty(query: Query): Promise<boolean> {
  const some = COPIED_TABLES.filter(({ isPrepared }) => !isPrepared).map(
    ({ name }) => `EXISTS (SELECT 1 FROM ${name})`,
  );
  const [row] = await query(`SELECT ${some.join(' OR ')} AS used`);
  return Number(row?.used) === 0;
}

/** The content of a table in short, to compare a copy with its source. */
export interface TableSum {
  readonly records: number;
  /** Does not depend on the order of the records, because stores sort texts differently. */
  readonly checksum: string;
}

const BITS = 256;

/** Counts rows, and adds up their checksums. */
export async function sumUpTable(rows: AsyncIterable<CopiedRow> | Iterable<CopiedRow>): Promise<TableSum> {
  let records = 0;
  let total = 0n;
  for await (const row of rows) {
    records += 1;
    total = BigInt.asUintN(BITS, total + BigInt(`0x${digestOf(row)}`));
  }
  return { records, checksum: total.toString(16).padStart(BITS / 4, '0') };
}

/** The checksum of one row. Half characters count as U+FFFD, which SQLite stores in their place. */
function digestOf(row: CopiedRow): string {
  const values = row.map((value) => {
    if (value instanceof Uint8Array) return { bytes: createHash('sha256').update(value).digest('hex') };
    return typeof value === 'string' ? value.toWellFormed() : value;
  });
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
