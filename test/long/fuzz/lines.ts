import type { Chance } from '../../e2e/faults/kill/chance.ts';

/** Text that is expensive, misleading or malformed for some function that reads it. */

const longest = 4_000;
const fill = (piece: string): string => piece.repeat(Math.ceil(longest / piece.length)).slice(0, longest);

const words = [
  'ﬀ',
  '\ufdfa',
  'a ',
  'ab',
  '"',
  '=',
  'prompt=',
  'gender=male ',
  '\\',
  '*_~`|',
  '<@1> ',
  '@everyone ',
  '[x](https://example.com) ',
  '\u202e',
  '\u0301',
  '\u200d',
  '👨‍👩‍👧‍👦',
  '\ud83d',
  '\0',
  '\n',
  ' ',
  '1',
  '😀 ',
  'ass ',
  "' OR 1=1 -- ",
  '../',
  '{{',
  '%s%n',
  '12 female ',
  'i1l|!',
] as const;

const commands = [
  '/faceswap ',
  '/faceswap gender=male prompt=',
  '/faceswap filter=',
  '/groupswap style=',
  '/animate ',
  '/transition ',
  '/filters search=',
  '/help ',
  '/alias create name=',
  '/alias schedule name=halloween filter=x from=',
  '/settings block user=',
  '/settings timezone ',
  '/settings banword word=',
  '/unknown ',
  '',
] as const;

/** One line: a command, and behind it one repeated piece or a mixture of several. */
export const hostileLine = (chance: Chance): string => {
  const pieces = Array.from({ length: 1 + Math.floor(chance.next() * 4) }, () => chance.pick(words));
  const body = chance.next() < 0.7 ? fill(pieces.join('')) : pieces.join('');
  return `${chance.pick(commands)}${body}`.slice(0, longest);
};

/** Discord hands over any text of up to 6,000 letters as an option's value. */
export const hostileValue = (chance: Chance): string => fill(chance.pick(words)) + fill(chance.pick(words));

/** Data of a button that no message has. */
export const hostilePress = (chance: Chance): string =>
  chance.pick([
    `delete:${fill('A').slice(0, 30)}`,
    'pick:AAAAAAAAAAAA:filter:3',
    'page:x:-1',
    'page:AAAAAAAAAAAA:999999999999999999999',
    '__proto__:x',
    'consent:',
    ':::::::',
    '\u0000',
    'jobs:1e999',
    '💥'.repeat(10),
  ]);
