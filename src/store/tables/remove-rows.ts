import { TABLES } from '../records/tables.ts';
import type { Query } from './driver.ts';

/** Removes rows of a table; says how many. `rest`: what stands behind the WHERE of a SELECT that finds them. */
export async function removeRows(
  query: Query,
  table: string,
  rest: string,
  values: readonly unknown[],
): Promise<number> {
  const key = TABLES.find(({ name }) => name === table)?.key.join(', ');
  const text = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${rest}) RETURNING 1`;
  return (await query(text, values)).length;
}
