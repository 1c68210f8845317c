/** What two processes change at the same moment: two instances over one store stand for them. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Records } from '../../../src/base/keyv/records.ts';
import { aliasRecordRules, createAliasRecords } from '../../../src/community/aliases/alias-records.ts';
import { createAliases } from '../../../src/community/aliases/aliases.ts';
import { communityRecordRules, createCommunityRules } from '../../../src/community/rules/community-rules.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { allOf } from '../../all-of.ts';
import { interleaved, recordsWith } from '../../fakes/records.ts';

const open = async (
  namespace: string,
  rules: typeof aliasRecordRules | typeof communityRecordRules,
): Promise<Records> => {
  const store = await openSqliteStore({ path: ':memory:', keys: [] });
  onTestFinished(() => store.close());
  return store.keyv(namespace, rules);
};

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
const old = 'telegram:-1';
const current = 'telegram:-2';

describe('settings', () => {
  const start = (records: Records, seed: number) =>
    createCommunityRules(interleaved(records, seed), () => Date.now() + seed * 1e6);

  it.each(seeds)(
    'settings keep what moderators change at the same time in two processes (%i)',
    async (seed) => {
      const records = await open('settings', communityRecordRules);
      const one = start(records, seed);
      const two = start(records, seed + 100);

      await one.block(old, 'troll', 'spam');
      await Promise.all([
        one.pause(old, 'lunch'),
        two.setCredits(old, 7),
        one.block(old, '1', 'a'),
        two.block(old, '2', 'b'),
        two.unblock(old, 'troll'),
        one.banWord(old, 'x'),
        two.banWord(old, 'y'),
      ]);
      const { blocked, bannedWords, ...rest } = await start(records, seed).show(old);

      expect(rest).toEqual({ paused: { reason: 'lunch' }, credits: 7 });
      expect(blocked.map(({ user }) => user).toSorted()).toEqual(['1', '2']);
      expect(bannedWords.toSorted()).toEqual(['x', 'y']);
    },
  );

  it.each(seeds)(
    'settings move once to a new id, with what two processes change meanwhile (%i)',
    async (seed) => {
      const records = await open('settings', communityRecordRules);
      const one = start(records, seed);
      const two = start(records, seed + 100);

      await one.block(old, 'troll', 'spam');
      await Promise.all([
        one.move(old, current).then(() => one.setCredits(current, 9)),
        two.pause(old, 'lunch'),
        two.move(old, current),
      ]);
      const after = await start(records, seed).show(old);

      expect(after).toMatchObject({ paused: { reason: 'lunch' }, blocked: [{ user: 'troll' }] });
      expect(await start(records, seed).present(old)).toBe(current);
      expect(await start(records, seed).idsOf(current)).toEqual([current, old]);
    },
  );

  it('a move of settings that was interrupted keeps what was changed under the new id', async () => {
    const records = await open('settings', communityRecordRules);
    const one = createCommunityRules(records, Date.now);
    const two = createCommunityRules(records, Date.now);

    await one.block(old, 'troll', 'spam');
    const dying = createCommunityRules(
      recordsWith(interleaved(records), {
        async update(key, change, ttlMs) {
          if (key === old) throw new Error('the process died here');
          return records.update(key, change, ttlMs);
        },
      }),
      Date.now,
    );

    await expect(dying.move(old, current)).rejects.toThrow('died');

    await two.unblock(current, 'troll');
    await one.move(old, current);
    expect((await one.show(old)).blocked).toEqual([]);
  });
});

describe('aliases', () => {
  const start = (records: Records, seed: number) => createAliasRecords(interleaved(records, seed));
  const ready = (name: string) => ({ state: 'ready', name, model: 'face', id: `id-${name}` }) as const;

  it.each(seeds)(
    'aliases that two processes add are all kept, each name once, and their community is found (%i)',
    async (seed) => {
      const records = await open('aliases', aliasRecordRules);
      const one = start(records, seed);
      const two = start(records, seed + 100);

      await one.add(old, ready('first'));
      const names = ['a', 'b', 'c', 'd'];
      const [mine, theirs] = await Promise.all([
        one.add(old, { ...ready('x'), id: 'one' }),
        two.add(old, { ...ready('x'), id: 'two' }),
        ...names.map((name, index) => (index % 2 ? one : two).add(old, ready(name))),
        one.swap(old, ready('first'), undefined),
        two.add(current, ready('there')).then(() => two.swap(current, ready('there'), undefined)),
        one.add(current, ready('other')),
      ]);

      expect(mine).toBe(!theirs);

      const kept = await two.all(old);
      expect(kept.map(({ name }) => name).toSorted()).toEqual([...names, 'x']);
      expect(kept.find(({ name }) => name === 'x')).toMatchObject({ id: mine ? 'one' : 'two' });
      expect((await two.all(current)).map(({ name }) => name)).toEqual(['other']);
      expect((await two.communities()).toSorted()).toEqual([old, current]);
    },
  );

  it.each(seeds)(
    'aliases move once, also when two processes move them and one of them adds another (%i)',
    async (seed) => {
      const records = await open('aliases', aliasRecordRules);
      const one = start(records, seed);
      const two = start(records, seed + 100);

      for (const name of ['a', 'b']) await one.add(old, ready(name));
      await Promise.all([one.move(old, current), two.move(old, current), two.add(current, ready('c'))]);

      expect((await two.all(current)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect(await two.all(old)).toEqual([]);
      expect(await two.communities()).toEqual([current]);

      const keys = (await allOf(records.iterator())).map(([key]) => key);
      expect(keys).toEqual([current]);
    },
  );

  it('an alias that another process has repointed is resolved anew', async () => {
    const records = createAliasRecords(await open('aliases', aliasRecordRules));
    let filter = 'before';
    const one = createAliases({
      records,
      service: { resolve: async (id: string) => ({ id, filter }) } as never,
      customFilters: async () => [],
      knownFilters: async () => undefined,
      changed: () => undefined,
      now: Date.now,
    });

    expect(await one.use('x', 'name', 'face')).toBe('before');

    filter = 'after';
    expect(await one.use('x', 'name', 'face')).toBe('before');

    // Another process notes its changes in the same way.
    await records.noteChange('x', 60_000);
    expect(await one.use('x', 'name', 'face')).toBe('after');
  });
});
