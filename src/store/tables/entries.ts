import { z } from 'zod';
import type { KeyValue, Life, ListedKeyValue } from '../../base/key-value.ts';
import { createKeyedQueue } from '../../base/limits/keyed-queue.ts';
import { bounded } from '../records/seal.ts';
import { type DamagedRecords, KEPT_BYTES } from './damaged.ts';
import type { Base, ReadBase, Row } from './driver.ts';

export interface RecordRules {
  /** The person (`personKey`) with whose data it is deleted. */
  ownerOf?(key: string, value: unknown): string | undefined;
  isValid?(key: string, value: unknown): boolean;
  /** Replaces a record that was set aside; undefined: nothing does. */
  insteadOf?(key: string): unknown;
}

/** The playground stores results in pieces of 1 MB. */
const LONGEST_VALUE = 16 * 1024 * 1024;

/** Columns of a record, as it is opened. */
export const ENTRY = `entries.key, entries.owner, entries.seq, length(entries.value) AS length,
  CASE WHEN length(entries.value) <= ${LONGEST_VALUE} THEN entries.value END AS value`;

const record = z.tuple([z.string(), z.string()]);
const envelope = z.looseObject({ value: z.unknown() });

/** The records of a namespace, as they are stored: the key, which may name people, is sealed with its value. */
export function createEntryBodies(
  namespace: string,
  { ownerOf, isValid }: RecordRules,
  { seal, blind }: Pick<ReadBase, 'seal' | 'blind'>,
) {
  return {
    /** `value`: as JSON, in an object. */
    seal: (key: string, value: string) =>
      bounded(seal.seal(JSON.stringify([key, value]), namespace), LONGEST_VALUE),
    /** `value` is null when it is longer than `LONGEST_VALUE`. Throws when it is damaged. */
    open(row: Row): readonly [key: string, value: unknown] {
      if (row.value === null && Number(row.length) > LONGEST_VALUE)
        throw new Error(`it is ${row.length} bytes long`);
      const [key, text] = record.parse(JSON.parse(seal.open(row.value, namespace)));
      if (blind(key) !== row.key) throw new Error('it belongs to another key');
      const { value } = envelope.parse(JSON.parse(text));
      if (isValid?.(key, value) === false) throw new Error('it has not the shape of such a record');
      return [key, value];
    },
    /** The person whose it is, as the columns have them. */
    ownerOf(key: string, value: unknown): string | undefined {
      const person = ownerOf?.(key, value);
      return person === undefined ? undefined : blind(person);
    },
  };
}

const PAGE = 100;
/** Each attempt fails because another change came first. */
const MOST_TRIES = 1_000;

/** The data of its owner is being deleted. */
const HIDDEN = `EXISTS (SELECT 1 FROM erasures AS e
  WHERE e.person = entries.owner AND NOT e.finished AND entries.seq <= e.entries)`;
const COLUMNS = `${ENTRY}, entries.expires <= $3 AS expired, ${HIDDEN} AS hidden`;
const FIND = `SELECT ${COLUMNS} FROM entries WHERE namespace = $1 AND key = $2`;

/** What is stored under a key. `seq`: its row's number (a row may have no value); undefined: there is none. */
type Found = Readonly<{ seq?: number; value: unknown }>;

const isGone = ({ hidden, expired }: Row): boolean => Boolean(hidden) || Boolean(expired);

interface Namespace extends ListedKeyValue {
  bytes(): Promise<number>;
}

