import type { Words } from '../../words/words.ts';
import type { Action } from '../command.ts';
import { UserError } from '../errors.ts';
import { type Given, OPTION_KINDS, type Option } from '../option.ts';
import { shorten } from '../shorten.ts';
import { looksLikeNumber } from './could-be-value.ts';
import type { Token } from './tokens.ts';

/** A piece of a line that has no option yet. */
export type Piece = Token & { readonly isText?: boolean };

/** The pieces as one text. */
export const phraseOf = (text: readonly Token[]): string => text.map((piece) => piece.text).join(' ');

function unexpected({ key, text }: Token, { error }: Words): UserError {
  return new UserError(
    key === undefined ? error.unexpected(shorten(text, 60)) : error.unknownOption(key, []),
  );
}

/** Assigns the remaining words: to the command's text option, else to missing options. */
export function placeText(
  action: Action,
  given: Given,
  text: readonly Piece[],
  textName: string | undefined,
  words: Words,
  resembles: (option: Option, phrase: string) => boolean,
): Given {
  const [only, ...more] = text;
  if (only === undefined) return {};
  const phrase = phraseOf(text);
  const empty = Object.entries(action.options).filter(([name]) => given[name] === undefined);
  const reference = empty.find(([, option]) => option.kind === 'reference');
  const alias = empty.find(([, option]) => option.kind === 'alias');
  const bare = text.every((piece) => !piece.quoted && !piece.isText);
  // A single word is a name rather than a description, and so are several that match a name but for a typo: then the
  // nearest names are shown.
  const isName =
    reference !== undefined &&
    bare &&
    reference[1].or === textName &&
    (text.length === 1 || resembles(reference[1], phrase));
  const settled = Object.entries(action.options).some(
    ([name, { or }]) => or !== undefined && or === textName && given[name] !== undefined,
  );
  // Something like `option=value` is not a name.
  if ((settled || (isName && only.key !== undefined)) && text.length === 1 && bare)
    throw unexpected(only, words);
  // "1 000" is not one credit for the reason "000".
  const isAmount = Object.values(action.options).some(({ kind }) => kind === 'integer');
  if (isAmount && bare && looksLikeNumber(phrase)) throw unexpected({ ...only, text: phrase }, words);
  if (textName !== undefined && !isName) return { [textName]: phrase };
  // An invalid alias name is still assigned, so that the error explains it.
  if (alias !== undefined && reference !== undefined && more.length > 0)
    return { [alias[0]]: only.text, [reference[0]]: phraseOf(more) };
  const home = empty.find(([, { kind }]) => OPTION_KINDS[kind].takesRest);
  if (home === undefined) throw unexpected({ ...only, text: phrase }, words);
  return { [reference?.[0] ?? home[0]]: phrase };
}
