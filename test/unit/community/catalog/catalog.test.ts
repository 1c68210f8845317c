import { describe, expect, test, vi } from 'vitest';
import type { Records } from '../../../../src/base/keyv/records.ts';
import { createAliasNames } from '../../../../src/community/aliases/alias-records.ts';
import { createCatalogs } from '../../../../src/community/catalog/catalog.ts';
import { createFilterNames } from '../../../../src/community/catalog/filter-names.ts';
import type { CustomFilter, ServiceCatalogEntry } from '../../../../src/generation-client/lists.ts';
import type { CatalogName } from '../../../../src/kinds/choices.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createRecords, recordsWith } from '../../../fakes/records.ts';

const lists: Record<string, readonly ServiceCatalogEntry[]> = {
  'face-v6': [
    { id: 3, name: 'Noir', preview: 'https://example.com/noir.png' },
    { id: 12, name: 'Pop Art' },
  ],
  realistic: [{ id: 1, name: 'Royal Court' }],
  stylized: [{ id: 1, name: 'Clay' }],
  classic: [{ id: 40, name: 'Old Masters' }],
};

const custom: readonly CustomFilter[] = [
  { id: 'aaaa', name: 'Neon', model: 'face', previews: [] },
  { id: 'bbbb', name: 'Crowd', model: 'group', previews: ['https://example.com/c.png'] },
  { id: 'cccc', name: 'Mystery', model: 'unknown', previews: [] },
];

const setting = (records: Records = createRecords(), service = 'https://service.example') => {
  const clock = createFakeClock();
  const calls: string[] = [];
  const errors: string[] = [];
  let answer: 'well' | 'fails' | 'hangs' = 'well';
  const reply = async <T>(name: string, value: T): Promise<T> => {
    calls.push(name);
    if (answer === 'hangs') return new Promise(() => undefined);
    if (answer === 'fails') throw new Error('down');
    return value;
  };
  const catalogs = createCatalogs({
    source: { catalog: (name) => reply(name, lists[name] ?? []), customFilters: () => reply('mine', custom) },
    records,
    service,
    clock,
    onError: (_error, name) => errors.push(name),
  });
  const set = (next: typeof answer): void => {
    answer = next;
  };
  return { clock, calls, errors, catalogs, set };
};

type Alias = Awaited<ReturnType<Parameters<typeof createAliasNames>[0]>>[number];

/** Names of aliases, and the communities for which they were read. */
const aliasNames = (
  clock: ReturnType<typeof createFakeClock>,
  list: (community: string) => readonly Alias[] = () => [],
  isShared = false,
) => {
  const asked: string[] = [];
  const read = async (community: string) => {
    asked.push(community);
    return list(community);
  };
  return { asked, names: createAliasNames(read, clock, isShared, () => undefined) };
};

const names = (entries: readonly { readonly name: string }[] | undefined) => entries?.map(({ name }) => name);

