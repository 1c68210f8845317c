import { expect, test } from 'vitest';
import faceswap from '../../../../commands/faceswap.ts';
import groupswap from '../../../../commands/groupswap.ts';
import type { FilterOrder } from '../../../../src/command/catalog-port.ts';
import type { Suggestion } from '../../../../src/command/desk.ts';
import type { Options } from '../../../../src/command/option.ts';
import { complete } from '../../../../src/command/search/complete.ts';
import { inOrder } from '../../../../src/command/search/preferred.ts';
import { en } from '../../../../src/words/en/words.ts';

type About = Partial<Parameters<typeof complete>[0]>;

/** The suggestions from these lists, or without lists the name of the list that was asked for. */
const suggested = async (
  about: About & { readonly option: string },
  order: FilterOrder = { recent: [], used: [] },
  lists?: readonly (readonly Suggestion[])[],
  limit = 25,
): Promise<readonly string[]> => {
  const knownNames = {
    references: (_: string, catalog: string) => lists ?? [[{ value: catalog, label: catalog }]],
    knows: () => false,
    resembles: () => false,
    aliases: () => [],
    warm: async () => undefined,
  };
  const usual = { options: faceswap.action?.options ?? {}, typed: '', given: {}, community: 'c' };
  const whole = { ...usual, faces: [], channels: [], words: en, ...about };
  return (await complete(whole, knownNames, [], async () => order, limit)).map(({ value }) => value);
};

test.each([
  { given: {}, list: 'face' },
  { given: { engine: 'v5' }, list: 'face' },
  { given: { engine: 'V1' }, list: 'face-v1' },
  { given: { engine: 'constructor' }, list: 'face' },
])(
  'filters for /faceswap with $given are suggested from the list $list, which will resolve them',
  async ({ given, list }) => {
    const { options = {} } = faceswap.action ?? {};

    expect(await suggested({ options, option: 'filter', given })).toEqual([list]);
  },
);

test.each([
  { given: {}, list: 'realistic' },
  { given: { look: 'Stylized' }, list: 'stylized' },
  { given: { look: 'nonsense' }, list: 'realistic' },
])(
  'styles for /groupswap with $given are suggested from the list $list, which will resolve them',
  async ({ given, list }) => {
    const { options = {} } = groupswap.action ?? {};

    expect(await suggested({ options, option: 'style', given })).toEqual([list]);
  },
);

test.each([
  { typed: 'ber', zone: 'Europe/Berlin' },
  { typed: 'europe/berl', zone: 'Europe/Berlin' },
  { typed: 'sao paulo', zone: 'America/Sao_Paulo' },
  { typed: '', zone: 'UTC' },
])('the time zone $zone is suggested for "$typed"', async ({ typed, zone }) => {
  const options: Options = { name: { kind: 'time-zone', description: 'where' } };

  const found = await suggested({ options, option: 'name', typed });

  expect(found).toContain(zone);
  expect(found.length).toBeLessThanOrEqual(25);
});

test.each([
  { option: 'gender', typed: '', values: ['girl', 'male', 'female', 'boy', 'group'] },
  { option: 'gender', typed: 'f', values: ['female'] },
  { option: 'ratio', typed: '', values: ['square', 'portrait', 'landscape'] },
  { option: 'private', typed: '', values: ['yes', 'no'] },
  { option: 'engine', typed: '', values: ['v6', 'v5', 'v1'] },
])(
  'suggested values of $option for "$typed" begin with what was chosen last',
  async ({ option, typed, values }) => {
    const last = { gender: 'girl', ratio: 'square', private: 'yes' };

    expect(await suggested({ option, typed }, { recent: [], used: [], last })).toEqual(values);
  },
);

const uuid = '3f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f';

const standard = ['Pop Art', 'Noir', 'Pop Star', 'Poster', 'Opal'].map((name, index) => ({
  value: `${index + 1}`,
  label: `${index + 1} · ${name}`,
}));

const lists = [[{ value: 'halloween', label: 'halloween' }], standard, [{ value: uuid, label: 'Pop Neon' }]];
const order = { recent: ['face:3', `mine:${uuid}`, 'realistic:1', 'face:99'], used: ['face:2', 'face:3'] };
const none = { recent: [], used: [] };

test.each([
  {
    what: 'nothing: recent ones, the most used, the list',
    typed: '',
    by: order,
    found: ['3', uuid, '2', 'halloween', '1', '4', '5'],
  },
  {
    what: 'nothing, and nobody used any',
    typed: '',
    by: none,
    found: ['halloween', '1', '2', '3', '4', '5', uuid],
  },
  {
    what: 'a text: the best match, and of equally good ones the recent ones',
    typed: 'pop',
    by: order,
    found: ['3', uuid, '1'],
  },
  { what: 'all of a name', typed: 'pop art', by: order, found: ['1'] },
  {
    what: 'a text, and the most used',
    typed: 'po',
    by: { recent: [], used: ['face:4'] },
    found: ['4', '1', '3', uuid],
  },
])('filters are suggested in this order after typing $what', async ({ typed, by, found }) => {
  expect(await suggested({ option: 'filter', typed }, by, lists)).toEqual(found);
  expect(await suggested({ option: 'filter', typed }, by, lists, 3)).toEqual(found.slice(0, 3));
});

test('a list of suggestions has six recent filters at most, each once, and loses none', () => {
  const items = Array.from({ length: 20 }, (_, index) => `${index}`);
  const recent = [...items].reverse();

  const found = inOrder(items, (item) => item, { recent, used: ['3', '19'] });

  expect(found.recent).toBe(6);
  expect(found.items.slice(0, 8)).toEqual(['19', '18', '17', '16', '15', '14', '3', '0']);
  expect(found.items.toSorted()).toEqual(items.toSorted());
});

test('a list of suggestions is unchanged by recent filters that are not in it', () => {
  const items = Array.from({ length: 20 }, (_, index) => `${index}`);

  expect(inOrder(items, (item) => item, { recent: ['x'], used: [] })).toEqual({ items, recent: 0 });
});
