import type { Query } from './driver.ts';

/** Removes the rows of a table that a SELECT of their keys finds; says how many. `rest`: what stands behind its WHERE. */
export async function removeRows(
  query: Query,
  table: string,
  key: string,
  rest: string,
  values: readonly unknown[],
): Promise<number> {
  const text = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${rest}) RETURNING 1`;
  return (await query(text, values)).length;
}
