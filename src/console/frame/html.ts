import { html } from 'hono/html';

/** Escaped markup. */
export type Html = ReturnType<typeof html>;

const MOST_SHOWN = 300;

/** Control characters, and those that change the direction or the order of the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text from outside, bounded, apart from the text around it. */
export function foreign(text: string): Html {
  const plain = text.toWellFormed().replaceAll(UNSHOWABLE, '\ufffd');
  return html`<bdi>${plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN)}…` : plain}</bdi>`;
}
