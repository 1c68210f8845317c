import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineTime } from '../../src/store/records/removal-time.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite/store.ts';
import type { DamagedRecord } from '../../src/store/tables/damaged.ts';
import { createTempFolder } from '../temp-folder.ts';

/** A key of a store; another byte makes another key. */
export const keyOf = (byte: number): Buffer => Buffer.alloc(32, byte);

/** Makes a file for a store in a folder of its own; the time of stores that it opens is in the test's hands. */
export function createStoreFile() {
  const folder = join(createTempFolder('darkroom-store-'), 'data');
  const path = join(folder, 'darkroom.sqlite');
  const time = { now: Date.UTC(2026, 0, 5, 12) };
  let store: SqliteStore | undefined;
  const close = (): void => {
    store?.close();
    store = undefined;
  };
  return {
    folder,
    path,
    time,
    async open(
      keys: readonly Uint8Array[] = [],
      damaged: (record: DamagedRecord) => void = () => undefined,
      machine?: MachineTime,
      aheadMs = 0,
    ): Promise<SqliteStore> {
      close();
      const options = { path, keys, now: () => time.now + aheadMs, alone: true, damaged };
      store = await openSqliteStore({ ...options, ...(machine && { machine }) });
      return store;
    },
    close,
    /** Everything that is on the disk: the file, its log and what else lies beside it. */
    bytes: (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('\n'),
    remove(): void {
      close();
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}
