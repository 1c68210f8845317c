import type { Words } from '../../words/words.ts';
import type { Action } from '../command.ts';
import { UserError } from '../errors.ts';
import type { Given, Option } from '../option.ts';
import { shorten } from '../shorten.ts';
import type { Token } from './tokens.ts';

export type Piece = Token & { readonly isText?: boolean };

export const phraseOf = (text: readonly Token[]): string => text.map((piece) => piece.text).join(' ');

const uselessly = ({ key, text }: Token, { error }: Words): UserError =>
  new UserError(key === undefined ? error.unexpected(shorten(text, 60)) : error.unknownOption(key, []));

/** Words that fit nothing else are the command's text; where it has none, the values that are still missing. */
export const placeText = (
  action: Action,
  given: Given,
  text: readonly Piece[],
  textName: string | undefined,
  words: Words,
  resembles: (option: Option, phrase: string) => boolean,
): Given => {
  const [only, ...more] = text;
  if (only === undefined) return {};
  const phrase = phraseOf(text);
  const empty = Object.entries(action.options).filter(([name]) => given[name] === undefined);
  const reference = empty.find(([, option]) => option.kind === 'reference');
  const alias = empty.find(([, option]) => option.kind === 'alias');
  const bare = text.every((piece) => !piece.quoted && !piece.isText);
  // One bare word is hardly a description: it is a name, and if it is misspelt the nearest names are shown. So are
  // several that are a name but for a slip.
  const isName =
    reference !== undefined &&
    bare &&
    reference[1].or === textName &&
    (text.length === 1 || resembles(reference[1], phrase));
  const settled = Object.entries(action.options).some(
    ([name, { or }]) => or !== undefined && or === textName && given[name] !== undefined,
  );
  // Nor is it a name when it looks like an option.
  if ((settled || (isName && only.key !== undefined)) && text.length === 1 && bare)
    throw uselessly(only, words);
  if (textName !== undefined && !isName) return { [textName]: phrase };
  // A name that cannot be one stands in its place all the same, and is told so.
  if (alias !== undefined && reference !== undefined && more.length > 0)
    return { [alias[0]]: only.text, [reference[0]]: phraseOf(more) };
  const home = empty.find(([, option]) =>
    ['reference', 'alias', 'user', 'integer', 'choice'].includes(option.kind),
  );
  if (home === undefined) throw uselessly({ ...only, text: phrase }, words);
  return { [reference?.[0] ?? home[0]]: phrase };
};
