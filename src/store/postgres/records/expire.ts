import type { Query } from '../database/database.ts';

/** Removes up to `limit` rows; says how many. `where`: with values from $2 on. It waits for nobody: what is locked stays for now. */
export async function expire(
  query: Query,
  limit: number,
  table: string,
  key: string,
  where: string,
  ...values: readonly unknown[]
): Promise<number> {
  const gone = await query(
    `DELETE FROM ${table} WHERE (${key}) IN
       (SELECT ${key} FROM ${table} WHERE ${where} LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1`,
    [limit, ...values],
  );
  return gone.length;
}
