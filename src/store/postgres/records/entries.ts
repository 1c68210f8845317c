import type { KeyValue } from '../../../base/key-value.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import { reasonOf } from '../../records/damage.ts';
import { createEntryBodies, LONGEST_VALUE, valueIn } from '../../records/entry-body.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { RecordRules, Store } from '../../records/store.ts';
import type { Database, Row } from '../database/database.ts';
import type { DamagedRecords } from './damaged-records.ts';

export interface EntriesParts {
  readonly database: Database;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly damagedRecords: DamagedRecords;
  readonly now: () => number;
}

const PAGE = 100;
/** Every time somebody else's change came first. */
const MOST_TRIES = 1_000;

/** `hidden`: the data of its owner is being deleted. */
const columns = `n.key, n.owner, n.seq, length(n.value) AS length,
  CASE WHEN length(n.value) <= ${LONGEST_VALUE} THEN n.value END AS value, n.expires <= $3 AS expired,
  EXISTS (SELECT FROM erasures e WHERE e.person = n.owner AND NOT e.finished AND n.seq <= e.entries) AS hidden`;

/** What is stored under a key. `seq`: of its row, which may be there without a value; 0: there is none. */
interface Found {
  readonly seq: number;
  readonly value: unknown;
}

export function createEntries(
  { database, seal, blind, damagedRecords, now }: EntriesParts,
  namespace: string,
  rules: RecordRules,
): ReturnType<Store['keyv']> {
  const { query } = database;
  const bodies = createEntryBodies(namespace, rules, seal, blind);
  const write = async (
    how: 'put_entry' | 'change_entry',
    key: string,
    value: unknown,
    ttlMs?: number,
    seq?: number,
  ): Promise<boolean> => {
    const [row] = await query(`SELECT ${how}($1, $2, $3, $4, $5, $6) AS done`, [
      namespace,
      blind(key),
      bodies.seal(key, JSON.stringify({ value })),
      ttlMs === undefined ? null : Math.floor(now() + ttlMs),
      bodies.ownerOf(key, value) ?? null,
      seq ?? null,
    ]);
    return row?.done === true;
  };
  /** Only if it is still the same row: somebody else may have written a good one. */
  const setAside = async (row: Row, error: unknown): Promise<void> => {
    const record = { kind: namespace, id: String(row.key), why: reasonOf(error) };
    try {
      const gone = await query(
        `WITH gone AS (DELETE FROM entries WHERE namespace = $1 AND key = $2 AND seq = $3 RETURNING owner, value)
         SELECT keep_damaged($4, $1, $2, gone.owner, $5, gone.value) FROM gone`,
        [namespace, row.key, row.seq, now(), record.why],
      );
      if (gone.length > 0) damagedRecords.found(record);
    } catch {
      // Not writable now; the next read tries again.
      damagedRecords.skip(record);
    }
  };
  const open = async (row: Row): Promise<readonly [key: string, value: unknown] | undefined> => {
    if (row.hidden === true || row.expired === true) return undefined;
    try {
      const [key, text] = bodies.open(row);
      return [key, valueIn(text)];
    } catch (error) {
      await setAside(row, error);
      return undefined;
    }
  };
  const find = async (key: string): Promise<Found> => {
    const [row] = await query(`SELECT ${columns} FROM entries n WHERE n.namespace = $1 AND n.key = $2`, [
      namespace,
      blind(key),
      now(),
    ]);
    if (row === undefined) return { seq: 0, value: undefined };
    const entry = await open(row);
    if (entry !== undefined) return { seq: Number(row.seq), value: entry[1] };
    if (row.hidden === true || row.expired === true) return { seq: Number(row.seq), value: undefined };
    const instead = rules.insteadOf?.(key);
    if (instead === undefined) return { seq: 0, value: undefined };
    // Whether this process or another one has replaced it.
    await write('put_entry', key, instead, undefined, 0);
    return find(key);
  };

  /** Changes by one process do not make each other try again; only those of other processes do. */
  const serially = createKeyedQueue();

  return {
    async get<T>(key: string) {
      return (await find(key)).value as T | undefined;
    },
    set: (key, value, ttlMs) => write('put_entry', key, value, ttlMs),
    async delete(key) {
      const gone = await query('DELETE FROM entries WHERE namespace = $1 AND key = $2 RETURNING 1', [
        namespace,
        blind(key),
      ]);
      return gone.length > 0;
    },
    update: (<T>(key: string, change: (value: T | undefined) => T | undefined, ttlMs?: number) =>
      serially(key, async () => {
        for (let tries = 0; tries < MOST_TRIES; tries += 1) {
          const { seq, value } = await find(key);
          const before = value as T | undefined;
          const after = change(before);
          if (after === undefined) return before;
          const how = before === undefined ? 'put_entry' : 'change_entry';
          if (await write(how, key, after, ttlMs, seq)) return after;
        }
        throw new Error(`A record of ${namespace} is changed so often that it could not be changed.`);
      })) satisfies KeyValue['update'],
    async bytes() {
      const [row] = await query(
        'SELECT sum(octet_length(value)) AS bytes FROM entries WHERE namespace = $1',
        [namespace],
      );
      return Number(row?.bytes ?? 0);
    },
    async *iterator() {
      for (let last = ''; ; ) {
        const rows = await query(
          `SELECT ${columns} FROM entries n WHERE n.namespace = $1 AND n.key > $2 ORDER BY n.key LIMIT ${PAGE}`,
          [namespace, last, now()],
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
