import { describe, expect, test } from 'vitest';
import { descriptionIn } from '../../../src/command/option.ts';
import { GENDERS } from '../../../src/kinds/choices.ts';
import { LANGUAGES, type Language, type OtherLanguage } from '../../../src/words/language.ts';
import { shortDate } from '../../../src/words/phrase.ts';
import { lengthOfTime, roughly } from '../../../src/words/time.ts';
import { languages, wordsFor } from '../../../src/words/words.ts';
import { declaredTexts, descriptions, textFiles } from '../../fakes/declared-texts.ts';
import { leaves, say } from '../../fakes/english.ts';

const english = leaves(languages.en);
const others = LANGUAGES.filter((language) => language !== 'en');

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
  'UTC',
];

/** Languages so close that short texts are often the same. */
const RELATED: readonly (readonly Language[])[] = [['es', 'pt']];

/** The texts of a language, by path. */
const saidIn = (code: Language): ReadonlyMap<string, string> => {
  const words = languages[code];
  const texts = leaves(words).filter(({ value }) => typeof value !== 'object');
  return new Map([
    ...texts.map(({ path, value }) => [path, say(value)] as const),
    ...declaredTexts(code).map(([path, said]) => [path, say(said)] as const),
  ]);
};

/** The paths of texts that are the same in two languages, and should not be. */
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

const pairs = LANGUAGES.flatMap((own, index) => LANGUAGES.slice(0, index).map((other) => ({ own, other })));

test.each(pairs)('the texts in $own are translated, and nothing is left of $other', ({ own, other }) => {
  expect(
    copiedFrom(other, own),
    `the same in src/words/${own} and src/words/${other}: translate it, or add it to \`alike\` in this file if it is rightly the same`,
  ).toEqual([]);
});

describe.each(others)('%s', (language) => {
  const words = languages[language];
  const mine = leaves(words);

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

  test(`${language} says who can be in a photo, which is asked with buttons`, () => {
    expect(Object.keys(words.choices), `\`choices\` in src/words/${language}/words.ts`).toEqual(GENDERS);
  });
});

/** Whether a translation is of something that is declared. */
const isDeclared = (path: string): boolean => descriptions.some(([each]) => each === path);

/** The paths of everything that the file of a command's texts translates into a language. */
const translatedIn = (command: string, language: OtherLanguage): readonly string[] => {
  const file = textFiles[command];
  const all = Object.entries({ '': file?.translations, ...file?.subcommands });
  return all.flatMap(([name, said]) => {
    const path = name === '' ? command : `${command}.${name}`;
    return [path, ...Object.keys(said?.[language].options ?? {}).map((option) => `${path}.${option}`)];
  });
};

test.each(Object.keys(textFiles))(
  'commands/texts/%s.ts translates what its command declares, and nothing else',
  (command) => {
    for (const language of others)
      expect(
        translatedIn(command, language).filter((path) => !isDeclared(path)),
        `nothing has these names: remove them from commands/texts/${command}.ts`,
      ).toEqual([]);
  },
);

test.each(LANGUAGES)(
  '%s describes commands and options within 100 characters, entries of menus within 32',
  (language) => {
    for (const [path, said] of descriptions) {
      const text = descriptionIn(said, { language });
      const most = path.endsWith(':menu') ? 32 : 100;
      expect(text.length, `${path}: ${text}`).toBeLessThanOrEqual(most);
      expect(text, path).toMatch(/^\S.*\S$/);
    }
  },
);

test.each([
  { locale: 'de-AT', code: 'de' },
  { locale: 'pt-BR', code: 'pt' },
  { locale: 'es_419', code: 'es' },
  { locale: 'FR', code: 'fr' },
  { locale: 'en-GB', code: 'en' },
  { locale: 'ja', code: 'en' },
  { locale: '', code: 'en' },
  { locale: 'constructor', code: 'en' },
] as const)('a person with the locale "$locale" gets $code', ({ locale, code }) => {
  expect(wordsFor(locale)).toBe(languages[code]);
});

test('the mark "AI-generated" is in every language', () => {
  expect(languages.en.card.aiGenerated).toBe('AI-generated');
  for (const language of others) expect(languages[language].card.aiGenerated).toContain('AI-generated');
});

test.each([
  { ms: 400, text: '1 s' },
  { ms: 45_000, text: '45 s' },
  { ms: 60_000, text: '1 min' },
  { ms: 130_000, text: '2 min 10 s' },
  { ms: 3_600_000, text: '1 h' },
  { ms: 3_900_000, text: '1 h 5 min' },
])('a duration of $ms ms is written as $text', ({ ms, text }) => {
  expect(lengthOfTime(ms)).toBe(text);
});

test('an estimate is rounded up, coarser the longer it is', () => {
  expect(roughly(7200)).toBe('8 s');
  expect(roughly(41_000)).toBe('45 s');
  expect(roughly(121_000)).toBe('2 min 30 s');
});

test.each(LANGUAGES)('the words of %s have numbers and dates of their language', (language) => {
  const { language: own, stats } = languages[language];
  expect(own).toBe(language);

  const may = Date.UTC(2026, 4, 9);
  expect(stats.date(may)).toBe(shortDate(language, may));
});

/** Forms of the words of a language that are wrong for one. */
const PLURALS = {
  en: /count as|stay spent|1 requests/,
  de: /gelten|1 Anfragen|1 können|1 weitere /,
  es: /Se te han|Cuentan|1 peticiones|pueden|quedan|están/,
  fr: /1 demandes|peuvent|sont/,
  pt: /Contam|1 pedidos|podem|estão|Restam/,
} as const satisfies Record<Language, RegExp>;

test.each(LANGUAGES)('the words of %s have singular forms', (language) => {
  const { card, limits, usage } = languages[language];
  const one = [card.returned(1), card.kept(1), card.spent(1), usage.reserved(1), usage.left(1)];
  const said = [...one, limits.rate(1, '5 s'), limits.waiting(1, 1), limits.allowance(1, 1, '1 h')];

  for (const text of said) expect(text).not.toMatch(PLURALS[language]);
});
