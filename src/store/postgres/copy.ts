import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreError, UncertainError } from '../records/store-error.ts';
import {
  COPIED_TABLES,
  type CopySource,
  type CopyTarget,
  isEmpty,
  sourceOf,
  targetOf,
} from '../tables/copy.ts';
import type { Query } from '../tables/driver.ts';
import { refuseHalfMoved, writeMeta } from '../tables/meta.ts';
import { BACKED_UP, MOVING, RESTORE } from '../tables/schema.ts';
import { databaseAddressOf } from './database/address.ts';
import { type Database, dialect, openDatabase } from './database/database.ts';
import { refuseSharedSessions } from './database/pooler.ts';
import { isConnectionLoss, isLocked, startError } from './database/postgres-error.ts';
import { migrate, requireUpToDate, schemaVersion, startKey } from './database/schema.ts';
import * as locks from './members/lock-keys.ts';

/** So long a lock is waited for: the server may need some seconds to notice that a process was killed. */
const LOCK_PATIENCE_MS = 5_000;
/** The server undoes the transaction of a restore that was silent for this long, because it froze or its machine vanished. */
const COPY_SILENCE_MS = 300_000;

const NAMES = COPIED_TABLES.map(({ name }) => name).join(', ');
const UNHURRIED = 'SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0';
/** Locks the tables as they are: a process that would migrate them meanwhile waits. */
const LOCK_VERSION = `LOCK TABLE ${NAMES} IN ACCESS SHARE MODE`;
/** Empties all tables, but keeps the numbers of updates: what was carried out since the backup must not be carried out again. */
const EMPTY = `
CREATE TEMPORARY TABLE former_inbox AS SELECT id, at FROM inbox;
ALTER TABLE audit DISABLE TRIGGER audit_not_emptied;
TRUNCATE ${NAMES};
ALTER TABLE audit ENABLE TRIGGER audit_not_emptied;
TRUNCATE inbox_lanes;
`;
const KEEP_NUMBERS = `
INSERT INTO inbox (id, lane, at) SELECT id, '', at FROM former_inbox ON CONFLICT (id) DO NOTHING;
DROP TABLE former_inbox;
`;
/** Lets the server notice that a restore was killed while it waits for a lock, on systems that can tell. */
const NOTICE_DEATH = `DO $$ BEGIN
  PERFORM set_config('client_connection_check_interval', '1s', true);
EXCEPTION WHEN invalid_parameter_value THEN NULL; END $$`;

/** Opens a database, and closes it when `work` has ended. `use`: for the message about an error. */
async function inDatabase<T>(
  url: string,
  use: 'opened' | 'read' | 'replaced',
  work: (database: Database, shown: string) => Promise<T>,
): Promise<T> {
  const address = databaseAddressOf(url);
  try {
    await using database = openDatabase(address);
    await refuseSharedSessions(address);
    return await work(database, address.shown);
  } catch (error) {
    throw startError(error, address.shown, use);
  }
}

/** Runs a statement; `said`: the error when another session holds a lock for too long. */
async function unlessLocked(
  query: Query,
  said: string,
  text: string,
  values?: readonly unknown[],
): Promise<void> {
  try {
    await query(text, values);
  } catch (error) {
    throw isLocked(error) ? new StoreError(said) : error;
  }
}

/** Keeps every Darkroom from starting until the transaction ends; throws if one is running. */
async function keepOut(query: Query, schema: string | undefined, shown: string): Promise<void> {
  await query(`${UNHURRIED}; SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}`);
  const said = `A Darkroom starts on the store ${shown}, or it is being moved or restored. Stop that first, or wait until it has ended.`;
  await unlessLocked(query, said, `SELECT pg_advisory_xact_lock(${startKey})`, [schema]);
  await requireUnused(query, shown);
}

async function requireUnused(query: Query, shown: string): Promise<void> {
  const members = await locks.countMembers(query);
  if (members > 0)
    throw new StoreError(
      `${members} ${members === 1 ? 'process works' : 'processes work'} on the store ${shown}. Stop Darkroom first, and run the command again.`,
    );
}

const sourceIn = (query: Query, shown: string): CopySource =>
  sourceOf(query, shown, (error) => startError(error, shown, 'read'));

/** Reads one state of a database. `inUse`: Darkrooms may work on it meanwhile; otherwise none may. */
export function copyFrom<T>(
  url: string,
  work: (source: CopySource) => Promise<T>,
  inUse = false,
): Promise<T> {
  return inDatabase(url, 'read', async ({ query: ask, transaction, schema }, shown) => {
    if ((await schemaVersion(ask)) === 0) throw new StoreError(`There is no store at ${shown} (STORE_URL).`);
    return transaction(async (query) => {
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await (inUse ? query(`${UNHURRIED}; ${LOCK_VERSION}`) : keepOut(query, schema, shown));
      requireUpToDate(await schemaVersion(query));
      await refuseHalfMoved(query);
      const result = await work(sourceIn(query, shown));
      if (!inUse) await requireUnused(query, shown);
      return result;
    });
  });
}

