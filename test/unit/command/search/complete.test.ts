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
  [faceswap, {}, 'face'],
  [faceswap, { engine: 'v5' }, 'face'],
  [faceswap, { engine: 'V1' }, 'face-v1'],
  [faceswap, { engine: 'constructor' }, 'face'],
  [groupswap, {}, 'realistic'],
  [groupswap, { look: 'Stylized' }, 'stylized'],
  [groupswap, { look: 'nonsense' }, 'realistic'],
])('filters are suggested from the list that will resolve them (%#)', async (command, given, list) => {
  const option = command === faceswap ? 'filter' : 'style';
  expect(await suggested({ options: command.action?.options ?? {}, option, given })).toEqual([list]);
});

test.each([
  ['ber', 'Europe/Berlin'],
  ['europe/berl', 'Europe/Berlin'],
  ['sao paulo', 'America/Sao_Paulo'],
  ['', 'UTC'],
])('time zones are suggested for "%s"', async (typed, zone) => {
  const options: Options = { name: { kind: 'time-zone', description: 'where' } };
  const found = await suggested({ options, option: 'name', typed });
  expect(found).toContain(zone);
  expect(found.length).toBeLessThanOrEqual(25);
});

test.each([
  ['gender', '', ['girl', 'male', 'female', 'boy', 'group']],
  ['gender', 'f', ['female']],
  ['ratio', '', ['square', 'portrait', 'landscape']],
  ['private', '', ['yes', 'no']],
  ['engine', '', ['v6', 'v5', 'v1']],
])('values of %s for "%s" begin with what was chosen last', async (option, typed, values) => {
  const last = { gender: 'girl', ratio: 'square', private: 'yes' };

  expect(await suggested({ option, typed }, { recent: [], used: [], last })).toEqual(values);
});

const uuid = '3f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f';

const standard = ['Pop Art', 'Noir', 'Pop Star', 'Poster', 'Opal'].map((name, index) => ({
  value: `${index + 1}`,
  label: `${index + 1} · ${name}`,
}));

const lists = [[{ value: 'halloween', label: 'halloween' }], standard, [{ value: uuid, label: 'Pop Neon' }]];
const order = { recent: ['face:3', `mine:${uuid}`, 'realistic:1', 'face:99'], used: ['face:2', 'face:3'] };
const none = { recent: [], used: [] };

test.each([
  ['nothing: recent ones, the most used, the list', '', order, ['3', uuid, '2', 'halloween', '1', '4', '5']],
  ['nothing, and nobody used any', '', none, ['halloween', '1', '2', '3', '4', '5', uuid]],
  ['a text: the best match, and of equally good ones the recent ones', 'pop', order, ['3', uuid, '1']],
  ['all of a name', 'pop art', order, ['1']],
  ['a text, and the most used', 'po', { recent: [], used: ['face:4'] }, ['4', '1', '3', uuid]],
])('filters are suggested in this order after typing %s', async (_, typed, by, found) => {
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
  expect(inOrder(items, (item) => item, { recent: ['x'], used: [] })).toEqual({ items, recent: 0 });
});
