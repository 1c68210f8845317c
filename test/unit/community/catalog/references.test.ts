import { describe, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/command/catalog-port.ts';
import { UserError } from '../../../../src/command/errors.ts';
import { createReferences } from '../../../../src/community/catalog/references.ts';
import type { FilterListName, FilterModel } from '../../../../src/kinds/choices.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { uuid } from '../../../fakes/call.ts';

const other = 'ffffffff-9d4a-4c6b-8e7f-0a1b2c3d4e5f';
const unknown = '00000000-9d4a-4c6b-8e7f-0a1b2c3d4e5f';

const entry = (reference: string, name: string, model: CatalogEntry['model']): CatalogEntry => ({
  reference,
  name,
  model,
});

const lists: Partial<Record<FilterListName, readonly CatalogEntry[]>> = {
  face: [entry('3', 'Noir', 'face'), entry('12', 'Pop Art', 'face'), entry('14', 'Café', 'face')],
  realistic: [entry('1', 'Royal Court', 'group'), entry('25', 'Choir', 'group')],
  classic: [entry('40', 'Old Masters', 'group')],
  'face-v1': [entry('300', 'Daguerreotype', 'face')],
  mine: [entry(uuid, 'Neon Nights', 'face'), entry(other, 'Crowd', 'group')],
};

const aliases: Record<string, FilterModel> = {
  halloween: 'face',
  noir: 'face',
  '12': 'face',
  '2026': 'face',
  party: 'group',
  '25': 'group',
  '1999': 'group',
};

const references = (known: typeof lists = lists) =>
  createReferences(
    { peek: (name) => known[name], load: async (name) => known[name] },
    async (community, name) => {
      const model = community === 'web:room' && Object.hasOwn(aliases, name) ? aliases[name] : undefined;
      return model && { id: `id-${name}`, model };
    },
    (community) =>
      community === 'web:room' ? Object.entries(aliases).map(([name, model]) => ({ name, model })) : [],
  );

const resolve = (text: string, catalog: FilterListName = 'face', known = lists, community = 'web:room') =>
  references(known)(text, catalog.startsWith('face') ? 'face' : 'group', catalog, community, wordsFor('en'));

describe('a reference', () => {
  test.each([
    { text: '12', choice: { by: 'number', id: 12, name: 'Pop Art' } },
    { text: '１２', choice: { by: 'number', id: 12, name: 'Pop Art' } },
    { text: ' 012 ', choice: { by: 'number', id: 12, name: 'Pop Art' } },
    { text: '12 · Pop Art', choice: { by: 'number', id: 12, name: 'Pop Art' } },
    { text: 'Pop Art', choice: { by: 'number', id: 12, name: 'Pop Art' } },
    { text: 'CAFE', choice: { by: 'number', id: 14, name: 'Café' } },
    { text: 'Halloween', choice: { by: 'alias', id: 'id-halloween', name: 'halloween' } },
    { text: uuid.toUpperCase(), choice: { by: 'uuid', id: uuid, name: 'Neon Nights' } },
    { text: 'neon nights', choice: { by: 'uuid', id: uuid, name: 'Neon Nights' } },
    { text: unknown, choice: { by: 'uuid', id: unknown, name: 'custom filter' } },
    // A catalog's number keeps its meaning; one that it does not have can be a name.
    { text: '2026', choice: { by: 'alias', id: 'id-2026', name: '2026' } },
    // A community's own name goes before one of the catalog, which still has its number.
    { text: 'Noir', choice: { by: 'alias', id: 'id-noir', name: 'noir' } },
  ])('the reference "$text" is found', async ({ text, choice }) => {
    expect(await resolve(text)).toEqual(choice);
  });

  test.each([
    { text: '13', catalog: 'face', words: /no filter number 13\. Nearest: 12 \(Pop Art\), 14 \(Café\)/ },
    { text: '26', catalog: 'stylized', words: /1 to 25; there is no 26/ },
    { text: 'Pop Atr', catalog: 'face', words: /no filter "Pop Atr"\. Did you mean Pop Art\?/ },
    { text: 'haloween', catalog: 'face', words: /Did you mean halloween\?/ },
    { text: 'haloween', catalog: 'realistic', words: /no filter "haloween"\. \/filters/ },
    { text: 'party', catalog: 'face', words: /"party" is for groups.*needs one for single faces/ },
    { text: 'halloween', catalog: 'realistic', words: /"halloween" is for single faces/ },
    { text: other, catalog: 'face', words: /"Crowd" is for groups/ },
    { text: uuid, catalog: 'realistic', words: /"Neon Nights" is for single faces/ },
    { text: 'Royal Court', catalog: 'face', words: /"Royal Court" is for groups/ },
    { text: 'Pop Art', catalog: 'realistic', words: /"Pop Art" is for single faces/ },
    {
      text: 'old masters',
      catalog: 'realistic',
      words: /"old masters" is a style of look classic. Use look=classic/,
    },
    { text: 'constructor', catalog: 'face', words: /no filter "constructor"/ },
  ] as const)(
    'the reference "$text" in the list $catalog is refused with the rule',
    async ({ text, catalog, words }) => {
      await expect(resolve(text, catalog)).rejects.toThrow(words);
      await expect(resolve(text, catalog)).rejects.toBeInstanceOf(UserError);
    },
  );

  test('a filter whose name has no letters matches only exactly', async () => {
    const known = { ...lists, mine: [entry(other, '🎄', 'face'), entry(uuid, '🎃', 'face')] };
    expect(await resolve('🎃', 'face', known)).toEqual({ by: 'uuid', id: uuid, name: '🎃' });
    await expect(resolve('🎅', 'face', known)).rejects.toThrow('🎅');
  });

  test('the classic catalog and the oldest engine have their own numbers', async () => {
    expect(await resolve('40', 'classic')).toMatchObject({ id: 40, name: 'Old Masters' });
    expect(await resolve('300', 'face-v1')).toMatchObject({ id: 300, name: 'Daguerreotype' });
    await expect(resolve('300', 'face')).rejects.toThrow(/no filter number 300/);
  });

  test('an alias of another community does not exist', async () => {
    await expect(resolve('halloween', 'face', lists, 'web:other')).rejects.toThrow(/no filter "halloween"/);
  });

  test('a number within the range goes to the service although the list does not name it', async () => {
    expect(await resolve('7', 'realistic')).toEqual({ by: 'number', id: 7, name: '#7' });
    expect(await resolve('99', 'face', { ...lists, face: [] })).toMatchObject({ by: 'number', id: 99 });
  });

  test('without lists, a number and a UUID are accepted, but not a name', async () => {
    expect(await resolve('99', 'face', {})).toEqual({ by: 'number', id: 99, name: '#99' });
    expect(await resolve(uuid, 'face', {})).toMatchObject({ by: 'uuid', id: uuid });
    expect(await resolve('halloween', 'face', {})).toMatchObject({ by: 'alias' });
    await expect(resolve('Pop Art', 'face', {})).rejects.toThrow(/cannot be loaded right now/);
    await expect(resolve('26', 'realistic', {})).rejects.toThrow(/1 to 25/);
  });
});
