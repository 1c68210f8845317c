import { html } from 'hono/html';
import type { Words } from '../../words/words.ts';
import type { Html } from '../frame/html.ts';
import { bareLayout, ROOT } from '../frame/layout.ts';

/** Why one has to sign in. */
export type Notice = keyof Words['owner']['console']['signIn']['notices'];

const PATH = `${ROOT}/sign-in`;
export const ALL_ENDED = 'all-ended' satisfies Notice;
const LONGEST_ADDRESS = 3_000;

/** A page of the console, to go to after signing in; any other text leads to the first one. */
export function ownAddress(given: string | undefined): string {
  const text = given ?? '';
  const isOwn = text.length <= LONGEST_ADDRESS && /^\/owner(?:[/?][\w/?&=%.:~+-]*)?$/.test(text);
  return isOwn && !text.includes('..') && !text.startsWith(`${ROOT}/sign-`) ? text : ROOT;
}

/** After all sessions were ended. All other notices are shown in place of the page that was asked for. */
export const allEndedPath = (next: string): string =>
  `${PATH}?${new URLSearchParams({ notice: ALL_ENDED, next })}`;

export function signInPage(notice: Notice | undefined, next: string, words: Words): Html {
  const { signIn } = words.owner.console;
  const told =
    notice === undefined
      ? ''
      : notice === ALL_ENDED
        ? html`<p class="done" role="status">${signIn.notices[notice]}</p>`
        : html`<p class="problem" role="alert">${signIn.notices[notice]}</p>`;
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
