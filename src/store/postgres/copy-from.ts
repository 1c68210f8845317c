import {
  COPIED_TABLES,
  type CopiedRow,
  type CopiedValue,
  type CopySource,
  isBytes,
  isText,
  whereCopied,
} from '../records/copy/copied-tables.ts';
import { originalOf } from '../records/seal/columns.ts';
import { StoreError } from '../records/store-error.ts';
import type { Column, Table } from '../records/tables.ts';
import type { Query, Row } from '../tables/driver.ts';
import { isEncrypted, refuseHalfMoved } from '../tables/unlock.ts';
import { type Address, addressOf } from './database/address.ts';
import { openDatabase } from './database/database.ts';
import { requireUpToDate, schemaVersion, startKey } from './database/migrate.ts';
import { refuseSharedSessions } from './database/pooler.ts';
import { isLocked, startError } from './database/postgres-error.ts';
import { countMembers } from './members/lock-keys.ts';

const PAGE = 50;
/** The server may need this long to notice that a process was killed. */
export const PATIENCE_MS = 5_000;
/** Longer ones are read one by one. */
const SHORT_BYTES = 262_144;

const UNHURRIED = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';
/** Whoever brings the tables up to date meanwhile waits. */
const LOCK_VERSION = `LOCK TABLE ${COPIED_TABLES.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`;

/** Reads a database that no Darkroom uses. Nothing in it changes. */
export async function copyFromPostgres<T>(url: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  return reading(url, async (query, { schema, shown }) => {
    await keepOut(query, schema, shown);
    const source = await sourceOf(query, shown);
    const result = await work(source);
    await requireUnused(query, shown);
    return result;
  });
}

/** Reads one state of a database that Darkrooms may work on; they do not wait. */
export async function copyFromUsedPostgres<T>(
  url: string,
  work: (source: CopySource) => Promise<T>,
): Promise<T> {
  return reading(url, async (query, { shown }) => {
    await query(`${UNHURRIED}; ${LOCK_VERSION}`);
    return work(await sourceOf(query, shown));
  });
}

async function reading<T>(url: string, work: (query: Query, address: Address) => Promise<T>): Promise<T> {
  const address = addressOf(url);
  const { shown } = address;
  const database = openDatabase(address);
  try {
    await refuseSharedSessions(address);
    if ((await schemaVersion(database.query)) === 0)
      throw new StoreError(`There is no store at ${shown} (STORE_URL).`);
    return await database.transaction(async (query) => {
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return work(query, address);
    });
  } catch (error) {
    throw startError(error, shown, 'read');
  } finally {
    await database.close();
  }
}

async function sourceOf(query: Query, shown: string): Promise<CopySource> {
  requireUpToDate(await schemaVersion(query));
  await refuseHalfMoved(query);
  return { shown, encrypts: await isEncrypted(query), ...tablesOf(query, shown) };
}

/** Until the transaction ends no Darkroom can start, and none may be running. */
export async function keepOut(query: Query, schema: string | undefined, shown: string): Promise<void> {
  await query(`${UNHURRIED}; SET LOCAL lock_timeout = ${PATIENCE_MS}`);
  try {
    await query(`SELECT pg_advisory_xact_lock(${startKey})`, [schema]);
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new StoreError(`A Darkroom starts on the store ${shown}, or it is being moved. Stop that first.`);
  }
  await requireUnused(query, shown);
}

export async function requireUnused(query: Query, shown: string): Promise<void> {
  const members = await countMembers(query);
  if (members > 0)
    throw new StoreError(
      `${members} ${members === 1 ? 'process works' : 'processes work'} on the store ${shown}. Stop all of them first.`,
    );
}

export function tablesOf(query: Query, shown: string): Pick<CopySource, 'count' | 'rows'> {
  return {
    async count(table) {
      const [row] = await query(`SELECT count(*) AS n FROM ${table.name}${whereCopied(table)}`);
      return Number(row?.n);
    },
    async *rows(table) {
      const cursor = `copied_${table.name}`;
      try {
        await query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${selectOf(table)}`);
        for (;;) {
          const rows = await query(`FETCH ${PAGE} FROM ${cursor}`);
          for (const row of rows) yield await rowOf(query, table, row);
          if (rows.length === 0) break;
        }
        await query(`CLOSE ${cursor}`);
      } catch (error) {
        throw startError(error, shown, 'read');
      }
    },
  };
}

function selectOf(table: Table): string {
  const columns = Object.entries(table.columns).map(([name, column]) =>
    isBytes(column) ? `CASE WHEN length(${name}) <= ${SHORT_BYTES} THEN ${name} END AS ${name}` : name,
  );
  return `SELECT ctid, ${columns.join(', ')} FROM ${table.name}${whereCopied(table)}`;
}

async function rowOf(query: Query, { name: table, columns }: Table, row: Row): Promise<CopiedRow> {
  const values: CopiedValue[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const isLong = isBytes(column) && row[name] === null;
    const [long] = isLong ? await query(`SELECT ${name} FROM ${table} WHERE ctid = $1`, [row.ctid]) : [row];
    values.push(copiedOf(long?.[name], column));
  }
  return values;
}

function copiedOf(value: unknown, column: Column): CopiedValue {
  if (isBytes(column)) return Buffer.isBuffer(value) ? value : column.optional ? null : Buffer.alloc(0);
  if (value === null || value === undefined) return null;
  if (isText(column)) return originalOf(String(value));
  return column.kind === 'number' ? Math.max(0, Number(value)) : Number(value);
}
