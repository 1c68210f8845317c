import { isUuid } from '../../base/uuid.ts';
import { looksLikeLink } from '../link.ts';
import type { Option } from '../option.ts';
import { ALIAS_NAME, NO_WORDS, YES_WORDS } from '../read-arguments.ts';
import { timeZoneNamed } from '../time-zone.ts';
import { looksLikeTime } from './join-times.ts';

const CATALOG_NUMBER = /^#?\d{1,9}$/;
/** Everything that a person may mean as a number, even if it is refused later: "-5", "1e3", "1,000", "٣". */
const ANY_NUMBER = /^[-+−–]?\p{Nd}[\p{Nd}.,'’٫٬_]*(?:e[-+]?\d+)?$/iu;
const CHANNEL = /\d>?$/;

/** Whether a person may mean a word as a number. */
export const looksLikeNumber = (text: string): boolean => ANY_NUMBER.test(text);
/** Whether a text is the number of a filter in a catalog. */
export const isCatalogNumber = (text: string): boolean => CATALOG_NUMBER.test(text);

/** At least two characters: a single letter or digit means something else. */
export const isYesOrNo = (word: string): boolean =>
  word.length > 1 && [...YES_WORDS, ...NO_WORDS].includes(word.toLowerCase());

/** Whether this word, given without an option name, could be meant for this option. */
export function couldBeValue(
  name: string,
  option: Option,
  word: string,
  known: (option: Option, phrase: string) => boolean,
): boolean {
  const lower = word.toLowerCase();
  switch (option.kind) {
    case 'image':
      return looksLikeLink(word);
    case 'choice':
      return [...option.choices, ...(option.minors ?? [])].some((choice) => choice.toLowerCase() === lower);
    case 'flag':
      return lower === name || isYesOrNo(word);
    case 'integer':
      return looksLikeNumber(word);
    case 'channel':
      return CHANNEL.test(word);
    case 'reference':
      return isCatalogNumber(word) || isUuid(word) || known(option, word);
    case 'alias':
      return ALIAS_NAME.test(lower) && !isUuid(word);
    case 'face':
      // An optional name is not looked for in a text, because nearly any word could be one.
      return option.required === true && ALIAS_NAME.test(lower);
    case 'time-zone':
      return timeZoneNamed(word) !== undefined;
    case 'time':
      return looksLikeTime(word);
    case 'user':
    case 'command':
      return true;
    case 'text':
      return false;
  }
}
