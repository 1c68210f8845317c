import { beforeEach, describe, expect, it } from 'vitest';
import { createRuleStore } from '../../../../src/community/rules/rule-store.ts';
import { createRecords } from '../../../fakes/records.ts';

const someone = { user: '42', reason: 'spam' };
let records: ReturnType<typeof createRecords>;
let book: ReturnType<typeof createRuleStore>;
let reads: string[];
/** Lets the next answer of the records go only when the test says so. */
let hold: Promise<void>;

beforeEach(() => {
  records = createRecords();
  reads = [];
  hold = Promise.resolve();
  const get = records.get.bind(records);
  const counted = async (key: string): Promise<unknown> => {
    reads.push(key);
    const value = await get(key);
    await hold;
    return value;
  };
  records.get = counted as typeof records.get;
  book = createRuleStore(records);
});

describe('the rule book', () => {
  it('reads the records once, also for a community without rules', async () => {
    for (let asked = 0; asked < 5; asked += 1)
      expect((await book.find('discord:1')).rules).toEqual({ blocked: [], bannedWords: [] });
    expect(reads).toEqual(['discord:1']);
  });

  it('sees a change immediately, also under a former id', async () => {
    await book.write('telegram:old', { movedTo: 'telegram:new' });
    expect((await book.find('telegram:old')).isBlocked('42')).toBe(false);
    await book.write('telegram:new', { blocked: [someone], bannedWords: ['nude'] });
    const { community, isBlocked, blockedWordIn } = await book.find('telegram:old');
    expect(community).toBe('telegram:new');
    expect(isBlocked('42')).toBe(true);
    expect(blockedWordIn('a nude')).toBe('nude');
  });

  it('a change in one community does not reload the others', async () => {
    await book.find('discord:1');
    await book.find('discord:2');
    await book.write('discord:1', { blocked: [someone], bannedWords: [] });
    reads.length = 0;
    await book.find('discord:1');
    await book.find('discord:2');
    expect(reads).toEqual(['discord:1']);
  });

  it('does not cache a read that began before a change', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    const early = book.find('discord:1');
    await book.write('discord:1', { blocked: [someone], bannedWords: [] });
    resolve();
    await early;
    expect((await book.find('discord:1')).isBlocked('42')).toBe(true);
  });

  it('does not cache what a failed write may have changed', async () => {
    await book.find('discord:1');
    const { set } = records;
    records.set = (async (key: string, value: unknown) => {
      await set.call(records, key, value);
      throw new Error('the disk is full');
    }) as typeof records.set;
    await expect(book.write('discord:1', { blocked: [someone], bannedWords: [] })).rejects.toThrow('full');
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
