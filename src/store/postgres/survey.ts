import { createEntryBodies, valueIn } from '../records/entry-body.ts';
import type { Seal } from '../records/seal/seal.ts';
import { byState, JOBS_BY_STATE, SURVEYED_TABLES, type Survey } from '../records/survey.ts';
import { TROUBLES, type Trouble, troublesIn } from '../records/troubles.ts';
import type { Query } from '../tables/driver.ts';

const BYTES = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS bytes FROM pg_class
  WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind = 'r'`;

export async function surveyOf(query: Query, version: number): Promise<Survey> {
  const tables: [string, number][] = [];
  for (const table of SURVEYED_TABLES) {
    const [row] = await query(`SELECT count(*) AS count FROM ${table}`, []);
    tables.push([table, Number(row?.count)]);
  }
  const [size] = await query(BYTES, []);
  return {
    version,
    bytes: Number(size?.bytes),
    tables: Object.fromEntries(tables),
    jobs: byState(await query(JOBS_BY_STATE, [])),
  };
}

export async function troublesOf(
  query: Query,
  seal: Seal,
  blind: (id: string) => string,
): Promise<readonly Trouble[]> {
  const { namespace, key } = TROUBLES;
  const text = 'SELECT key, value FROM entries WHERE namespace = $1 AND key = $2';
  const [row] = await query(text, [namespace, blind(key)]);
  if (row === undefined) return [];
  try {
    return troublesIn(valueIn(createEntryBodies(namespace, {}, seal, blind).open(row)[1]));
  } catch {
    // Damaged, or of a key that is no longer given.
    return [];
  }
}
