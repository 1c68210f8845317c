import { hideLinkEmbed, hyperlink, inlineCode } from 'discord.js';

/**
 * Escapes text for Discord's Markdown. Discord shows the character after a backslash literally, so a backslash is put before
 * all that begins markup, a mention, an emoji, a list, a heading or a URL. All other text stays unchanged, so that it can be
 * copied and searched. The library's `escapeMarkdown` is not used, because it leaves mentions and URLs as they are.
 */

/** Control characters, invisible characters, and characters that change the reading direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]+/g;
const markup = new RegExp(
  [
    /[\\*_~|`<[\]@]/,
    // Quotes, headings and lists begin with these, if the text comes first in its line.
    /^[>#+-]/,
    /(?<=^\d*)\.(?=\s|$)/,
    // The next three find emoji names, URLs and host names.
    /:(?=\/|[\w~+-]+:)/,
    /(?<=https?|steam):/,
    /\.(?=\p{L})/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** Makes text a single line without invisible characters. */
export const singleLine = (text: string): string => text.toWellFormed().replace(INVISIBLE, ' ').trim();

/** Text from outside as it may stand in a message: without markup, mentions and links. */
export const escapeText = (text: string): string => singleLine(text).replace(markup, '\\$&');

/** Makes a code span, in which only a backtick must be replaced. */
export function codeSpan(text: string): string {
  const inside = singleLine(text).replaceAll('`', 'ˋ');
  return inside === '' ? '' : inlineCode(inside);
}

/** Makes a link with an escaped label and address; only the label if the address is not http or https. */
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
