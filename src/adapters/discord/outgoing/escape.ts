/**
 * Text that cannot act. Discord takes a backslash before any punctuation as "this character itself", so what begins
 * markup, a mention, an emoji, a list, a heading or an address is given one. Everything else stays as it is: people
 * copy these words, and programs look for them.
 */

/** Characters that are not shown, or that turn the reading direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
const unseen = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]+/g;
const acting = new RegExp(
  [
    /[\\*_~|`<[\]@]/,
    // Quotes, headings and lists begin a line only; a piece of text may come to stand there.
    /^[>#+-]/,
    /(?<=^\d*)\.(?=\s|$)/,
    // Names of emoji, addresses with a scheme, and names of hosts.
    /:(?=\/|[\w~+-]+:)/,
    /(?<=https?|steam):/,
    /\.(?=\p{L})/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** One line of plain characters. */
export const plain = (text: string): string => text.toWellFormed().replace(unseen, ' ').trim();

export const escapeText = (text: string): string => plain(text).replace(acting, '\\$&');

/** Nothing acts inside a code span but the mark that ends it. */
export const codeSpan = (text: string): string => {
  const inside = plain(text).replaceAll('`', 'ˋ');
  return inside === '' ? '' : `\`${inside}\``;
};

/** An address of our own making. In angle brackets Discord adds no preview. */
export const linkSpan = (label: string, address: string, preview: boolean): string => {
  if (!URL.canParse(address)) return escapeText(label);
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return escapeText(label);
  const target = url.href.replaceAll(
    /[()<>\\`|\s]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `[${escapeText(label)}](${preview ? target : `<${target}>`})`;
};
