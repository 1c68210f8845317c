/**
 * Telegram's servers turn addresses, @names, #tags and /commands into links by themselves, also in plain text that
 * came without any markup. An invisible joiner inside each of them keeps the text as it reads and takes the effect.
 */
const joiner = '\u2060';

/** Text that steers how other text is shown: overrides of the writing direction and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Without the characters that keep it inert: for code, where Telegram links nothing. Half a character, left where a text
 * was cut, would have the whole message refused.
 */
export const plain = (text: string): string => text.replace(steering, '').toWellFormed();

export const inert = (text: string): string =>
  plain(text)
    // @name, #tag, $TAG; Telegram's tags may also begin with a non-joiner, a middle dot or a Sinhala sign
    .replace(/[@#$＃＠](?=[\p{L}\p{N}_\u200c\u00b7\u0d80-\u0dff])/gu, `$&${joiner}`)
    // example.com, with or without a scheme; also 10.0.0.1, but not a number such as 3.5
    .replace(/\.(?=\p{L})/gu, `.${joiner}`)
    .replace(/(?<=\d)\.(?=\d+\.\d)/g, `.${joiner}`)
    // any scheme, tg:// included
    .replace(/:(?=\/\/)/g, `:${joiner}`)
    // a /command at the beginning of a word
    .replace(/(?<![\p{L}\p{N}_/])\/(?=[A-Za-z0-9_])/gu, `/${joiner}`);
