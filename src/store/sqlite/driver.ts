import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Dialect, Driver, Query, Row, Transaction } from '../tables/driver.ts';
import type { Database } from './file/database.ts';
import { isConstraint } from './file/sqlite-error.ts';

/** One process has the file, and one transaction at a time passes: nothing else needs a lock. */
export const dialect: Dialect = {
  isSole: true,
  forUpdate: '',
  skipLocked: '',
  greatest: 'max',
  least: 'min',
  now: '(unixepoch() * 1000)',
  clock: '(SELECT clock())',
  indexedBy: (index) => ` INDEXED BY ${index}`,
  unfinishedJobs: 'jobs INDEXED BY jobs_taken_up',
  nextSeq: (table) => `next_seq('${table}')`,
  list: (list) => `json_each(${list})`,
  rows: (list) => `json_each(${list})`,
  bytes: (text) => `unhex(${text})`,
  given: '',
  sharedLock: (person) => `SELECT ${person} AS locked`,
  lock: () => '',
  isDead: () => 'true',
  rejoined: 'SELECT NULL WHERE false',
};

type Prepared = Readonly<{ statement: StatementSync; isRead: boolean; counts: boolean }>;

/** SQLite writes the rows of RETURNING to a table of their own first: where nothing is read of them, they are counted. */
const COUNTED = /\s+RETURNING 1$/;

function createRun(sql: DatabaseSync) {
  const known = new Map<string, Prepared>();
  return {
    prepared(text: string): Prepared {
      const found = known.get(text);
      if (found !== undefined) return found;
      const statement = sql.prepare(text.replace(COUNTED, '').replaceAll(/\$(\d+)/g, '?$1'));
      // A damaged number that JavaScript cannot hold would keep all other rows from being read.
      statement.setReadBigInts(true);
      const isRead = /^\s*(SELECT|WITH RECURSIVE)\b/.test(text);
      const fresh = { statement, isRead, counts: COUNTED.test(text) };
      known.set(text, fresh);
      return fresh;
    },
    run({ statement, counts }: Prepared, values: readonly unknown[]): Row[] {
      const inputs = values.map(inputOf);
      if (counts) return Array.from({ length: Number(statement.run(...inputs).changes) }, () => ({}));
      const rows = statement.all(...inputs);
      for (const row of rows)
        for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
      return rows;
    },
  };
}

const refuseToWrite = (): Promise<never> =>
  Promise.reject(new Error('The store was opened for reading only.'));

export function readDriverOf(sql: DatabaseSync): Pick<Driver, 'query' | 'transaction' | 'sql'> {
  const { prepared, run } = createRun(sql);
  const read: Query = async (text, values = []) => run(prepared(text), values);
  return {
    query: Object.assign(read, { lossy: refuseToWrite, unawaited: refuseToWrite }),
    transaction: refuseToWrite,
    sql: dialect,
  };
}

/** Statements run at once; only those that come while a transaction is open wait. */
export function driverOf(database: Database, now: () => number): Driver {
  const { sql } = database;
  numberRecords(database);
  sql.function('clock', { directOnly: true }, () => BigInt(Math.floor(now())));
  const { prepared, run } = createRun(sql);
  let isBusy = false;
  const waiting: (() => void)[] = [];
  const inTurn = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (isBusy) await new Promise<void>((resolve) => waiting.push(resolve));
    isBusy = true;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) isBusy = false;
      else next();
    }
  };

  const write: Transaction['write'] = (text, values) => {
    if (text !== '') run(prepared(text), values);
  };
  const runNow: Query = async (text, values = []) => run(prepared(text), values);
  /** The transaction decides whether a power cut may undo it. */
  const inTransaction: Transaction = Object.assign(runNow, { lossy: runNow, write });
  const durable: Query = (text, values = []) =>
    inTurn(() => {
      const statement = prepared(text);
      return statement.isRead ? run(statement, values) : database.transaction(() => run(statement, values));
    });
  const lossy: Query = (text, values = []) => inTurn(() => database.note(() => run(prepared(text), values)));

  return {
    query: Object.assign(durable, { lossy, unawaited: durable }),
    transaction: (work) => inTurn(() => database.transaction(() => work(inTransaction))),
    together: (work) => inTurn(() => database.transaction(() => work(inTransaction), 'lossy')),
    onDisk: database.onDisk,
    removed: database.removed,
    isDuplicate: isConstraint,
    sql: dialect,
  };
}

function inputOf(value: unknown): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array) return value;
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : null;
}

/** `next_seq` gives records numbers that no other has had since the start, higher than those of an earlier start. */
function numberRecords({ sql }: Pick<Database, 'sql'>): void {
  const highest = (table: string, from: string): number => {
    // A damaged number that JavaScript cannot hold is not counted on from.
    const last = (column: string, of: string): string =>
      `(SELECT ${column} FROM ${of} AND ${column} <= ${Number.MAX_SAFE_INTEGER} ORDER BY ${column} DESC LIMIT 1)`;
    const { seq, mark } =
      sql
        .prepare(`SELECT ${last('seq', from)} AS seq, ${last(table, 'erasures WHERE true')} AS mark`)
        .get() ?? {};
    return Math.max(Number(seq ?? 0), Number(mark ?? 0));
  };
  // Records without an owner have a number, too, which is never searched for.
  const owned = 'entries INDEXED BY entries_owner WHERE owner IS NOT NULL';
  const last = new Map<SQLOutputValue, number>([
    ['jobs', highest('jobs', 'jobs WHERE true')],
    ['audit', highest('audit', 'audit WHERE true')],
    ['entries', Math.max(highest('entries', owned), Date.now())],
  ]);
  sql.function('next_seq', { directOnly: true }, (table: SQLOutputValue) => {
    const next = (last.get(table) ?? 0) + 1;
    last.set(table, next);
    return next;
  });
}
