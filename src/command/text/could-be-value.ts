import { looksLikeLink } from '../link.ts';
import type { Option } from '../option.ts';
import { aliasName, noWords, yesWords } from '../read-arguments.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const catalogNumber = /^#?\d{1,9}$/;

export const isUuid = (text: string): boolean => uuid.test(text);
export const isCatalogNumber = (text: string): boolean => catalogNumber.test(text);

/** At least two characters: a single letter or digit means something else. */
export const isYesOrNo = (word: string): boolean =>
  word.length > 1 && [...yesWords, ...noWords].includes(word.toLowerCase());

/** Whether this word, given without an option name, could be meant for this option. */
export const fits = (
  name: string,
  option: Option,
  word: string,
  known: (option: Option, phrase: string) => boolean,
): boolean => {
  const lower = word.toLowerCase();
  switch (option.kind) {
    case 'image':
      return looksLikeLink(word);
    case 'choice':
      return option.choices.some((choice) => choice.toLowerCase() === lower);
    case 'flag':
      return lower === name || isYesOrNo(word);
    case 'integer':
      return /^\d+$/.test(word);
    case 'reference':
      return isCatalogNumber(word) || isUuid(word) || known(option, word);
    case 'alias':
      return aliasName.test(lower) && !isUuid(word);
    case 'user':
    case 'command':
      return true;
    case 'text':
      return false;
  }
};
