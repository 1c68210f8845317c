import type { Query } from '../database/database.ts';

/** Single values about the whole store. */
export async function readMeta(query: Query, name: string): Promise<Buffer | undefined> {
  const [row] = await query('SELECT value FROM meta WHERE name = $1', [name]);
  return Buffer.isBuffer(row?.value) ? row.value : undefined;
}

export async function writeMeta(query: Query, name: string, value: string | Uint8Array): Promise<void> {
  const put =
    'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  await query(put, [name, Buffer.from(value)]);
}
