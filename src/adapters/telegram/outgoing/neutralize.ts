/**
 * An invisible character that is put into URLs, @names, #tags and /commands, because Telegram makes links of them even in
 * text without markup. The visible text does not change.
 */
const JOINER = '\u2060';

/** Matches control characters and overrides of the writing direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes text safe for a code span, where Telegram makes no links. `toWellFormed` replaces halves of surrogate pairs, which a
 * cut text can contain and Telegram refuses.
 */
export const codeText = (text: string): string => text.replace(CONTROL_CHARACTERS, '').toWellFormed();

/** Matches the characters without which there is nothing to neutralize. */
const MARKS = /[@#$＃＠.:/]/;

/** Makes text safe outside code spans: Telegram makes no links and mentions of it. */
export function inert(text: string): string {
  if (!MARKS.test(text)) return codeText(text);
  return (
    codeText(text)
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
