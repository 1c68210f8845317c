import { openStore } from '../../src/store/store.ts';
import type { OpenOptions } from '../../src/store/tables/store.ts';

/** Opens a store of either kind, as the program does. */
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
