import { type KeyvStorageAdapter, keyvStorageCapability } from 'keyv';
import type { Database } from './database.ts';
import type { Seal } from './seal.ts';

/** Keyv also knows adapters that emit events; this one has none to tell. */
type SqliteStorage = Omit<KeyvStorageAdapter, keyof NodeJS.EventEmitter>;

/** Keyv's storage on our own file. Keys may name people, so they are blinded and sealed beside their value. */
export function createKeyvSqlite(
  { sql, transaction, onDisk }: Database,
  seal: Seal,
  blind: (id: string) => string,
  now: () => number,
  namespace: string,
): SqliteStorage {
  const alive = '(expires IS NULL OR expires > ?)';
  const get = sql.prepare(`SELECT value FROM entries WHERE namespace = ? AND key = ? AND ${alive}`);
  const has = sql.prepare(`SELECT 1 FROM entries WHERE namespace = ? AND key = ? AND ${alive}`);
  const set = sql.prepare(
    'INSERT OR REPLACE INTO entries (namespace, key, value, expires) VALUES (?, ?, ?, ?)',
  );
  const remove = sql.prepare('DELETE FROM entries WHERE namespace = ? AND key = ?');
  const clear = sql.prepare('DELETE FROM entries WHERE namespace = ?');
  const page = sql.prepare(
    `SELECT key, value FROM entries WHERE namespace = ? AND key > ? AND ${alive} ORDER BY key LIMIT 100`,
  );

  const read = (row: Record<string, unknown>): [key: string, value: string] =>
    JSON.parse(seal.open(row.value, namespace));
  const one = (key: string) => {
    const row = get.get(namespace, blind(key), now());
    return row === undefined ? undefined : read(row)[1];
  };
  const put = (key: string, value: unknown, expires?: number): boolean => {
    set.run(namespace, blind(key), seal.seal(JSON.stringify([key, value]), namespace), expires ?? null);
    return true;
  };
  const drop = (key: string): boolean => remove.run(namespace, blind(key)).changes > 0;
  const promise = async <T>(work: () => T): Promise<T> => {
    const result = transaction(work);
    await onDisk();
    return result;
  };

  const adapter = {
    namespace,
    get: async (key: string) => one(key),
    getMany: async (keys: string[]) => keys.map(one),
    has: async (key: string) => has.get(namespace, blind(key), now()) !== undefined,
    hasMany: async (keys: string[]) => keys.map((key) => has.get(namespace, blind(key), now()) !== undefined),
    set: (key: string, value: unknown, expires?: number) => promise(() => put(key, value, expires)),
    setMany: (values: { key: string; value: unknown; expires?: number | undefined }[]) =>
      promise(() => values.map(({ key, value, expires }) => put(key, value, expires))),
    delete: (key: string) => promise(() => drop(key)),
    deleteMany: (keys: string[]) => promise(() => keys.map(drop)),
    clear: () => promise(() => void clear.run(namespace)),
    async *iterator<Value>(): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
      let last = '';
      for (;;) {
        const rows = page.all(namespace, last, now());
        for (const row of rows) {
          last = String(row.key);
          yield read(row);
        }
        if (rows.length === 0) return;
      }
    },
  };
  return Object.assign(adapter, { capabilities: keyvStorageCapability(adapter) });
}
