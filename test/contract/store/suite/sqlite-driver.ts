import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createSeal } from '../../../../src/store/records/seal.ts';
import type { DamagedRecord } from '../../../../src/store/tables/damaged.ts';
import { createStoreFile } from '../../../fakes/store-file.ts';
import type { Driver } from './driver.ts';

const isInput = (value: unknown): value is SQLInputValue =>
  value === null || ['string', 'number', 'bigint'].includes(typeof value) || value instanceof Uint8Array;

export const sqlite: Driver = {
  name: 'SQLite',
  isShared: false,
  async create() {
    const file = createStoreFile();
    const found: DamagedRecord[] = [];
    const damaged = (record: DamagedRecord) => void found.push(record);
    return {
      time: file.time,
      found,
      async pass(ms) {
        file.time.now += ms;
      },
      open: (keys, machine) => file.open(keys, damaged, machine),
      openAhead: (aheadMs) => file.open([], damaged, undefined, aheadMs),
      close: async () => file.close(),
      async sql(text, ...values) {
        const raw = new DatabaseSync(file.path, { timeout: 30_000 });
        try {
          raw.exec('PRAGMA ignore_check_constraints = ON');
          const statement = raw.prepare(text.replaceAll(/\$(\d+)/g, '?$1'));
          return statement.all(...values.filter(isInput));
        } finally {
          raw.close();
        }
      },
      sealed: (text, purpose, keys) => createSeal(keys).seal(text, purpose),
      remove: async () => file.remove(),
    };
  },
};
