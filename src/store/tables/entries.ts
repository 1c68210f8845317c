import { type KeyvStorageEntry, type KeyvStorageGetResult, keyvStorageCapability } from 'keyv';
import { z } from 'zod';
import type { Found, RecordStorage } from '../../base/keyv/records.ts';
import { refuseTooLongRecord } from '../records/seal.ts';
import { type DamagedRecords, KEPT_BYTES } from './damaged.ts';
import type { Base, Dialect, ReadBase, Row } from './driver.ts';

/** The rules of a namespace of records: whose they are, and which values are valid. */
export interface RecordRules {
  /** The person (`personKey`) with whose data it is deleted. */
  ownerOf?(key: string, value: unknown): string | undefined;
  isValid?(key: string, value: unknown): boolean;
  /** Replaces a record that was set aside; undefined: nothing does. */
  insteadOf?(key: string): unknown;
}

/** The playground stores results in pieces of 1 MB. */
const LONGEST_VALUE = 16 * 1024 * 1024;

/** Columns of a record as `open` of `createEntryBodies` reads it. */
export const ENTRY_COLUMNS = `entries.key, entries.seq, length(entries.value) AS length,
  CASE WHEN length(entries.value) <= ${LONGEST_VALUE} THEN entries.value END AS value`;

const record = z.tuple([z.string(), z.string()]);
/** The form in which Keyv gives a value to a storage adapter: in an object, or the text that a serialization made of that. */
const encoded = z.union([z.object({ value: z.unknown().optional() }), z.string()]);
type Encoded = z.infer<typeof encoded>;

const valueIn = (stored: Encoded): unknown => (typeof stored === 'string' ? stored : stored.value);

/** Seals and opens the records of a namespace: the key, which may name people, is sealed with its value. */
export function createEntryBodies(
  namespace: string,
  { ownerOf, isValid }: RecordRules,
  { seal, blind }: Pick<ReadBase, 'seal' | 'blind'>,
) {
  return {
    seal: (key: string, stored: Encoded) =>
      refuseTooLongRecord(seal.seal(JSON.stringify([key, JSON.stringify(stored)]), namespace), LONGEST_VALUE),
    /** `value` is null when it is longer than `LONGEST_VALUE`. Throws when it is damaged. */
    open(row: Row): readonly [key: string, stored: Encoded] {
      if (row.value === null && Number(row.length) > LONGEST_VALUE)
        throw new Error(`it is ${row.length} bytes long`);
      const [key, text] = record.parse(JSON.parse(seal.open(row.value, namespace)));
      if (blind(key) !== row.key) throw new Error('it belongs to another key');
      const stored = encoded.parse(JSON.parse(text));
      if (isValid?.(key, valueIn(stored)) === false) throw new Error('it has not the shape of such a record');
      return [key, stored];
    },
    /** The person whose it is, as the columns have them. */
    ownerOf(key: string, stored: Encoded): string | undefined {
      const person = ownerOf?.(key, valueIn(stored));
      return person === undefined ? undefined : blind(person);
    },
  };
}

const PAGE = 100;

/** A record of a person whose data is being deleted is as good as deleted. */
const IS_ERASED = `EXISTS (SELECT 1 FROM erasures AS e
  WHERE e.person = entries.owner AND NOT e.finished AND entries.seq <= e.entries)`;

