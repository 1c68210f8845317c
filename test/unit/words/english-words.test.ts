import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { factsOf, PLATFORMS } from '../../../src/platforms/platforms.ts';
import { LANGUAGES, type Language } from '../../../src/words/language.ts';
import { languages } from '../../../src/words/words.ts';
import { declaredTexts } from '../../fakes/declared-texts.ts';
import { formsOf, leaves } from '../../fakes/english.ts';

/** No English word is left inside a sentence of another language. */

/** Names that are the same in every language: what people type, and what has a name. */
const NAMES: ReadonlySet<string> = new Set(
  [
    ...commands.flatMap(({ name, action, subcommands }) => [
      name,
      ...Object.keys(subcommands ?? {}),
      ...Object.values({ action, ...subcommands }).flatMap((each) =>
        Object.entries(each?.options ?? {}).flatMap(([option, declared]) => [
          option,
          ...(declared.kind === 'choice' ? declared.choices : []),
        ]),
      ),
    ]),
    ...PLATFORMS.flatMap((platform) => [platform, factsOf(platform).title]),
    'Darkroom',
    'WebP',
    'http',
    'https',
    'Europe',
    'Berlin',
    'halloween',
    // This word is in the example for blocked words.
    'dém0n',
    'd.e-m_o.n',
    'mon',
    // A value of COMMUNITIES, and of options that are yes or no.
    'approved',
    'yes',
    'no',
    // The word that stands where nothing was filled in.
    'undefined',
  ].map((name) => name.toLowerCase()),
);

/** Words that are spelt like an English one, and belong to the language all the same. */
const SHARED: Readonly<Record<Exclude<Language, 'en'>, readonly string[]>> = {
  de: [
    'administrator',
    'app',
    'apps',
    'astronaut',
    'bot',
    'bots',
    'browser',
    'chat',
    'chats',
    'credit',
    'deck',
    'form',
    'link',
    'mail',
    'minute',
    'moment',
    'noir',
    'option',
    'optional',
    'person',
    'prompts',
    'renaissance',
    'screenshot',
    'server',
    'start',
    'such',
    'text',
    'version',
    'video',
    'videos',
    'was',
    'wind',
    'zoom',
  ],
  es: [
    'bits',
    'bot',
    'bots',
    'chat',
    'chats',
    'detective',
    'has',
    'prompts',
    'rock',
    'roles',
    'use',
    'uses',
    'zoom',
  ],
  fr: [
    'accents',
    'action',
    'audit',
    'bits',
    'bot',
    'bots',
    'cause',
    'certain',
    'change',
    'chat',
    'chats',
    'chose',
    'console',
    'continue',
    'conversation',
    'copies',
    'date',
    'direct',
    'expire',
    'file',
    'image',
    'interruption',
    'long',
    'machine',
    'machines',
    'mail',
    'menu',
    'message',
    'messages',
    'minute',
    'minutes',
    'moment',
    'noir',
    'option',
    'options',
    'page',
    'pages',
    'photos',
    'phrase',
    'pirates',
    'place',
    'point',
    'prompts',
    'question',
    'questions',
    'refuse',
    'renaissance',
    'rock',
    'second',
    'service',
    'session',
    'sessions',
    'site',
    'styles',
    'suggestions',
    'table',
    'type',
    'version',
    'zoom',
  ],
  pt: [
    'backup',
    'bits',
    'bot',
    'bots',
    'chat',
    'chats',
    'console',
    'data',
    'for',
    'link',
    'login',
    'mail',
    'megapixels',
    'menu',
    'noir',
    'prompts',
    'rock',
    'site',
    'status',
    'use',
    'zoom',
  ],
};

/** Parts of a text that are code, not language: what is filled in, typed, or set in the environment. */
const CODE = [
  /AI-generated/g,
  /\{\w+\}/g,
  /`[^`]*`/g,
  /\/[a-z]\S*/g,
  /[\w-]+=\S+/g,
  /https?:\S*/g,
  /\w+:[-\w]\S*/g,
  /\b[A-Z][A-Z_\d]+\b/g,
];

const WORD = /[\p{L}\d]+(?:[-.’'_][\p{L}\d]+)*/gu;

const wordsIn = (text: string): readonly string[] => {
  const prose = CODE.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), text);
  const found = (prose.toLowerCase().match(WORD) ?? []).filter((word) => !NAMES.has(word));
  return found.flatMap((word) => word.match(/\p{L}{3,}/gu) ?? []).filter((word) => !NAMES.has(word));
};

/** Every text by its path, in all its forms. */
const textsOf = (code: Language): readonly (readonly [path: string, text: string])[] => {
  const words = languages[code];
  return [
    // Names of months are the platform's.
    ...leaves(words).flatMap(({ path, value }) =>
      typeof value === 'object' || path === 'stats.date'
        ? []
        : formsOf(value).map((text) => [path, text] as const),
    ),
    ...declaredTexts(code).flatMap(([path, said]) => formsOf(said).map((text) => [path, text] as const)),
    ...Object.entries(words.choices).map(([path, text]) => [`choices.${path}`, text] as const),
  ];
};

const english: ReadonlySet<string> = new Set(textsOf('en').flatMap(([, text]) => wordsIn(text)));

const others = LANGUAGES.filter((code) => code !== 'en');

test.each(others)('no English word stands in a sentence of %s', (code) => {
  const found = new Map<string, string>();
  for (const [path, text] of textsOf(code))
    for (const word of wordsIn(text))
      if (english.has(word) && !SHARED[code].includes(word)) found.set(`${path}: ${word}`, text);
  expect(
    Object.fromEntries(found),
    'translate it, or add it to `SHARED` if it is a word of that language',
  ).toEqual({});
});

test.each(others)('the words that %s shares with English are used', (code) => {
  const used = new Set(textsOf(code).flatMap(([, text]) => wordsIn(text)));
  expect(SHARED[code].filter((word) => !used.has(word) || !english.has(word))).toEqual([]);
});
