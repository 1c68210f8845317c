import {
  constants,
  type DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from 'node:sqlite';
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

/** The actions of a statement that change a table, as SQLite reports them while it prepares one. */
const CHANGES: readonly number[] = [
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
];

/**
 * SQLite compiles a statement again before each run when its limit is a plain parameter, because the plan could depend on the value:
 * 200 µs for a claim that takes 25. The value of an expression is not looked at.
 */
const inSqliteWords = (text: string): string =>
  text.replaceAll(/\$(\d+)/g, '?$1').replaceAll(/\bLIMIT (\?\d+)/g, 'LIMIT CAST($1 AS INTEGER)');

/** SQLite writes the rows of RETURNING to a table of their own first; where nothing is read of them, they are counted instead. */
const COUNTED = /\s+RETURNING 1$/;

type Prepared = Readonly<{ statement: StatementSync; isRead: boolean; isCounted: boolean }>;

function createRun(sql: DatabaseSync) {
  const known = new Map<string, Prepared>();
  let isRead = true;
  sql.setAuthorizer((action) => {
    if (CHANGES.includes(action)) isRead = false;
    return constants.SQLITE_OK;
  });
  return {
    prepared(text: string): Prepared {
      const found = known.get(text);
      if (found !== undefined) return found;
      isRead = true;
      const statement = sql.prepare(inSqliteWords(text.replace(COUNTED, '')));
      // A damaged number that JavaScript cannot hold would keep all other rows from being read.
      statement.setReadBigInts(true);
      const fresh = { statement, isRead, isCounted: COUNTED.test(text) };
      known.set(text, fresh);
      return fresh;
    },
    run({ statement, isCounted }: Prepared, values: readonly unknown[]): Row[] {
      const inputs = values.map(inputOf);
      if (isCounted) return Array.from({ length: Number(statement.run(...inputs).changes) }, () => ({}));
      const rows = statement.all(...inputs);
      for (const row of rows)
        for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
      return rows;
    },
  };
}

const refuseToWrite = (): Promise<never> =>
  Promise.reject(new Error('The store was opened for reading only.'));

/** A driver for a file that is not worked on: it has no transactions of its own. */
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

/** A damaged number that JavaScript cannot hold is not counted on from. */
const MOST = Number.MAX_SAFE_INTEGER;
/** The highest number of a record, and the highest mark of an erasure. */
const HIGHEST = {
  jobs: `SELECT
      (SELECT seq FROM jobs WHERE seq <= ${MOST} ORDER BY seq DESC LIMIT 1) AS seq,
      (SELECT jobs FROM erasures WHERE jobs <= ${MOST} ORDER BY jobs DESC LIMIT 1) AS mark`,
  audit: `SELECT
      (SELECT seq FROM audit WHERE seq <= ${MOST} ORDER BY seq DESC LIMIT 1) AS seq,
      (SELECT audit FROM erasures WHERE audit <= ${MOST} ORDER BY audit DESC LIMIT 1) AS mark`,
  /** Records without an owner have a number, too, which is never searched for. */
  entries: `SELECT
      (SELECT seq FROM entries INDEXED BY entries_owner WHERE owner IS NOT NULL AND seq <= ${MOST}
       ORDER BY seq DESC LIMIT 1) AS seq,
      (SELECT entries FROM erasures WHERE entries <= ${MOST} ORDER BY entries DESC LIMIT 1) AS mark`,
} as const;

/** `next_seq` gives records numbers that no other has had since the start, higher than those of an earlier start. */
function numberRecords({ sql }: Pick<Database, 'sql'>): void {
  const highest = (statement: string): number => {
    const { seq, mark } = sql.prepare(statement).get() ?? {};
    return Math.max(Number(seq ?? 0), Number(mark ?? 0));
  };
  const last = new Map<SQLOutputValue, number>([
    ['jobs', highest(HIGHEST.jobs)],
    ['audit', highest(HIGHEST.audit)],
    ['entries', Math.max(highest(HIGHEST.entries), Date.now())],
  ]);
  sql.function('next_seq', { directOnly: true }, (table: SQLOutputValue) => {
    const next = (last.get(table) ?? 0) + 1;
    last.set(table, next);
    return next;
  });
}
