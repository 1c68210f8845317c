import type { Driver } from '../../tables/driver.ts';
import type { Database } from './database.ts';
import { dialect } from './dialect.ts';
import { isTaken } from './postgres-error.ts';

export function driverOf({ query, transaction }: Pick<Database, 'query' | 'transaction'>): Driver {
  return {
    query,
    transaction,
    together: (work) => work(query),
    // Every statement but the lossy ones is on disk when it resolves.
    onDisk: async () => undefined,
    removed: () => undefined,
    isDuplicate: isTaken,
    sql: dialect,
  };
}
