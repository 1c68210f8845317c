import { StoreError } from '../../store/records/store-error.ts';
import { copyFrom, copyTo, fileOf, openStoreToRead } from '../../store/store.ts';
import {
  COPIED_TABLES,
  type CopiedRow,
  type CopySource,
  type CopyTarget,
  sumUpTable,
  type TableSum,
} from '../../store/tables/copy.ts';
import type { Table } from '../../store/tables/schema.ts';

/** The URLs of both stores, and what a move needs beside them. */
export interface MoveOptions {
  readonly from: string;
  readonly to: string;
  /**
   * The encryption keys. Only a move to PostgreSQL needs them, because some columns of its jobs come from encrypted values.
   */
  readonly keys: readonly Uint8Array[];
  readonly progress: (line: string) => void;
}

/** The number of records and the checksum of one table in both stores. */
export interface ComparedTable {
  readonly table: string;
  readonly source: TableSum;
  readonly target: TableSum;
}

/** The outcome of a move; `not the same`: the copy differed and was undone, so nothing was moved. */
export interface MoveOutcome {
  readonly outcome: 'moved' | 'moved before' | 'not the same';
  readonly tables: readonly ComparedTable[];
}

const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;
const ROWS_PER_LINE = 10_000;

/**
 * Copies a store into an empty one and compares both. Rejects with a StoreError after which the target is as it was before.
 */
export async function moveStore({ from, to, keys, progress }: MoveOptions): Promise<MoveOutcome> {
  try {
    return await about('--from', async () => {
      // The source is opened once with the keys, so that wrong ones are reported before anything is written.
      if (fileOf(to) === undefined) await (await openStoreToRead(from, keys)).close();
      return copyFrom(from, (source) =>
        about('--to', () => copyTo(to, (target) => fillStore(source, target, progress))),
      );
    });
  } catch (error) {
    if (error instanceof NotTheSame) return { outcome: 'not the same', tables: error.tables };
    throw error;
  }
}

/** Replaces the setting in error messages of the store by the option that named this store. */
async function about<T>(option: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError) || error instanceof NotTheSame) throw error;
    throw new StoreError(error.message.replaceAll('STORE_URL', option), { cause: error });
  }
}

/** Thrown within the transaction of the copy, which it undoes. */
class NotTheSame extends StoreError {
  readonly tables: readonly ComparedTable[];
  constructor(tables: readonly ComparedTable[]) {
    super('The copy is not the same.');
    this.tables = tables;
  }
}

/** Copies all tables into an empty store and compares them; a target that has the same records already is left as it is. */
export async function fillStore(
  source: CopySource,
  target: CopyTarget,
  progress: (line: string) => void,
): Promise<MoveOutcome> {
  if (!target.isEmpty) {
    progress(`${target.shown} is not empty: comparing`);
    const tables = await compare(source, target);
    if (tables.every(isTableSame)) return { outcome: 'moved before', tables };
    throw new StoreError(
      `${target.shown} holds other records already. Name an empty database, schema (?schema=name) or file (--to), or empty this one first.`,
    );
  }
  for (const table of COPIED_TABLES) {
    if (table.isPrepared) await target.clear(table);
    await copy(source, target, table, progress);
  }
  await target.finish();
  progress('comparing');
  const tables = await compare(source, target);
  if (!tables.every(isTableSame)) throw new NotTheSame(tables);
  return { outcome: 'moved', tables };
}

async function copy(
  source: CopySource,
  target: CopyTarget,
  table: Table,
  progress: (line: string) => void,
): Promise<void> {
  const total = await source.count(table);
  let rows: CopiedRow[] = [];
  let bytes = 0;
  let done = 0;
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await target.write(table, rows);
    if (Math.floor((done + rows.length) / ROWS_PER_LINE) > Math.floor(done / ROWS_PER_LINE))
      progress(`${table.name}: ${done + rows.length} of ${total}`);
    done += rows.length;
    rows = [];
    bytes = 0;
  };
  for await (const row of source.rows(table)) {
    rows.push(row);
    for (const value of row) bytes += typeof value === 'number' || value === null ? 8 : value.length;
    if (rows.length === BATCH_ROWS || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  progress(`${table.name}: ${done} copied`);
}

export const isTableSame = ({ source, target }: ComparedTable): boolean =>
  source.records === target.records && source.checksum === target.checksum;

async function compare(source: CopySource, target: CopyTarget): Promise<readonly ComparedTable[]> {
  const tables: ComparedTable[] = [];
  for (const table of COPIED_TABLES) {
    const sums = {
      source: await sumUpTable(source.rows(table)),
      target: await sumUpTable(target.rows(table)),
    };
    tables.push({ table: table.name, ...sums });
  }
  return tables;
}