describe('catalogs', () => {
  test('catalogs are loaded once for many people, then cached', async () => {
    const { catalogs, calls } = setting();
    const many = await Promise.all([catalogs.load('face'), catalogs.load('face'), catalogs.load('face')]);
    expect(many.map(names)).toEqual(Array(3).fill(['Noir', 'Pop Art']));
    expect(names(catalogs.peek('face'))).toEqual(['Noir', 'Pop Art']);
    expect(calls).toEqual(['face-v6']);
  });

  test('the entries of catalogs have their model, their reference and their preview', async () => {
    const { catalogs } = setting();
    const preview = 'https://example.com/noir.png';
    expect(await catalogs.load('face')).toContainEqual({
      reference: '3',
      name: 'Noir',
      model: 'face',
      preview,
    });
    expect(await catalogs.load('classic')).toEqual([
      { reference: '40', name: 'Old Masters', model: 'group' },
    ]);
    expect((await catalogs.load('mine'))?.[1]).toMatchObject({ reference: 'bbbb', model: 'group' });
  });

  test('catalogs are refreshed in the background and served stale meanwhile, also while the service is down', async () => {
    const { catalogs, clock, calls, errors, set } = setting();

    await catalogs.load('face');
    await clock.advance(11 * 60_000);
    set('fails');

    expect(names(catalogs.peek('face'))).toEqual(['Noir', 'Pop Art']);

    await clock.advance(0);
    expect(errors).toEqual(['face']);
    expect(names(await catalogs.load('face'))).toEqual(['Noir', 'Pop Art']);
    expect(calls).toHaveLength(2);

    await clock.advance(16_000);
    set('well');
    catalogs.peek('face');
    expect(calls).toHaveLength(3);
  });

  test.each(['fails', 'hangs'] as const)(
    'catalogs are available after a restart while the service %s, and are asked for again',
    async (answer) => {
      const store = createRecords();
      const before = setting(store);

      await before.catalogs.load('face');
      await before.catalogs.load('mine');
      const after = setting(store);
      after.set(answer);

      expect(await after.catalogs.load('face')).toEqual(before.catalogs.peek('face'));
      expect(after.catalogs.peek('mine')).toEqual(before.catalogs.peek('mine'));
      expect(after.calls).toContain('face-v6');
      expect(after.clock.pending).toBe(0);
    },
  );

  test('catalogs that were stored for one service are not those of another', async () => {
    const store = createRecords();
    await setting(store).catalogs.load('face');
    const elsewhere = setting(store, 'https://other.example');
    elsewhere.set('fails');

    expect(await elsewhere.catalogs.load('face')).toBeUndefined();
  });

  test('catalogs are stored when they changed, not each time they are read', async () => {
    const store = createRecords();
    const { catalogs, clock } = setting(store);
    const set = vi.spyOn(store, 'set');

    for (let times = 0; times < 3; times += 1) {
      await catalogs.load('face');
      await clock.advance(11 * 60_000);
    }
    expect(set).toHaveBeenCalledTimes(1);
  });

  test('catalogs are available when the store fails', async () => {
    const fails = () => Promise.reject(new Error('disk'));
    const { catalogs, clock } = setting(recordsWith(createRecords(), { get: fails, set: fails }));
    expect(names(await catalogs.load('face'))).toEqual(['Noir', 'Pop Art']);

    await clock.advance(11 * 60_000);
    expect(names(catalogs.peek('face'))).toEqual(['Noir', 'Pop Art']);
  });

  test('nobody waits long for the catalogs of a service that hangs', async () => {
    const { catalogs, clock, set } = setting();
    set('hangs');
    let answered: unknown = 'not yet';

    void catalogs.load('face').then((entries) => {
      answered = entries;
    });
    await clock.advance(1000);

    expect(answered).toBe('not yet');

    await clock.advance(1000);
    expect(answered).toBeUndefined();
    expect(clock.pending).toBe(0);
    // Whoever comes later does not wait at all.
    expect(await catalogs.load('face')).toBeUndefined();
  });

  test('start refreshes all catalogs until it is stopped', async () => {
    const { catalogs, clock, calls } = setting();
    const stop = catalogs.start();

    await clock.advance(0);
    expect([...calls].sort()).toEqual(['classic', 'face-v1', 'face-v6', 'mine', 'realistic', 'stylized']);

    await clock.advance(10 * 60_000 + 15_000);
    expect(calls.filter((name) => name === 'face-v6')).toHaveLength(2);
    expect(calls.filter((name) => name === 'mine').length).toBeGreaterThan(5);

    stop();
    const before = calls.length;
    await clock.advance(60 * 60_000);
    expect(calls).toHaveLength(before);
    expect(clock.pending).toBe(0);
  });

  test('a list can be searched, and says when it is not available', async () => {
    const { catalogs, set, clock } = setting();
    const noAliases = { peek: () => [], load: async () => undefined, changed: () => undefined };
    const port = createFilterNames(catalogs, noAliases).port('web:room', wordsFor('en'));

    expect(names(await port.list('face'))).toEqual(['Noir', 'Pop Art']);
    expect(names(await port.list('face', 'popp'))).toEqual(['Pop Art']);
    expect(names(await port.list('face', '12'))).toEqual(['Pop Art']);

    set('fails');
    const waiting = expect(port.list('classic')).rejects.toThrow(/cannot be loaded right now/);
    await clock.advance(0);
    await waiting;
  });
});