/** A write under `locked` waits for an erasure that begins, and gets a higher number than its mark; one before it has a lower number. */
const statementsOf = (sql: Dialect) => ({
  find: `SELECT ${ENTRY_COLUMNS}, (entries.expires <= $3 OR ${IS_ERASED}) AS gone FROM entries
    WHERE namespace = $1 AND key = $2`,
  findNext: `SELECT ${ENTRY_COLUMNS}, (entries.expires <= $3 OR ${IS_ERASED}) AS gone FROM entries
    WHERE namespace = $1 AND key > $2 ORDER BY key LIMIT ${PAGE}`,
  /** Replaces any record of this key. */
  put: `WITH locked AS MATERIALIZED (${sql.sharedLock('$5')})
    INSERT INTO entries (namespace, key, value, expires, owner, seq)
    SELECT $1, $2, $3, CAST($4 AS bigint), CAST($5 AS text), ${sql.nextSeq('entries', '$5')} FROM locked WHERE true
    ON CONFLICT (namespace, key) DO UPDATE
      SET value = excluded.value, expires = excluded.expires, owner = excluded.owner, seq = excluded.seq`,
  /** Nothing if there is a record of this key. */
  add: `WITH locked AS MATERIALIZED (${sql.sharedLock('$5')})
    INSERT INTO entries (namespace, key, value, expires, owner, seq)
    SELECT $1, $2, $3, CAST($4 AS bigint), CAST($5 AS text), ${sql.nextSeq('entries', '$5')} FROM locked WHERE true
    ON CONFLICT (namespace, key) DO NOTHING
    RETURNING 1`,
  /** Nothing if another record than `$6` is there, or its owner asked for its deletion since the caller read it. */
  change: `WITH locked AS MATERIALIZED (${sql.sharedLock('$5')})
    UPDATE entries SET value = $3, expires = CAST($4 AS bigint), owner = $5, seq = ${sql.nextSeq('entries', '$5')}
    WHERE namespace = $1 AND key = $2 AND seq = $6 AND EXISTS (SELECT 1 FROM locked) AND NOT ${IS_ERASED}
    RETURNING 1`,
  /** Replaces a row that holds nothing that counts any more. */
  replace: `WITH locked AS MATERIALIZED (${sql.sharedLock('$5')})
    UPDATE entries SET value = $3, expires = CAST($4 AS bigint), owner = $5, seq = ${sql.nextSeq('entries', '$5')}
    WHERE namespace = $1 AND key = $2 AND seq = $6 AND EXISTS (SELECT 1 FROM locked)
    RETURNING 1`,
  remove: 'DELETE FROM entries WHERE namespace = $1 AND key = $2 RETURNING 1',
  clear: 'DELETE FROM entries WHERE namespace = $1',
  sum: 'SELECT sum(length(value)) AS bytes FROM entries WHERE namespace = $1',
  /** Only if it is still the same row: a good one may have been written meanwhile. */
  setAside: `DELETE FROM entries WHERE namespace = $1 AND key = $2 AND seq = $3
    RETURNING owner, substr(value, 1, ${KEPT_BYTES}) AS bytes`,
});

/** The content of a key. `seq`: the number of its row, which may hold nothing that counts; undefined: there is no row. */
type Entry = Readonly<{ seq?: number; stored?: Encoded }>;

/**
 * Keyv's storage adapter over the table `entries`: the records of one namespace. A change names the row that it replaces, so that no
 * other change is lost.
 */
export class EntryStorage implements RecordStorage {
  /** Keyv replaces it when it has one of its own. */
  namespace: string;
  readonly capabilities = keyvStorageCapability(this);
  private readonly base: Base;
  private readonly damagedRecords: DamagedRecords;
  private readonly rules: RecordRules;
  private readonly statements: ReturnType<typeof statementsOf>;

  constructor(base: Base, damagedRecords: DamagedRecords, namespace: string, rules: RecordRules) {
    this.base = base;
    this.damagedRecords = damagedRecords;
    this.namespace = namespace;
    this.rules = rules;
    this.statements = statementsOf(base.driver.sql);
  }

  async get<Value>(key: string): Promise<KeyvStorageGetResult<Value>> {
    const { stored } = await this.read(key);
    return stored as KeyvStorageGetResult<Value>;
  }

  getMany<Value>(keys: string[]): Promise<KeyvStorageGetResult<Value>[]> {
    return Promise.all(keys.map((key) => this.get<Value>(key)));
  }

  async has(key: string): Promise<boolean> {
    return (await this.read(key)).stored !== undefined;
  }

  hasMany(keys: string[]): Promise<boolean[]> {
    return Promise.all(keys.map((key) => this.has(key)));
  }

  async set(key: string, given: unknown, expires?: number): Promise<boolean> {
    const { driver } = this.base;
    // `parse` leaves out when it expires, which is in a column.
    await driver.query(this.statements.put, this.columns(key, encoded.parse(given), expires));
    await driver.onDisk();
    return true;
  }

  setMany<Value>(entries: KeyvStorageEntry<Value>[]): Promise<boolean[]> {
    return Promise.all(entries.map(({ key, value, expires }) => this.set(key, value, expires)));
  }

