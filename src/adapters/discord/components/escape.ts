import { hideLinkEmbed, hyperlink, inlineCode } from 'discord.js';

/**
 * Escapes text. Discord reads a backslash before punctuation as that character, so all that begins markup, a mention, an emoji, a
 * list, a heading or a URL gets one. Everything else stays unchanged, so that it can be copied and searched. The library's
 * `escapeMarkdown` is not used because it leaves mentions and URLs as they are.
 */

/** Invisible characters, and those that change the reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]+/g;
const markup = new RegExp(
  [
    /[\\*_~|`<[\]@]/,
    // Quotes, headings and lists: this text may end up at the beginning of a line.
    /^[>#+-]/,
    /(?<=^\d*)\.(?=\s|$)/,
    // Emoji names, URLs, host names.
    /:(?=\/|[\w~+-]+:)/,
    /(?<=https?|steam):/,
    /\.(?=\p{L})/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** One line without invisible characters. */
export const plain = (text: string): string => text.toWellFormed().replace(INVISIBLE, ' ').trim();

export const escapeText = (text: string): string => plain(text).replace(markup, '\\$&');

/** Inside a code span only a backtick has a meaning. */
export function codeSpan(text: string): string {
  const inside = plain(text).replaceAll('`', 'ˋ');
  return inside === '' ? '' : inlineCode(inside);
}

export function linkSpan(label: string, address: string): string {
  if (!URL.canParse(address)) return escapeText(label);
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return escapeText(label);
  const target = url.href.replaceAll(
    /[()<>\\`|\s]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return hyperlink(escapeText(label), hideLinkEmbed(target));
}