describe('what can be suggested', () => {
  const memoryOf = async () => {
    const { catalogs, clock } = setting();
    // The alias named 1 is hidden behind the catalog's number 1, there and nowhere else.
    const all: readonly Alias[] = [
      { name: 'halloween', model: 'face' },
      { name: 'party', model: 'group' },
      { name: '1', model: 'group' },
    ];

    const { asked, names: aliases } = aliasNames(clock, (community) => (community === 'web:room' ? all : []));
    const memory = createFilterNames(catalogs, aliases);
    for (const name of ['face', 'realistic', 'stylized', 'classic', 'mine'] as const satisfies CatalogName[])
      await memory.warm('web:room', name);
    memory.aliases('web:room');
    memory.aliases('web:other');
    await clock.advance(0);
    return { memory, aliases, asked, clock };
  };

  const values = (suggestions: readonly { readonly value: string }[]) =>
    suggestions.map(({ value }) => value);

  test('aliases of this community are suggested first, then the catalog, then custom filters of the model', async () => {
    const { memory } = await memoryOf();
    const suggested = (community: string, list: CatalogName, model: 'face' | 'group' | 'any') =>
      values(memory.references(community, list, model).flat());

    expect(suggested('web:room', 'face', 'face')).toEqual(['halloween', '3', '12', 'aaaa', 'cccc']);
    expect(suggested('web:room', 'realistic', 'group')).toEqual(['party', '1', 'bbbb', 'cccc']);
    expect(suggested('web:other', 'face', 'face')).toEqual(['3', '12', 'aaaa', 'cccc']);
    expect(suggested('web:room', 'classic', 'group')).toEqual(['40']);
    expect(suggested('web:room', 'mine', 'any')).toEqual(['aaaa', 'bbbb', 'cccc']);
    expect(suggested('web:room', 'stylized', 'group')).toContain('1');
    expect(values(memory.aliases('web:room'))).toEqual(['halloween', 'party', '1']);
    expect(memory.references('web:room', 'face', 'face').flat()[2]?.label).toBe('12 · Pop Art');
  });

  test('an alias has the preview of the filter that it points to now', async () => {
    const { catalogs, clock } = setting();
    let filter = 'BBBB';
    const { names: aliases } = aliasNames(clock, () => [
      { name: 'party', model: 'group', filter },
      { name: 'older', model: 'group' },
      { name: '7', model: 'group', filter },
    ]);
    const memory = createFilterNames(catalogs, aliases);
    const port = memory.port('web:room', wordsFor('en'));

    await memory.warm('web:room', 'mine');
    const party = () => memory.aliases('web:room').find(({ value }) => value === 'party');

    expect(party()).toEqual({ value: 'party', label: 'party', preview: 'https://example.com/c.png' });
    expect(names(await port.list('realistic'))?.slice(0, 2)).toEqual(['party', 'older']);
    expect((await port.list('stylized')).map(({ reference }) => reference)).toContain('7');
    expect(names(await port.list('mine', 'part'))).toEqual(['party']);
    expect(names(await port.list('mine'))).not.toContain('7');
    for (const list of ['face', 'classic'] as const)
      expect(names(await port.list(list))).not.toContain('party');

    filter = 'aaaa';
    aliases.changed('web:room');
    await clock.advance(0);
    expect(party()).toEqual({ value: 'party', label: 'party' });
  });

  test('alias names are refreshed in the background, and immediately after a change', async () => {
    const { aliases, asked, clock } = await memoryOf();
    aliases.peek('web:room');
    expect(asked).toEqual(['web:room', 'web:other']);

    aliases.changed('web:room');
    expect(asked).toHaveLength(3);

    // Whoever types next finds them, the old ones too.
    await clock.advance(0);
    expect(aliases.peek('web:room').map(({ name }) => name)).toContain('halloween');
    expect(asked).toHaveLength(3);

    await clock.advance(31_000);
    aliases.peek('web:other');
    expect(asked).toHaveLength(4);
  });

  test('the name of an alias is known before it was ever typed, so that it is not read as a prompt', async () => {
    const { catalogs, clock } = setting();
    const memory = createFilterNames(
      catalogs,
      aliasNames(clock, () => [{ name: 'halloween', model: 'face' }]).names,
    );

    await memory.warm('web:new', 'face');
    expect(memory.knows('web:new', 'face', 'face', 'Halloween')).toBe(true);
  });

  test.each([
    { who: 'this process alone', isShared: false, reads: 1 },
    { who: 'other processes, too,', isShared: true, reads: 2 },
  ])('alias names that $who may change are read $reads times in two seconds', async ({ isShared, reads }) => {
    const clock = createFakeClock();
    const { names: aliases, asked } = aliasNames(clock, undefined, isShared);

    await aliases.load('a');
    await clock.advance(2_000);
    await aliases.load('a');

    expect(asked).toHaveLength(reads);
  });

  test('alias names of a limited number of communities are cached', async () => {
    const { names: aliases, asked } = aliasNames(createFakeClock());

    for (let each = 0; each < 2001; each += 1) aliases.peek(`c${each}`);
    aliases.peek('c2000');

    expect(asked).toHaveLength(2001);

    aliases.peek('c0');
    expect(asked).toHaveLength(2002);
  });
});
