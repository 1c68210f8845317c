import { html } from 'hono/html';
import type { Words } from '../../words/words.ts';
import type { Html } from '../frame/html.ts';
import { bareLayout, CONSOLE_PATH } from '../frame/layout.ts';

/** The notice that the sign-in page shows. */
export type SignInNotice = keyof Words['owner']['console']['signIn']['notices'];

const PATH = `${CONSOLE_PATH}/sign-in`;
export const ALL_ENDED = 'all-ended' satisfies SignInNotice;
const LONGEST_ADDRESS = 3_000;

/** Checks the page to show after signing in; anything but a page of the console becomes the first page. */
export function consoleAddress(given: string | undefined): string {
  const text = given ?? '';
  const isOwn = text.length <= LONGEST_ADDRESS && /^\/owner(?:[/?][\w/?&=%.:~+-]*)?$/.test(text);
  return isOwn && !text.includes('..') && !text.startsWith(`${CONSOLE_PATH}/sign-`) ? text : CONSOLE_PATH;
}

/**
 * The URL of the sign-in page after all sessions were ended. Other notices need no URL: they are shown in place of the
 * requested page.
 */
export const allEndedPath = (next: string): string =>
  `${PATH}?${new URLSearchParams({ notice: ALL_ENDED, next })}`;

function noticeText(notice: SignInNotice, words: Words): Html {
  const text = words.owner.console.signIn.notices[notice];
  if (notice === ALL_ENDED) return html`<p class="done" role="status">${text}</p>`;
  return html`<p class="problem" role="alert">${text}</p>`;
}

/** Makes the page that asks for the password. */
export function signInPage(notice: SignInNotice | undefined, next: string, words: Words): Html {
  const { signIn } = words.owner.console;
  const told = notice === undefined ? '' : noticeText(notice, words);
  return bareLayout(
    signIn.title,
    html`<form method="post" action="${PATH}">
${told}
<input type="hidden" name="next" value="${next}">
<input type="text" name="username" value="owner" autocomplete="username" hidden>
<label class="field"><span>${signIn.password}</span>
<input type="password" name="password" autocomplete="current-password" required autofocus></label>
<button class="main">${signIn.button}</button></form>`,
    words,
  );
}
