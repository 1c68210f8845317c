/**
 * Telegram turns URLs, @names, #tags and /commands into links, also in text without markup. An invisible joiner inside each
 * of them prevents that without changing the visible text.
 */
const JOINER = '\u2060';

/** Control characters and overrides of the writing direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes text safe for code, where Telegram makes no links. Telegram refuses messages with half a surrogate pair, which a cut text can
 * contain.
 */
export const plain = (text: string): string => text.replace(CONTROL_CHARACTERS, '').toWellFormed();

/** Most texts have none of these, and nothing to neutralize. */
const MARKS = /[@#$＃＠.:/]/;

export function inert(text: string): string {
  if (!MARKS.test(text)) return plain(text);
  return (
    plain(text)
      // @name, #tag, $TAG; Telegram's tags may also begin with a non-joiner, a middle dot or a Sinhala sign
      .replace(/[@#$＃＠](?=[\p{L}\p{N}_\u200c\u00b7\u0d80-\u0dff])/gu, `$&${JOINER}`)
      // example.com, with or without a scheme; also 10.0.0.1, but not a number such as 3.5
      .replace(/\.(?=\p{L})/gu, `.${JOINER}`)
      .replace(/(?<=\d)\.(?=\d+\.\d)/g, `.${JOINER}`)
      // any scheme, tg:// included
      .replace(/:(?=\/\/)/g, `:${JOINER}`)
      // a /command at the beginning of a word
      .replace(/(?<![\p{L}\p{N}_/])\/(?=[A-Za-z0-9_])/gu, `/${JOINER}`)
  );
}
