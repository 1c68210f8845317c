import { beforeEach, describe, expect, it } from 'vitest';
import type { KeyValue } from '../../../../src/base/key-value.ts';
import { createCommunityRules } from '../../../../src/community/rules/settings.ts';
import { createRecords } from '../../../fakes/records.ts';

let records: KeyValue;
let book: ReturnType<typeof createCommunityRules>;
let reads: string[];
let time: number;
/** Lets the next answer of the records go only when the test says so. */
let hold: Promise<void>;

beforeEach(() => {
  const kept = createRecords();
  reads = [];
  hold = Promise.resolve();
  records = {
    async get<T>(key: string) {
      reads.push(key);
      const value = await kept.get<T>(key);
      await hold;
      return value;
    },
    set: (key, value) => kept.set(key, value),
    delete: (key) => kept.delete(key),
    update: kept.update,
  };
  time = 0;
  book = createCommunityRules(records, () => time);
});

describe('the rule book', () => {
  it('reads the records once, also for a community without rules', async () => {
    for (let asked = 0; asked < 5; asked += 1)
      expect(await book.show('discord:1')).toEqual({ blocked: [], bannedWords: [] });
    expect(reads).toEqual(['discord:1']);
  });

  it('reads once for all who ask meanwhile, and again after a failure', async () => {
    hold = Promise.reject(new Error('the store is away'));
    const asked = await Promise.allSettled([book.show('discord:1'), book.show('discord:1')]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reads).toHaveLength(1);
    hold = Promise.resolve();
    await Promise.all([book.show('discord:1'), book.show('discord:1')]);
    expect(reads).toHaveLength(2);
  });

  it('sees a change immediately, also under a former id', async () => {
    await book.move('telegram:old', 'telegram:new');
    expect(await book.isBlocked('telegram:old', '42')).toBe(false);
    await book.block('telegram:new', '42', 'spam');
    await book.banWord('telegram:new', 'nude');
    expect(await book.present('telegram:old')).toBe('telegram:new');
    expect(await book.isBlocked('telegram:old', '42')).toBe(true);
    expect(await book.blockedWordIn('telegram:old', 'a nude')).toBe('nude');
  });

  it('sees after a second what another process has changed', async () => {
    const other = createCommunityRules(records, () => time);
    expect(await book.isBlocked('discord:1', '42')).toBe(false);
    await other.block('discord:1', '42', 'spam');
    time = 999;
    expect(await book.isBlocked('discord:1', '42')).toBe(false);
    time = 1_000;
    expect(await book.isBlocked('discord:1', '42')).toBe(true);
  });

  it('does not cache a read that began before a change', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    const early = book.show('discord:1');
    await book.block('discord:1', '42', 'spam');
    resolve();
    await early;
    expect(await book.isBlocked('discord:1', '42')).toBe(true);
  });

  it('does not cache what a failed write may have changed', async () => {
    await book.show('discord:1');
    const { update } = records;
    records.update = async (key, change) => {
      await update(key, change);
      throw new Error('the disk is full');
    };
    await expect(book.block('discord:1', '42', 'spam')).rejects.toThrow('full');
    expect(await book.isBlocked('discord:1', '42')).toBe(true);
  });

  it('caches a hundred communities', async () => {
    for (let id = 0; id < 150; id += 1) await book.show(`discord:${id}`);
    reads.length = 0;
    await book.show('discord:149');
    await book.show('discord:50');
    expect(reads).toEqual([]);
    await book.show('discord:49');
    expect(reads).toEqual(['discord:49']);
  });
});