/** Records of one namespace. A change names the row that it replaces, so that no other change is lost. */
export function createEntries(
  { driver, seal, blind, now }: Base,
  damagedRecords: DamagedRecords,
  namespace: string,
  rules: RecordRules,
): Namespace {
  const { query, transaction, onDisk, sql } = driver;
  const bodies = createEntryBodies(namespace, rules, { seal, blind });
  // Waits for the end of `begin` of an erasure: what is written before it has a lower number than its mark.
  const locked = `WITH locked AS MATERIALIZED (${sql.sharedLock('$5')})`;
  const seq = sql.nextSeq('entries', '$5');
  const insert = `${locked} INSERT INTO entries (namespace, key, value, expires, owner, seq)
    SELECT $1, $2, $3, CAST($4 AS bigint), CAST($5 AS text), ${seq} FROM locked WHERE true ON CONFLICT (namespace, key)`;
  const update = `${locked} UPDATE entries SET value = $3, expires = CAST($4 AS bigint), owner = $5, seq = ${seq}
    WHERE namespace = $1 AND key = $2 AND seq = $6 AND EXISTS (SELECT 1 FROM locked)`;
  const put = `${insert} DO UPDATE SET value = excluded.value, expires = excluded.expires, owner = excluded.owner, seq = excluded.seq`;
  const statements = {
    add: `${insert} DO NOTHING`,
    /** A record whose owner asked for its deletion is not changed any more by a caller who read it before that. */
    change: `${update} AND NOT ${HIDDEN}`,
    replace: update,
  };
  const valuesOf = (key: string, value: unknown, ttlMs?: number) => [
    namespace,
    blind(key),
    bodies.seal(key, JSON.stringify({ value })),
    ttlMs === undefined ? null : Math.floor(now() + ttlMs),
    bodies.ownerOf(key, value) ?? null,
  ];
  /** Unless another change came first. */
  const replace = async (key: string, { seq: row, value }: Found, after: unknown, ttlMs?: number) => {
    const how = row === undefined ? 'add' : value === undefined ? 'replace' : 'change';
    const values = [...valuesOf(key, after, ttlMs), ...(row === undefined ? [] : [row])];
    const [, , , , owner] = values;
    const done = await (how === 'change' && owner !== null
      ? transaction(async (on) => {
          // A statement of its own: the next one then sees the erasure that it may have waited for.
          on.write(sql.sharedLock('$1'), [owner]);
          return on(`${statements.change} RETURNING 1`, values);
        })
      : query(`${statements[how]} RETURNING 1`, values));
    await onDisk();
    return done.length > 0;
  };
  /** Only if it is still the same row: a good one may have been written meanwhile. What takes its place is there at once. */
  const setAside = (row: Row, error: unknown, key?: string): Promise<void> =>
    damagedRecords.setAside({ kind: namespace, id: String(row.key), error }, async (on) => {
      const [gone] = await on(
        `DELETE FROM entries WHERE namespace = $1 AND key = $2 AND seq = $3
         RETURNING owner, substr(value, 1, ${KEPT_BYTES}) AS bytes`,
        [namespace, row.key, row.seq],
      );
      if (gone === undefined || key === undefined) return gone;
      const instead = rules.insteadOf?.(key);
      if (instead !== undefined) on.write(statements.add, valuesOf(key, instead));
      return gone;
    });
  /** `key`: the one that was asked for; a damaged record does not say which it has. */
  const open = async (
    row: Row,
    key?: string,
  ): Promise<readonly [key: string, value: unknown] | undefined> => {
    if (isGone(row)) return undefined;
    try {
      return bodies.open(row);
    } catch (error) {
      // Without its key nothing could take its place.
      if (key === undefined && rules.insteadOf !== undefined)
        damagedRecords.skip({ kind: namespace, id: String(row.key), error });
      else await setAside(row, error, key);
      return undefined;
    }
  };
  const find = async (key: string, isAgain = false): Promise<Found> => {
    const [row] = await query(FIND, [namespace, blind(key), Math.floor(now())]);
    if (row === undefined) return { value: undefined };
    const entry = await open(row, key);
    if (entry !== undefined || isGone(row)) return { seq: Number(row.seq), value: entry?.[1] };
    // Whether this process or another one has replaced it. Again: the store cannot be written.
    return isAgain ? { value: rules.insteadOf?.(key) } : find(key, true);
  };

  /** Changes by one process do not make each other try again; only those of other processes do. */
  const serially = createKeyedQueue();

  return {
    async get<T>(key: string) {
      return (await find(key)).value as T | undefined;
    },
    async set(key, value, ttlMs) {
      await query(put, valuesOf(key, value, ttlMs));
      await onDisk();
    },
    async delete(key) {
      const remove = 'DELETE FROM entries WHERE namespace = $1 AND key = $2 RETURNING 1';
      const gone = await query(remove, [namespace, blind(key)]);
      await onDisk();
      return gone.length > 0;
    },
    update: (<T>(key: string, change: (value: T | undefined) => T | undefined, ttlMs?: Life<T>) =>
      serially(key, async () => {
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          const found = await find(key);
          const before = found.value as T | undefined;
          const after = change(before);
          if (after === undefined) return before;
          const keptMs = typeof ttlMs === 'function' ? ttlMs(after) : ttlMs;
          if (await replace(key, found, after, keptMs)) return after;
        }
        throw new Error(`A record of ${namespace} is changed so often that it could not be changed.`);
      })) satisfies KeyValue['update'],
    async bytes() {
      const sum = 'SELECT sum(length(value)) AS bytes FROM entries WHERE namespace = $1';
      const [row] = await query(sum, [namespace]);
      return Number(row?.bytes ?? 0);
    },
    async *iterator() {
      for (let last = ''; ; ) {
        const rows = await query(
          `SELECT ${COLUMNS} FROM entries WHERE namespace = $1 AND key > $2 ORDER BY key LIMIT ${PAGE}`,
          [namespace, last, Math.floor(now())],
        );
        for (const row of rows) {
          last = String(row.key);
          const entry = await open(row);
          if (entry !== undefined) yield entry;
        }
        if (rows.length < PAGE) return;
      }
    },
  };
}
