import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { jobMenuEntries, jobMenuTitle } from '../../../src/command/describe.ts';
import { GENDERS } from '../../../src/kinds/choices.ts';
import { shortDate } from '../../../src/words/phrase.ts';
import { lengthOfTime, roughly } from '../../../src/words/time.ts';
import { LANGUAGES, type Language, languages, wordsFor } from '../../../src/words/words.ts';
import { leaves, say } from '../../fakes/english.ts';

const english = leaves(languages.en);
const others = Object.entries(languages).filter(([code]) => code !== 'en');

/** Every declaration that has a description, by its path. */
const declared = commands.flatMap((command) => [
  [command.name, command.description] as const,
  ...(command.menu === undefined ? [] : [[`${command.name}:menu`, command.menu] as const]),
  ...Object.entries({ '': command.action, ...command.subcommands }).flatMap(([name, action]) => {
    const path = name === '' ? command.name : `${command.name}.${name}`;
    const options = Object.entries(action?.options ?? {});
    return [
      ...(name === '' || action === undefined ? [] : [[path, action.description] as const]),
      ...(action?.jobMenu === undefined ? [] : [[`${path}:menu`, action.jobMenu.title] as const]),
      ...options.map(([option, { description }]) => [`${path}.${option}`, description] as const),
    ];
  }),
]);

/** English texts by path, which each language has to translate. */
const paths = declared.flatMap(([path, description]) => (typeof description === 'string' ? path : []));

/** Where the translation of a path may stand: options that are described in the same way share one. */
const keysOf = (path: string): readonly string[] => {
  const [command = '', ...rest] = path.split('.');
  return [path, `${command}.*.${rest.at(-1)}`, `*.${rest.at(-1)}`];
};

/** Words that are the same in several languages, or signs. */
const alike = [
  'No',
  'Vídeo',
  'Credits',
  'optional',
  'Fotos',
  'Foto {number}',
  'Playground',
  'Conversation',
  'Suggestions',
  'Photos',
  'Message',
  'Photo {number}',
  'Chats',
  'ID:',
];

/** Languages so close that short texts are often the same. */
const RELATED: readonly (readonly Language[])[] = [['es', 'pt']];

/** The texts of a language, by path. */
const saidIn = (code: Language): ReadonlyMap<string, string> => {
  const words = languages[code];
  const texts = leaves(words).filter(({ value }) => typeof value !== 'object');
  const described = code === 'en' ? declared : Object.entries(words.descriptions);
  return new Map([
    ...texts.map(({ path, value }) => [path, say(value)] as const),
    ...described.flatMap(([path, text]) =>
      typeof text === 'string' ? [[`descriptions.${path}`, text] as const] : [],
    ),
  ]);
};

/** Paths whose texts are the same in both, though languages differ there. */
const copiedFrom = (other: Language, own: Language): readonly string[] => {
  const theirs = saidIn(other);
  const isRelated = RELATED.some((pair) => pair.includes(other) && pair.includes(own));
  const copied = [...saidIn(own)].filter(([path, said]) => {
    const count = said.replaceAll(/\{\w+\}|\d/g, '').match(/\p{L}{2,}/gu)?.length ?? 0;
    // Many names of columns are the same word in other languages.
    const least = isRelated ? 4 : path.startsWith('owner.') ? 2 : 1;
    return count >= least && !alike.includes(said) && said === theirs.get(path);
  });
  return copied.map(([path]) => path);
};

const pairs = LANGUAGES.flatMap((own, index) =>
  LANGUAGES.slice(0, index).map((other) => [own, other] as const),
);

test.each(pairs)('%s is translated, and nothing is left of %s', (own, other) => {
  expect(
    copiedFrom(other, own),
    `the same in src/words/${own} and src/words/${other}: translate it, or add it to \`alike\` in this file if it is rightly the same`,
  ).toEqual([]);
});

