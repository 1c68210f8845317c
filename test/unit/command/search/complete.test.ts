import { describe, expect, test } from 'vitest';
import faceswap from '../../../../commands/faceswap.ts';
import groupswap from '../../../../commands/groupswap.ts';
import type { Command } from '../../../../src/command/command.ts';
import type { Given } from '../../../../src/command/option.ts';
import { complete, type KnownNames } from '../../../../src/command/search/complete.ts';
import { en } from '../../../../src/words/en/words.ts';

/** Suggests the name of the list that it was asked for. */
const knownNames: KnownNames = {
  references: (_, catalog) => [[{ value: catalog, label: catalog }]],
  knows: () => false,
  resembles: () => false,
  aliases: () => [],
  warm: async () => undefined,
};

const order = async () => ({ recent: [], used: [] });

const listFor = async (command: Command, option: string, given: Given): Promise<string | undefined> => {
  const about = {
    options: command.action?.options ?? {},
    option,
    typed: '',
    given,
    community: 'c',
    faces: [],
    channels: [],
    words: en,
  };
  return (await complete(about, knownNames, [], order, 25))[0]?.value;
};

describe('filters are suggested from the list that will resolve them', () => {
  test.each([
    [{}, 'face'],
    [{ engine: 'v6' }, 'face'],
    [{ engine: 'v5' }, 'face'],
    [{ engine: 'V1' }, 'face-v1'],
    [{ engine: 'constructor' }, 'face'],
  ])('/faceswap %o: %s', async (given, list) => {
    expect(await listFor(faceswap, 'filter', given)).toBe(list);
  });

  test.each([
    [{}, 'realistic'],
    [{ look: 'Stylized' }, 'stylized'],
    [{ look: 'classic' }, 'classic'],
    [{ look: 'nonsense' }, 'realistic'],
  ])('/groupswap %o: %s', async (given, list) => {
    expect(await listFor(groupswap, 'style', given)).toBe(list);
  });
});

test.each([
  ['ber', 'Europe/Berlin'],
  ['europe/berl', 'Europe/Berlin'],
  ['sao paulo', 'America/Sao_Paulo'],
  ['kolkata', 'Asia/Kolkata'],
  ['', 'UTC'],
])('time zones are suggested: "%s"', async (typed, zone) => {
  const options = { name: { kind: 'time-zone', description: 'where' } } as const;
  const about = {
    options,
    option: 'name',
    typed,
    given: {},
    community: 'c',
    faces: [],
    channels: [],
    words: en,
  };
  const found = (await complete(about, knownNames, [], order, 25)).map(({ value }) => value);
  expect(found).toContain(zone);
  expect(found.length).toBeLessThanOrEqual(25);
});
