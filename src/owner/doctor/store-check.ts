import { existsSync } from 'node:fs';
import type { Finding } from '../../adapters/adapter.ts';
import type { Config } from '../../config/config.ts';
import { openStoreToRead } from '../../store/sqlite/read-store.ts';
import { tryFolder } from './try-folder.ts';

/** Whether the store can be read with the given key, and written to. Does not change it: it may be in use. */
export async function checkStore({ store }: Config): Promise<readonly Finding[]> {
  const name = 'Store';
  const { path } = store;
  try {
    tryFolder(path);
    if (!existsSync(path))
      return [{ name, ok: true, detail: `${path} can be created, ${sealing(store.keys)}` }];
    const opened = openStoreToRead(path, store.keys);
    opened.close();
    const state = opened.encrypts ? 'encrypted' : sealing(store.keys);
    return [{ name, ok: true, detail: `${path} is writable, ${state}` }];
  } catch (error) {
    return [
      {
        name,
        ok: false,
        detail: error instanceof Error ? error.message : `${path} cannot be opened`,
        cure: 'Make the folder writable for this user, or set STORE_URL; STORE_KEY must be the key that the store was created with.',
      },
    ];
  }
}

function sealing(given: readonly Buffer[]): string {
  return given.length > 0 ? 'encrypted from the next start on' : 'not encrypted (STORE_KEY is not set)';
}
