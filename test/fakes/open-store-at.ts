import { openStore } from '../../src/store/store.ts';
import type { OpenOptions } from '../../src/store/tables/store.ts';

/** Opens the store at an address, SQLite or PostgreSQL, as the program does, with the machine's clock unless told otherwise. */
export const openStoreAt = (
  url: string,
  keys: readonly Uint8Array[] = [],
  more: Partial<Omit<OpenOptions, 'url' | 'keys'>> = {},
) =>
  openStore({
    url,
    keys,
    now: Date.now,
    machine: { wall: Date.now, passed: Date.now },
    damaged: () => undefined,
    log: { info: () => undefined, warn: () => undefined },
    version: 'test',
    ...more,
  });
