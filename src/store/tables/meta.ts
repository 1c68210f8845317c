import type { Query } from './driver.ts';

/** Single values about the whole store. */
export async function readMeta(query: Query, name: string): Promise<Uint8Array | undefined> {
  const [row] = await query('SELECT value FROM meta WHERE name = $1', [name]);
  return row?.value instanceof Uint8Array ? row.value : undefined;
}

export async function writeMeta(query: Query, name: string, value: string | Uint8Array): Promise<void> {
  await query(
    'INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, Buffer.from(value)],
  );
}
