import { existsSync } from 'node:fs';
import type { Finding } from '../../adapters/adapter.ts';
import type { Config } from '../../config/config.ts';
import { fileOf, openStoreToRead } from '../../store/store.ts';
import { tryFolder } from './try-folder.ts';

const name = 'Store';

/** Whether the store can be read with the given key, and written to. Does not change it: it may be in use. */
export async function checkStore({ store }: Config): Promise<readonly Finding[]> {
  const path = fileOf(store.url);
  const shown = path ?? 'the database';
  try {
    if (path !== undefined) {
      tryFolder(path);
      if (!existsSync(path))
        return [{ name, ok: true, detail: `${path} can be created, ${sealing(store.keys)}` }];
    }
    const opened = await openStoreToRead(store.url, store.keys);
    await opened.close();
    const state = opened.encrypts ? 'encrypted' : sealing(store.keys);
    return [
      { name, ok: true, detail: `${shown} is ${path === undefined ? 'reachable' : 'writable'}, ${state}` },
    ];
  } catch (error) {
    const cure =
      path === undefined
        ? 'Correct STORE_URL, or the rights of its user; STORE_KEY must be the key that the store was created with.'
        : 'Make the folder writable for this user, or set STORE_URL; STORE_KEY must be the key that the store was created with.';
    const detail = error instanceof Error ? error.message : `${shown} cannot be opened`;
    return [{ name, ok: false, detail, cure }];
  }
}

function sealing(given: readonly Buffer[]): string {
  return given.length > 0 ? 'encrypted from the next start on' : 'not encrypted (STORE_KEY is not set)';
}
