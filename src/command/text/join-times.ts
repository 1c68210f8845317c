import type { Options } from '../option.ts';
import type { Token } from './tokens.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /^\d{1,2}:\d{2}$/;
/** Everything that a person may mean as a time, even if it is refused later: "31.2.", "25:00", "2026/10/25". */
const ANY_TIME = /^\p{Nd}{1,5}[-./:]\p{Nd}[\p{Nd}\-./:TZ+ ]*$/iu;

/** Whether a person may mean a word as a day or a time. */
export const looksLikeTime = (word: string): boolean => ANY_TIME.test(word);

/** In commands that take times, "2026-10-25 18:00" is one value, and "from 2026-10-25" means `from=2026-10-25`. */
export function joinTimes(pieces: readonly Token[], options: Options): readonly Token[] {
  const names = Object.keys(options).filter((name) => options[name]?.kind === 'time');
  const named = (word = ''): string | undefined =>
    names.find((name) => [name, `${name}:`].includes(word.toLowerCase()));
  const join = (first: Token, second: Token): Token | undefined => {
    const [before, word] = [first.text, second.text];
    if (first.quoted || second.quoted || second.key !== undefined) return undefined;
    const isTime = first.key === undefined || named(first.key) !== undefined;
    if (isTime && DAY.test(before) && CLOCK.test(word)) return { ...first, text: `${before} ${word}` };
    const key = first.key === undefined ? named(before) : undefined;
    return key !== undefined && looksLikeTime(word) ? { ...second, key } : undefined;
  };
  if (names.length === 0) return pieces;
  const joined: Token[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const both = last && join(last, piece);
    if (both === undefined) joined.push(piece);
    else joined.splice(-1, 1, both);
  }
  return joined;
}