  async delete(key: string): Promise<boolean> {
    const { driver, blind } = this.base;
    const gone = await driver.query(this.statements.remove, [this.namespace, blind(key)]);
    await driver.onDisk();
    return gone.length > 0;
  }

  deleteMany(keys: string[]): Promise<boolean[]> {
    return Promise.all(keys.map((key) => this.delete(key)));
  }

  async clear(): Promise<void> {
    const { driver } = this.base;
    await driver.query(this.statements.clear, [this.namespace]);
    await driver.onDisk();
  }

  async *iterator<Value>(): AsyncGenerator<(string | Awaited<Value> | undefined)[], void> {
    const { driver, now } = this.base;
    for (let last = ''; ; ) {
      const rows = await driver.query(this.statements.findNext, [this.namespace, last, Math.floor(now())]);
      for (const row of rows) {
        last = String(row.key);
        const entry = await this.open(row);
        if (entry !== undefined) yield entry as [string, Awaited<Value>];
      }
      if (rows.length < PAGE) return;
    }
  }

  async find(key: string): Promise<Found> {
    const { seq, stored } = await this.read(key);
    return { value: stored && valueIn(stored), ...(seq === undefined ? {} : { version: seq }) };
  }

  async swap(key: string, { version, value }: Found, after: unknown, expires?: number): Promise<boolean> {
    const { query, transaction, onDisk, sql } = this.base.driver;
    const how = version === undefined ? 'add' : value === undefined ? 'replace' : 'change';
    const columns = this.columns(key, { value: after }, expires);
    const values = version === undefined ? columns : [...columns, version];
    const [, , , , owner] = columns;
    const done = await (how === 'change' && owner !== null
      ? transaction(async (on) => {
          // A statement of its own: the next one then sees the erasure that it may have waited for.
          on.write(sql.sharedLock('$1'), [owner]);
          return on(this.statements.change, values);
        })
      : query(this.statements[how], values));
    await onDisk();
    return done.length > 0;
  }

  async bytes(): Promise<number> {
    const [row] = await this.base.driver.query(this.statements.sum, [this.namespace]);
    return Number(row?.bytes ?? 0);
  }

  private get bodies() {
    return createEntryBodies(this.namespace, this.rules, this.base);
  }

  private columns(key: string, stored: Encoded, expires: number | undefined) {
    const { seal, ownerOf } = this.bodies;
    return [
      this.namespace,
      this.base.blind(key),
      seal(key, stored),
      expires ?? null,
      ownerOf(key, stored) ?? null,
    ];
  }

  private async read(key: string, isAgain = false): Promise<Entry> {
    const { driver, blind, now } = this.base;
    const [row] = await driver.query(this.statements.find, [this.namespace, blind(key), Math.floor(now())]);
    if (row === undefined) return {};
    const seq = Number(row.seq);
    if (row.gone) return { seq };
    const entry = await this.open(row, key);
    if (entry !== undefined) return { seq, stored: entry[1] };
    if (!isAgain) return this.read(key, true);
    // The store cannot be written, so the damaged record is still there.
    const instead = this.rules.insteadOf?.(key);
    return instead === undefined ? {} : { stored: { value: instead } };
  }

  /** `key`: the one that was asked for; a damaged record does not say which it has. */
  private async open(row: Row, key?: string): Promise<readonly [key: string, stored: Encoded] | undefined> {
    if (row.gone) return undefined;
    try {
      return this.bodies.open(row);
    } catch (error) {
      // Without its key nothing could take its place.
      if (key === undefined && this.rules.insteadOf !== undefined)
        this.damagedRecords.skip({ kind: this.namespace, id: String(row.key), error });
      else await this.setAside(row, error, key);
      return undefined;
    }
  }

  /** Moves a damaged record to `damaged`. If the rules have something to put in its place, it is there at once. */
  private setAside(row: Row, error: unknown, key?: string): Promise<void> {
    return this.damagedRecords.setAside({ kind: this.namespace, id: String(row.key), error }, async (on) => {
      const [gone] = await on(this.statements.setAside, [this.namespace, row.key, row.seq]);
      if (gone === undefined || key === undefined) return gone;
      const instead = this.rules.insteadOf?.(key);
      if (instead !== undefined)
        on.write(this.statements.add, this.columns(key, { value: instead }, undefined));
      return gone;
    });
  }
}
