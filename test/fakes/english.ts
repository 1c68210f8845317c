import { languages } from '../../src/words/words.ts';

/** A text as it is, or what a text with parameters says of samples of them. */
export const say = (value: unknown): string => {
  if (typeof value !== 'function') return String(value);
  // Parameters are strings, numbers or lists: whatever they are, they must show up in what is said.
  const samples: readonly unknown[] = [2, 3, 4, 5];
  for (const form of [samples, samples.map(String), [['2'], ['3'], ['4']], ['2', ['3']]])
    try {
      return value(...form);
    } catch {
      // The text does not take parameters of this form.
    }
  throw new Error('no form of parameters fits');
};

/** Parameters that lead to the different forms of a text: none, one and many, with and without a reason or a list. */
const FORMS: readonly (readonly unknown[])[] = [
  [0, 0, 0, 0],
  [1, 1, 1, 1],
  [7, 7, 7, 7],
  ['7', '7', '7', '7'],
  ['', '', '', ''],
  ['7', []],
  ['7', ['7', '7']],
  ['7', '7', ['7', '7']],
  ['7', '7', '7', undefined],
  [undefined, 7, 7, 7],
];

/** A text in all its forms. */
export const formsOf = (value: unknown): readonly string[] => {
  if (typeof value !== 'function') return [String(value)];
  return FORMS.flatMap((form) => {
    try {
      return [String(value(...form))];
    } catch {
      // The text has no such form.
      return [];
    }
  });
};

/** A text, a number or a function in the words, and its path. */
export type Leaf = { readonly path: string; readonly value: unknown };

/** All texts of a tree of words, with their paths. */
export const leaves = (value: unknown, path = ''): readonly Leaf[] =>
  typeof value === 'object' && value !== null && path !== 'choices'
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`))
    : [{ path, value }];

const { owner, approval, report, notes, communityErrors } = languages.en;

/** Pieces of at least three words, without what is filled in. */
const pieces = leaves({ owner, approval, report, notes, communityErrors })
  .flatMap(({ value }) => say(value).split(/\{\w+\}|\d/))
  .map((piece) => piece.trim())
  .filter((piece) => /\p{L}{2,}\P{L}+\p{L}{2,}\P{L}+\p{L}{2,}/u.test(piece));

/** English sentences for owners that stand in a text. */
export const englishIn = (text: string): readonly string[] => pieces.filter((piece) => text.includes(piece));
