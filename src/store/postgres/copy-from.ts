import { StoreError } from '../records/store-error.ts';
import { COPIED_TABLES, type CopySource, sourceOf } from '../tables/copy.ts';
import type { Query } from '../tables/driver.ts';
import { refuseHalfMoved } from '../tables/unlock.ts';
import { addressOf } from './database/address.ts';
import { type Database, openDatabase } from './database/database.ts';
import { requireUpToDate, schemaVersion, startKey } from './database/migrate.ts';
import { refuseSharedSessions } from './database/pooler.ts';
import { isLocked, startError } from './database/postgres-error.ts';
import { countMembers } from './members/lock-keys.ts';

/** The server may need this long to notice that a process was killed. */
export const PATIENCE_MS = 5_000;

const UNHURRIED = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';
/** A process that migrates the tables meanwhile waits. */
const LOCK_VERSION = `LOCK TABLE ${COPIED_TABLES.map(({ name }) => name).join(', ')} IN ACCESS SHARE MODE`;

/** Opens a database, and closes it when `work` has ended. `use`: for the message about an error. */
export async function inDatabase<T>(
  url: string,
  use: 'opened' | 'read' | 'replaced',
  work: (database: Database, shown: string) => Promise<T>,
): Promise<T> {
  const address = addressOf(url);
  const database = openDatabase(address);
  try {
    await refuseSharedSessions(address);
    return await work(database, address.shown);
  } catch (error) {
    throw startError(error, address.shown, use);
  } finally {
    await database.close();
  }
}

/** Reads a database that no Darkroom uses. Nothing in it changes. */
export function copyFromPostgres<T>(url: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  return reading(url, async (query, shown, schema) => {
    await keepOut(query, schema, shown);
    const result = await work(await readSource(query, shown));
    await requireUnused(query, shown);
    return result;
  });
}

/** Reads one state of a database that Darkrooms may work on; they do not wait. */
export function copyFromUsedPostgres<T>(url: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  return reading(url, async (query, shown) => {
    await query(`${UNHURRIED}; ${LOCK_VERSION}`);
    return work(await readSource(query, shown));
  });
}

function reading<T>(
  url: string,
  work: (query: Query, shown: string, schema: string | undefined) => Promise<T>,
): Promise<T> {
  return inDatabase(url, 'read', async (database, shown) => {
    if ((await schemaVersion(database.query)) === 0)
      throw new StoreError(`There is no store at ${shown} (STORE_URL).`);
    return database.transaction(async (query) => {
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      return work(query, shown, database.schema);
    });
  });
}

async function readSource(query: Query, shown: string): Promise<CopySource> {
  requireUpToDate(await schemaVersion(query));
  await refuseHalfMoved(query);
  return postgresSource(query, shown);
}

export const postgresSource = (query: Query, shown: string): CopySource =>
  sourceOf(query, shown, (error) => startError(error, shown, 'read'));

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
