import { describe, expect, test } from 'vitest';
import faceswap from '../../../../commands/faceswap.ts';
import type { Suggestion } from '../../../../src/command/desk.ts';
import type { FilterOrder } from '../../../../src/command/ports.ts';
import { complete } from '../../../../src/command/search/complete.ts';
import { inOrder } from '../../../../src/command/search/preferred.ts';
import { en } from '../../../../src/words/en/words.ts';

const uuid = '3f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f';
const aliases: readonly Suggestion[] = [{ value: 'halloween', label: 'halloween' }];
const standard: readonly Suggestion[] = ['Pop Art', 'Noir', 'Pop Star', 'Poster', 'Opal'].map(
  (name, index) => ({ value: `${index + 1}`, label: `${index + 1} · ${name}` }),
);
const own: readonly Suggestion[] = [{ value: uuid, label: 'Pop Neon' }];

const completed = async (typed: string, order: FilterOrder, limit = 25): Promise<readonly string[]> => {
  const about = {
    options: faceswap.action?.options ?? {},
    option: 'filter',
    typed,
    given: {},
    community: 'c',
    faces: [],
    channels: [],
    words: en,
  };
  const knownNames = {
    references: () => [aliases, standard, own],
    knows: () => false,
    resembles: () => false,
    aliases: () => [],
    warm: async () => undefined,
  };
  const found = await complete(about, knownNames, [], async () => order, limit);
  return found.map(({ value }) => value);
};

describe('suggestions', () => {
  const order = { recent: ['face:3', `mine:${uuid}`, 'realistic:1', 'face:99'], used: ['face:2', 'face:3'] };

  test('with nothing typed: recent ones, then the most used, then the list', async () => {
    expect(await completed('', order)).toEqual(['3', uuid, '2', 'halloween', '1', '4', '5']);
    expect(await completed(' ', order, 3)).toEqual(['3', uuid, '2']);
    expect(await completed('', { recent: [], used: [] })).toEqual([
      'halloween',
      '1',
      '2',
      '3',
      '4',
      '5',
      uuid,
    ]);
  });

  test('with a text: the best match, and of equally good ones the recent ones', async () => {
    expect(await completed('pop', order)).toEqual(['3', uuid, '1']);
    expect(await completed('pop art', order)).toEqual(['1']);
    expect(await completed('po', { recent: [], used: ['face:4'] })).toEqual(['4', '1', '3', uuid]);
  });
});

test('a list has six recent ones at most, each once, and loses none', () => {
  const items = Array.from({ length: 20 }, (_, index) => `${index}`);
  const recent = [...items].reverse();
  const found = inOrder(items, (item) => item, { recent, used: ['3', '19'] });
  expect(found.recent).toBe(6);
  expect(found.items.slice(0, 8)).toEqual(['19', '18', '17', '16', '15', '14', '3', '0']);
  expect(found.items.toSorted()).toEqual(items.toSorted());
  expect(inOrder(items, (item) => item, { recent: ['x'], used: [] })).toEqual({ items, recent: 0 });
});
