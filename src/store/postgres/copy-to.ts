import { randomUUID } from 'node:crypto';
import { keepTrying, type Patience } from '../records/keep-trying.ts';
import { StoreError, UncertainError } from '../records/store-error.ts';
import { MOVING, RESTORE } from '../records/tables.ts';
import { COPIED_TABLES, type CopyTarget, isEmpty, targetOf } from '../tables/copy.ts';
import type { Query } from '../tables/driver.ts';
import { writeMeta } from '../tables/meta.ts';
import { inDatabase, keepOut, PATIENCE_MS, postgresSource, requireUnused } from './copy-from.ts';
import { addressOf } from './database/address.ts';
import { type Database, openDatabase } from './database/database.ts';
import { dialect } from './database/driver.ts';
import { migrate, requireUpToDate, schemaVersion } from './database/migrate.ts';
import { isConnectionLoss, isLocked } from './database/postgres-error.ts';
import { END_WORK, isRequestedIn, MEMBER_LOCKS, REQUEST, restoredBy } from './members/lock-keys.ts';

/**
 * Fills a database in one transaction, which is undone when `work` fails. From before it until its end the store is marked, so
 * that no Darkroom starts on it.
 */
export function copyToPostgres<T>(url: string, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  return inDatabase(url, 'opened', async (database, shown) => {
    await prepare(database, shown);
    return database.transaction(async (query) => {
      await keepOut(query, database.schema, shown);
      const result = await work(await filled(query, shown));
      await requireUnused(query, shown);
      return result;
    });
  });
}

const filled = (query: Query, shown: string): Promise<CopyTarget> =>
  targetOf(query, dialect, postgresSource(query, shown), () => number(query));

/** The numbers of updates are kept: what was carried out since the backup must not be carried out again. */
const EMPTY = `
CREATE TEMPORARY TABLE former_inbox AS SELECT id, at FROM inbox;
ALTER TABLE audit DISABLE TRIGGER audit_not_emptied;
TRUNCATE ${COPIED_TABLES.map(({ name }) => name).join(', ')};
ALTER TABLE audit ENABLE TRIGGER audit_not_emptied;
TRUNCATE inbox_lanes;
`;
const KEEP_NUMBERS = `
INSERT INTO inbox (id, lane, at) SELECT id, '', at FROM former_inbox ON CONFLICT (id) DO NOTHING;
DROP TABLE former_inbox;
`;

/** The server undoes the transaction of a restore that was silent for this long, because it froze or its machine vanished. */
const SILENCE_MS = 300_000;

/**
 * Asks the processes that use a database to leave it, empties it and fills it, all in one transaction: if that fails, it is
 * as before, and no process is asked any more.
 */
export async function replacePostgres(
  url: string,
  patience: Patience,
  work: (target: CopyTarget) => Promise<unknown>,
): Promise<void> {
  const mark = randomUUID();
  let isFilled = false;
  const replaced = inDatabase(url, 'replaced', ({ transaction, schema }, shown) =>
    transaction(async (query) => {
      await requestStore(query, shown, patience);
      await keepOut(query, schema, shown);
      patience.progress('replacing the store');
      await query(`SET LOCAL idle_in_transaction_session_timeout = ${SILENCE_MS}`);
      await migrate(query, schema);
      await empty(query, shown, patience);
      await work(await filled(query, shown));
      await query(KEEP_NUMBERS);
      await writeMeta(query, RESTORE, mark);
      isFilled = true;
      await requireUnused(query, shown);
    }),
  );
  await replaced.catch(async (error: unknown) => {
    const isLost = error instanceof StoreError && isConnectionLoss(error.cause);
    // What was lost may be the answer that all of it is done. Before that the server undoes everything.
    if (!isFilled || !isLost || (await markOf(url, patience)) !== mark) throw error;
  });
}

async function markOf(url: string, patience: Patience): Promise<string | null> {
  const address = addressOf(url);
  const database = openDatabase(address);
  const read = async (): Promise<string | null | undefined> =>
    // The server may still be at it.
    (await isRequestedIn(database.query)) ? undefined : restoredBy(database.query);
  try {
    const waiting = 'the connection to the database was lost: asking it whether the store was replaced';
    const mark = await keepTrying(patience, waiting, () => read().catch(() => undefined));
    if (mark === undefined) throw new UncertainError(address.shown);
    return mark;
  } finally {
    await database.close();
  }
}

/** For a restore that is killed while it waits for a lock; some systems cannot notice. */
const NOTICE_DEATH = `DO $$ BEGIN
  PERFORM set_config('client_connection_check_interval', '1s', true);
EXCEPTION WHEN invalid_parameter_value THEN NULL; END $$`;

/** Until the transaction ends, processes leave and none joins. */
async function requestStore(query: Query, shown: string, patience: Patience): Promise<void> {
  await query(`SET LOCAL lock_timeout = ${PATIENCE_MS}; ${NOTICE_DEATH}`);
  try {
    await query(REQUEST, []);
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new StoreError(`Another restore replaces the store ${shown}. Wait until it has ended.`);
  }
  const members = `SELECT objid::bigint FROM ${MEMBER_LOCKS}`;
  const left = await keepTrying(patience, 'waiting until Darkroom has left the store', async () => {
    const [row] = await query(`SELECT NOT EXISTS (${members}) AS yes`, []);
    return row?.yes === true ? true : undefined;
  });
  if (left) return;
  const names = await query(`SELECT name, version FROM members WHERE id IN (${members}) ORDER BY id`, []);
  const listed = names.map(({ name, version }) => `${name} (Darkroom ${version})`).join(', ');
  throw new StoreError(
    `These still work on the store ${shown}: ${listed}. One of an older version does not leave it by itself, nor does one that hangs. Stop them, and run the command again.`,
  );
}

async function empty(query: Query, shown: string, { patienceMs }: Patience): Promise<void> {
  await query(`SET LOCAL lock_timeout = ${patienceMs}`);
  try {
    await query(EMPTY);
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new StoreError(
      `Another program reads the store ${shown}, such as npm run backup. Run the command again when it has ended.`,
    );
  }
  const [work] = await query(END_WORK, []);
  if (work?.ended !== true)
    throw new StoreError(
      `A process that hangs still has connections to the store ${shown}. Stop it, and run the command again.`,
    );
}

/** Makes the tables, and marks an empty store. */
function prepare(database: Database, shown: string): Promise<void> {
  return database.transaction(async (query) => {
    await keepOut(query, database.schema, shown);
    const [known] = await query('SELECT current_schema() IS NOT NULL AS yes', []);
    const version = known?.yes === true ? await schemaVersion(query) : 0;
    if (version > 0) requireUpToDate(version);
    await migrate(query, database.schema);
    if (await isEmpty(query)) await writeMeta(query, MOVING, 'yes');
  });
}

/** Numbers of records continue after all that were ever given out, the marks of erasures included. */
async function number(query: Query): Promise<void> {
  for (const table of ['jobs', 'audit', 'entries'])
    await query(
      `SELECT setval('${table}_seq', greatest(1, (SELECT max(seq) FROM ${table}), (SELECT max(${table}) FROM erasures)))`,
    );
  await query(
    "SELECT setval(pg_get_serial_sequence('damaged', 'seq'), greatest(1, (SELECT max(seq) FROM damaged)))",
  );
}
