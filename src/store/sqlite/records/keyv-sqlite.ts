import { type KeyvStorageAdapter, keyvStorageCapability } from 'keyv';
import type { KeyValue } from '../../../base/key-value.ts';
import { reasonOf } from '../../records/damage.ts';
import { createEntryBodies, LONGEST_VALUE, valueIn } from '../../records/entry-body.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { RecordRules } from '../../records/store.ts';
import { type Database, HIGHEST_NUMBER } from '../file/database.ts';
import type { DamagedRecords } from './damaged-records.ts';
import type { Erasures } from './erasures.ts';

type Row = Record<string, unknown>;

/** This adapter emits no events. */
type SqliteStorage = Omit<KeyvStorageAdapter, keyof NodeJS.EventEmitter>;

export interface KeyvSqliteParts {
  readonly database: Database;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly erasures: Pick<Erasures, 'marks'>;
  readonly damagedRecords: DamagedRecords;
  readonly now: () => number;
}

/** Keyv's storage on our SQLite file. Keys may name people, so they are hashed, and encrypted with their value. */
export function createKeyvSqlite(
  { database, seal, blind, erasures, damagedRecords, now }: KeyvSqliteParts,
  namespace: string,
  rules: RecordRules,
): SqliteStorage & Pick<KeyValue, 'update'> & { bytes(): Promise<number> } {
  const { sql, transaction, onDisk } = database;
  const { ownerOf, insteadOf } = rules;
  const bodies = createEntryBodies(namespace, rules, seal, blind);
  const alive = '(expires IS NULL OR expires > ?)';
  // A damaged number may be larger than any that can be read; with none, the record is older than every request to delete it.
  const number = `iif(seq <= ${HIGHEST_NUMBER}, seq, 0) AS seq`;
  const columns = `key, owner, ${number}, length(value) AS length,
    CASE WHEN length(value) <= ${LONGEST_VALUE} THEN value END AS value`;
  const get = sql.prepare(`SELECT ${columns} FROM entries WHERE namespace = ? AND key = ? AND ${alive}`);
  const has = sql.prepare(
    `SELECT owner, ${number} FROM entries WHERE namespace = ? AND key = ? AND ${alive}`,
  );
  const set = sql.prepare(`
    INSERT OR REPLACE INTO entries (namespace, key, value, expires, owner, seq) VALUES (?1, ?2, ?3, ?4, ?5,
      1 + max(coalesce((SELECT max(seq) FROM entries WHERE owner = ?5 AND seq <= ${HIGHEST_NUMBER}), 0), ?6))
  `);
  const remove = sql.prepare('DELETE FROM entries WHERE namespace = ? AND key = ?');
  const clear = sql.prepare('DELETE FROM entries WHERE namespace = ?');
  const bytes = sql.prepare('SELECT total(length(value)) AS bytes FROM entries WHERE namespace = ?');
  const page = sql.prepare(
    `SELECT ${columns} FROM entries WHERE namespace = ? AND key > ? AND ${alive} ORDER BY key LIMIT 100`,
  );

  /** The data of its owner is being deleted. */
  const isHidden = ({ owner, seq }: Row): boolean =>
    typeof owner === 'string' && Number(seq) <= (erasures.marks(owner)?.entries ?? -1);
  const setAside = (row: Row, error: unknown, instead: () => void): void => {
    const [key, owner] = [String(row.key), typeof row.owner === 'string' ? row.owner : null];
    const damaged = { kind: namespace, id: key, why: reasonOf(error) };
    try {
      transaction(() => {
        damagedRecords.setAside(damaged, owner, row.value);
        remove.run(namespace, key);
        instead();
      });
    } catch {
      // Not writable now; the next read tries again.
      damagedRecords.skip(damaged);
    }
  };
  const read = (
    row: Row,
    instead: () => void = () => undefined,
  ): readonly [key: string, value: string] | undefined => {
    if (isHidden(row)) return undefined;
    try {
      return bodies.open(row);
    } catch (error) {
      setAside(row, error, instead);
      return undefined;
    }
  };
  const one = (key: string) => {
    const row = get.get(namespace, blind(key), now());
    if (row === undefined) return undefined;
    let text: string | undefined;
    const found = read(row, () => {
      const value = insteadOf?.(key);
      if (value === undefined) return;
      text = JSON.stringify({ value });
      put(key, text);
    });
    return found?.[1] ?? text;
  };
  const isThere = (key: string): boolean => {
    const row = has.get(namespace, blind(key), now());
    return row !== undefined && !isHidden(row);
  };
  const ownerIn = (key: string, text: unknown): string | undefined =>
    bodies.ownerOf(key, typeof text === 'string' ? valueIn(text) : undefined);
  const put = (key: string, value: unknown, expires?: number): boolean => {
    const owner = ownerOf === undefined ? undefined : ownerIn(key, value);
    const sealed = bodies.seal(key, String(value));
    const above = owner === undefined ? 0 : (erasures.marks(owner)?.entries ?? 0);
    set.run(namespace, blind(key), sealed, expires ?? null, owner ?? null, above);
    return true;
  };
  const drop = (key: string): boolean => remove.run(namespace, blind(key)).changes > 0;
  /** Adds the owner to records from before the `owner` column. */
  const assignOwners = (): void => {
    const unowned = sql.prepare(
      `SELECT ${columns} FROM entries INDEXED BY entries_unowned WHERE namespace = ? AND owner IS NULL`,
    );
    const setOwner = sql.prepare('UPDATE entries SET owner = ?, seq = 0 WHERE namespace = ? AND key = ?');
    transaction(() => {
      for (const row of unowned.iterate(namespace)) {
        try {
          const owner = ownerIn(...bodies.open(row));
          if (owner !== undefined) setOwner.run(owner, namespace, String(row.key));
        } catch {
          // The next read sets it aside.
        }
      }
    });
  };
  if (ownerOf !== undefined) assignOwners();
  const durably = async <T>(work: () => T): Promise<T> => {
    const result = transaction(work);
    await onDisk();
    return result;
  };

  const adapter = {
    namespace,
    get: async (key: string) => one(key),
    getMany: async (keys: string[]) => keys.map(one),
    has: async (key: string) => isThere(key),
    hasMany: async (keys: string[]) => keys.map(isThere),
    set: (key: string, value: unknown, expires?: number) => durably(() => put(key, value, expires)),
    setMany: (values: { key: string; value: unknown; expires?: number | undefined }[]) =>
      durably(() => values.map(({ key, value, expires }) => put(key, value, expires))),
    update: <T>(key: string, change: (value: T | undefined) => T | undefined, ttlMs?: number) =>
      durably(() => {
        const text = one(key);
        const before: T | undefined = text === undefined ? undefined : JSON.parse(text).value;
        const after = change(before);
        if (after === undefined) return before;
        put(key, JSON.stringify({ value: after }), ttlMs === undefined ? undefined : now() + ttlMs);
        return after;
      }),
    delete: (key: string) => durably(() => drop(key)),
    deleteMany: (keys: string[]) => durably(() => keys.map(drop)),
    clear: () => durably(() => void clear.run(namespace)),
    bytes: async () => Number(bytes.get(namespace)?.bytes),
    async *iterator<Value>(): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
      let last = '';
      for (;;) {
        const rows = page.all(namespace, last, now());
        for (const row of rows) {
          last = String(row.key);
          const entry = read(row);
          if (entry !== undefined) yield [...entry];
        }
        if (rows.length === 0) return;
      }
    },
  };
  return Object.assign(adapter, { capabilities: keyvStorageCapability(adapter) });
}
