import type { Seal } from '../records/seal.ts';

/**
 * A row as a database returns it, and the interface that SQLite and PostgreSQL have for the tables.
 *
 * A transaction that locks several of these locks them in this order, so that no two wait for each other:
 *
 * 1. the key of a turn (`turn_of`), a person, then their row in `erasures`
 * 2. everybody's row in `slots` (`person = ''`): for a change of a slot, or locks on several jobs of which some stand in line
 * 3. rows of `jobs`, by `seq`
 * 4. the other rows of `slots`, and the jobs in line that follow from a slot
 * 5. `tallies`
 * 6. `charges`, the ceilings' locks, `grants`, `usage` of the person and of everybody, `totals`
 * 7. `damaged`, `entries`
 *
 * Rows that no other transaction can know of yet can be added at any time. Sweeps and claims do not wait: what is locked is
 * left out.
 */
export type Row = Readonly<Record<string, unknown>>;

/** One statement with `$1`, `$2` and so on. Without `values` it may be several. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Statements that are not lossy are durable; both can be asked for in one transaction. */
export interface Statements extends Query {
  /**
   * A statement that a power cut may undo, with all of its transaction, and that therefore waits for no disk where it can. Its text
   * ends with RETURNING and what it returns, to which PostgreSQL's driver adds what it needs.
   */
  readonly lossy: Query;
}

/** Statements of one transaction, run in the order in which they are asked for. */
export interface Transaction extends Statements {
  /** A statement whose answer is not needed. Where it fails, the transaction does. */
  write(text: string, values: readonly unknown[]): void;
}

/** A database, as the tables use it. */
export interface Driver {
  /** One statement is one transaction. It survives a crash of the process, and a power cut after `onDisk`. */
  readonly query: Statements & {
    /** Like `lossy`, but the statement is on disk a moment later. */
    readonly unawaited: Query;
  };
  /**
   * All or nothing, at the isolation level `read committed`. Inside `work` only its own `query` can be used. `work` may be run
   * again when another transaction was in the way. Statements that are sent before an answer is awaited cost one round trip.
   */
  transaction<T>(work: (query: Transaction) => Promise<T>): Promise<T>;
  /** Statements like those of `query.lossy`: all in one transaction, or each in its own, whichever is faster. */
  together<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** When every transaction but lossy ones would survive a power cut. `patienceMs`: so long it first waits for others. */
  onDisk(patienceMs?: number): Promise<void>;
  /** Personal data was deleted, and must not stay in files beside the tables either. */
  removed(): void;
  /** This unique index, or one of several where the database does not say which, refused a statement. */
  isDuplicate(error: unknown, index: string): boolean;
  readonly sql: Dialect;
}

/** The base of tables that are only read: database, encryption, and the hash of ids. */
export interface ReadBase {
  readonly driver: Pick<Driver, 'query' | 'transaction' | 'sql'>;
  readonly seal: Seal;
  /** The hash of an id, as it is stored. */
  readonly blind: (id: string) => string;
}

/** The base of all tables: like `ReadBase`, with writing, the clock and the processes on the store. */
export interface Base extends ReadBase {
  readonly driver: Driver;
  readonly now: () => number;
  /** The member id of this process; another one after it was taken for dead. */
  readonly memberId: () => string;
  /** Members that have unfinished jobs, or have claimed some, and are certainly dead. */
  readonly deadMembers: () => Promise<readonly string[]>;
}

/** The pieces of statements in which the two databases differ. Arguments are SQL expressions. */
export interface Dialect {
  /** No other process can use the store. */
  readonly isSole: boolean;
  /** Behind a SELECT whose rows no other transaction can change until this one ends. */
  readonly forUpdate: string;
  /** Like `forUpdate`, but rows that another transaction has locked are left out. */
  readonly skipLocked: string;
  readonly greatest: string;
  readonly least: string;
  /** The database's own clock at the beginning of the transaction, in ms. */
  readonly now: string;
  /**
   * One clock for all processes, in ms, read when the statement runs: after the locks of those before it. PostgreSQL's own; where
   * one process has the store, the clock of that process.
   */
  readonly clock: string;
  /** Behind a table's name: the index that a planner without statistics would not choose. */
  indexedBy(index: string): string;
  /** The rows of `jobs` that have not ended, as a table of that name. */
  readonly unfinishedJobs: string;
  /** The next number of a record, higher than every mark of an erasure. `owner`: the owner of an entry. */
  nextSeq(table: 'jobs' | 'audit' | 'entries', owner?: string): string;
  list(list: string, type: 'text' | 'bigint'): string;
  /** The elements of a list in JSON, as a table with the column `value`. */
  rows(list: string): string;
  bytes(text: string): string;
  /** Between columns and values of an INSERT: numbers that the database would give out by itself are among them. */
  readonly given: string;
  /** A SELECT of one row that waits while this person is erased; null: it does not wait. */
  sharedLock(person: string): string;
  /**
   * A SELECT that lets one transaction at a time of each of these people, or names, pass until it ends, in the list's order.
   * For `write`, which ignores an empty one: transactions follow one another anyway.
   */
  lock(what: 'person' | 'credits' | 'grants' | 'figures', names: string): string;
  /** Whether this member is dead. Until the transaction ends no other one gets the same answer. */
  isDead(member: string): string;
  /** A SELECT of the former ids of members that live under another one. */
  readonly rejoined: string;
}
