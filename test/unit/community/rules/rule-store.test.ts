import { beforeEach, describe, expect, it } from 'vitest';
import type { KeyValue } from '../../../../src/base/key-value.ts';
import { createRuleStore } from '../../../../src/community/rules/rule-store.ts';
import { createRecords } from '../../../fakes/records.ts';

const someone = { user: '42', reason: 'spam' };
let records: KeyValue;
let book: ReturnType<typeof createRuleStore>;
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
  book = createRuleStore(records, () => time);
});

describe('the rule book', () => {
  it('reads the records once, also for a community without rules', async () => {
    for (let asked = 0; asked < 5; asked += 1)
      expect((await book.find('discord:1')).rules).toEqual({ blocked: [], bannedWords: [] });
    expect(reads).toEqual(['discord:1']);
  });

  it('reads once for all who ask meanwhile, and again after a failure', async () => {
    hold = Promise.reject(new Error('the store is away'));
    const asked = await Promise.allSettled([book.find('discord:1'), book.find('discord:1')]);
    expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reads).toHaveLength(1);
    hold = Promise.resolve();
    const [one, other] = await Promise.all([book.find('discord:1'), book.find('discord:1')]);
    expect(one).toBe(other);
    expect(reads).toHaveLength(2);
  });

  it('sees a change immediately, also under a former id', async () => {
    await book.move('telegram:old', 'telegram:new', (rules) => rules);
    expect((await book.find('telegram:old')).isBlocked('42')).toBe(false);
    await book.change('telegram:new', () => ({ blocked: [someone], bannedWords: ['nude'] }));
    const { community, isBlocked, blockedWordIn } = await book.find('telegram:old');
    expect(community).toBe('telegram:new');
    expect(isBlocked('42')).toBe(true);
    expect(blockedWordIn('a nude')).toBe('nude');
  });

  it('sees after a second what another process has changed', async () => {
    const other = createRuleStore(records, () => time);
    expect((await book.find('discord:1')).isBlocked('42')).toBe(false);
    await other.change('discord:1', () => ({ blocked: [someone], bannedWords: [] }));
    time = 999;
    expect((await book.find('discord:1')).isBlocked('42')).toBe(false);
    time = 1_000;
    expect((await book.find('discord:1')).isBlocked('42')).toBe(true);
  });

  it('does not cache a read that began before a change', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    const early = book.find('discord:1');
    await book.change('discord:1', () => ({ blocked: [someone], bannedWords: [] }));
    resolve();
    await early;
    expect((await book.find('discord:1')).isBlocked('42')).toBe(true);
  });

  it('does not cache what a failed write may have changed', async () => {
    await book.find('discord:1');
    const { update } = records;
    records.update = async (key, change) => {
      await update(key, change);
      throw new Error('the disk is full');
    };
    await expect(book.change('discord:1', () => ({ blocked: [someone], bannedWords: [] }))).rejects.toThrow(
      'full',
    );
    expect((await book.find('discord:1')).isBlocked('42')).toBe(true);
  });

  it('caches a hundred communities', async () => {
    for (let id = 0; id < 150; id += 1) await book.find(`discord:${id}`);
    reads.length = 0;
    await book.find('discord:149');
    await book.find('discord:50');
    expect(reads).toEqual([]);
    await book.find('discord:49');
    expect(reads).toEqual(['discord:49']);
  });
});