/** Notes in a database when its last backup was begun; Darkrooms may work on it. */
export const noteBackup = (url: string, at: string): Promise<void> =>
  inDatabase(url, 'opened', ({ query }) => writeMeta(query, BACKED_UP, at));

/** Fills a database in one transaction. From before it until its end the store is marked, so that no Darkroom starts on it. */
export function copyTo<T>(url: string, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  return inDatabase(url, 'opened', async (database, shown) => {
    await prepare(database, shown);
    return database.transaction(async (query) => {
      await keepOut(query, database.schema, shown);
      const result = await work(await targetIn(query, shown));
      await requireUnused(query, shown);
      return result;
    });
  });
}

function prepare({ transaction, schema }: Database, shown: string): Promise<void> {
  return transaction(async (query) => {
    await keepOut(query, schema, shown);
    const [known] = await query('SELECT current_schema() IS NOT NULL AS yes', []);
    const version = known?.yes === true ? await schemaVersion(query) : 0;
    if (version > 0) requireUpToDate(version);
    await migrate(query, schema);
    if (await isEmpty(query)) await writeMeta(query, MOVING, 'yes');
  });
}

const targetIn = (query: Query, shown: string): Promise<CopyTarget> =>
  targetOf(query, dialect, sourceIn(query, shown), async () => {
    // Numbers of records continue after all that were ever given out, the marks of erasures included.
    for (const table of ['jobs', 'audit', 'entries'])
      await query(
        `SELECT setval('${table}_seq', greatest(1, (SELECT max(seq) FROM ${table}), (SELECT max(${table}) FROM erasures)))`,
      );
    await query(
      "SELECT setval(pg_get_serial_sequence('damaged', 'seq'), greatest(1, (SELECT max(seq) FROM damaged)))",
    );
  });

/** For how long it asks whether it has replaced the store, after the connection was lost at the end. */
const CERTAINTY_MS = 60_000;
const ASK_AGAIN_MS = 250;

/** Empties and fills a database that no process works on, in one transaction: if that fails, it is as before. */
export async function replacePostgres(
  url: string,
  work: (target: CopyTarget) => Promise<unknown>,
  certaintyMs = CERTAINTY_MS,
): Promise<void> {
  const mark = randomUUID();
  let isFilled = false;
  const replaced = inDatabase(url, 'replaced', ({ transaction, schema }, shown) =>
    transaction(async (query) => {
      await query(`SET LOCAL lock_timeout = ${LOCK_PATIENCE_MS}; ${NOTICE_DEATH}`);
      const said = `Another restore replaces the store ${shown}. Wait until it has ended.`;
      await unlessLocked(query, said, locks.TAKE_RESTORE_LOCK, []);
      await keepOut(query, schema, shown);
      await query(`SET LOCAL idle_in_transaction_session_timeout = ${COPY_SILENCE_MS}`);
      await migrate(query, schema);
      await empty(query, shown);
      await work(await targetIn(query, shown));
      await query(KEEP_NUMBERS);
      await writeMeta(query, RESTORE, mark);
      isFilled = true;
    }),
  );
  await replaced.catch(async (error: unknown) => {
    const isLost = error instanceof StoreError && isConnectionLoss(error.cause);
    // The lost message may have been the answer that all of it is done. Without a commit the server undoes everything.
    if (!isFilled || !isLost || (await markOf(url, certaintyMs)) !== mark) throw error;
  });
}

/** The mark of the latest restore, read when the server no longer works on one. */
async function markOf(url: string, certaintyMs: number): Promise<string | null> {
  const address = databaseAddressOf(url);
  await using database = openDatabase(address);
  const read = async (): Promise<string | null | undefined> =>
    (await locks.isRestoring(database.query)) ? undefined : locks.restoredBy(database.query);
  const began = performance.now();
  do {
    const mark = await read().catch(() => undefined);
    if (mark !== undefined) return mark;
    await pause(ASK_AGAIN_MS);
  } while (performance.now() - began < certaintyMs);
  throw new UncertainError(address.shown);
}

async function empty(query: Query, shown: string): Promise<void> {
  const said = `Another program reads the store ${shown}, such as npm run backup. Run the command again when it has ended.`;
  await unlessLocked(query, said, EMPTY);
  const [work] = await query(locks.END_FROZEN_CONNECTIONS, []);
  if (work?.ended !== true)
    throw new StoreError(
      `A process that hangs still has connections to the store ${shown}. Stop it, and run the command again.`,
    );
}
