import type { DatabaseSync } from 'node:sqlite';
import { createEntryBodies, valueIn } from '../records/entry-body.ts';
import type { Seal } from '../records/seal/seal.ts';
import { byState, JOBS_BY_STATE, SURVEYED_TABLES, type Survey } from '../records/survey.ts';
import { TROUBLES, type Trouble, troublesIn } from '../records/troubles.ts';
import { schemaVersion } from './file/database.ts';

export function surveyOf(sql: DatabaseSync): Survey {
  const numberOf = (text: string): number => Number(Object.values(sql.prepare(text).get() ?? {})[0] ?? 0);
  return {
    version: schemaVersion(sql),
    bytes: numberOf('PRAGMA page_count') * numberOf('PRAGMA page_size'),
    tables: Object.fromEntries(
      SURVEYED_TABLES.map((table) => [table, numberOf(`SELECT count(*) FROM ${table}`)]),
    ),
    jobs: byState(sql.prepare(JOBS_BY_STATE).all()),
  };
}

export function troublesOf(sql: DatabaseSync, seal: Seal, blind: (id: string) => string): readonly Trouble[] {
  const { namespace, key } = TROUBLES;
  const row = sql
    .prepare('SELECT key, value FROM entries WHERE namespace = ? AND key = ?')
    .get(namespace, blind(key));
  if (row === undefined) return [];
  try {
    return troublesIn(valueIn(createEntryBodies(namespace, {}, seal, blind).open(row)[1]));
  } catch {
    // Damaged, or of a key that is no longer given.
    return [];
  }
}