describe.each(others)('%s', (language, words) => {
  const mine = leaves(words);

  const labels = `src/words/${language}/labels.ts`;

  test(`${language} has the words that English has, and no others`, () => {
    const own = mine.map(({ path }) => path).sort();
    expect(own, `the words in src/words/${language}`).toEqual(english.map(({ path }) => path).sort());
  });

  test(`${language} uses every parameter that English uses`, () => {
    const numbersIn = (text: string): readonly string[] =>
      [...new Set(text.match(/\b[2-5]\b/g) ?? [])].sort();

    const functions = english.filter(({ value }) => typeof value === 'function');
    expect(functions.length).toBeGreaterThan(40);

    for (const { path, value } of functions) {
      const own = mine.find((leaf) => leaf.path === path);
      expect(numbersIn(say(own?.value)), path).toEqual(numbersIn(say(value)));
    }
  });

  test(`${language} has the same placeholders in the labels of the page and of the console`, () => {
    const gapsIn = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const { path, value } of english) {
      const own = mine.find((leaf) => leaf.path === path);
      expect(gapsIn(say(own?.value)), path).toEqual(gapsIn(say(value)));
    }
  });

  test(`${language} describes every command, subcommand and option, and nothing else`, () => {
    const keys = paths.map(
      (path) => keysOf(path).find((key) => Object.hasOwn(words.descriptions, key)) ?? path,
    );
    const described = Object.keys(words.descriptions);
    const missing = keys.filter((key) => !described.includes(key));
    expect(missing, `add these to \`descriptions\` in ${labels}`).toEqual([]);

    const unknown = described.filter((key) => !keys.includes(key));
    expect(unknown, `nothing has these names: remove them from \`descriptions\` in ${labels}`).toEqual([]);
  });

  test(`${language} says who can be in a photo, which is asked with buttons`, () => {
    expect(Object.keys(words.choices), `\`choices\` in src/words/${language}/words.ts`).toEqual(GENDERS);
  });

  test(`${language} names the entries of menus within 32 characters, as Discord allows`, () => {
    for (const command of commands)
      if (command.menu !== undefined)
        expect(words.descriptions[`${command.name}:menu`], labels).toMatch(/^\S.{0,30}\S$/);
    for (const entry of jobMenuEntries(commands)) expect(jobMenuTitle(words, entry)).toMatch(/^\S.{0,30}\S$/);
  });

  test(`${language} describes commands and options within 100 characters, as every platform allows`, () => {
    const texts = declared.map(([path, description]) => [
      path,
      typeof description === 'string'
        ? (keysOf(path).flatMap((key) => words.descriptions[key] ?? [])[0] ?? '')
        : description(words),
    ]);
    const long = texts.filter(([, text = '']) => text.length > 100 || text.length === 0);
    expect(long, `descriptions in ${labels} that are missing or too long`).toEqual([]);
  });
});

test.each([
  ['de-AT', 'de'],
  ['pt-BR', 'pt'],
  ['es_419', 'es'],
  ['FR', 'fr'],
  ['en-GB', 'en'],
  ['ja', 'en'],
  ['', 'en'],
  ['constructor', 'en'],
] as const)('a person with the locale %s gets %s', (locale, code) => {
  expect(wordsFor(locale)).toBe(languages[code]);
});

test('the mark "AI-generated" is in every language', () => {
  expect(languages.en.card.aiGenerated).toBe('AI-generated');
  for (const [, words] of others) expect(words.card.aiGenerated).toContain('AI-generated');
});

test.each([
  [400, '1 s'],
  [45_000, '45 s'],
  [60_000, '1 min'],
  [130_000, '2 min 10 s'],
  [3_600_000, '1 h'],
  [3_900_000, '1 h 5 min'],
])('a duration of %d ms is written as %s', (ms, text) => {
  expect(lengthOfTime(ms)).toBe(text);
});

test('an estimate is rounded up, coarser the longer it is', () => {
  expect(roughly(7200)).toBe('8 s');
  expect(roughly(41_000)).toBe('45 s');
  expect(roughly(121_000)).toBe('2 min 30 s');
});

test.each(LANGUAGES)('%s has its own numbers and dates', (language) => {
  const { owner, stats } = languages[language];
  expect(owner.locale).toBe(language);

  const may = Date.UTC(2026, 4, 9);
  expect(stats.date(may)).toBe(shortDate(language, may));
});

/** Forms that are wrong for one, in languages that have them. */
const PLURALS = {
  en: /count as|stay spent|1 requests/,
  de: /gelten|1 Anfragen|1 können|1 weitere /,
  es: /Se te han|Cuentan|1 peticiones|pueden|quedan|están/,
  fr: /1 demandes|peuvent|sont/,
  pt: /Contam|1 pedidos|podem|estão|Restam/,
} as const satisfies Record<Language, RegExp>;

test.each(Object.entries(PLURALS))('the words of %s have singular forms', (code, many) => {
  const { card, limits, usage } = wordsFor(code);
  const one = [card.returned(1), card.kept(1), card.spent(1), usage.reserved(1), usage.left(1)];
  const said = [...one, limits.rate(1, '5 s'), limits.waiting(1, 1), limits.allowance(1, 1, '1 h')];

  for (const text of said) expect(text).not.toMatch(many);
});
