import { html } from 'hono/html';
import type { Html } from '../frame/html.ts';
import { bareLayout, ROOT } from '../frame/layout.ts';

const NOTICES = {
  wrong: 'That is not the password.',
  wait: 'Too many attempts. Wait a moment, then try again.',
  ended: 'Your session has ended, so nothing was done. Sign in, then do it again.',
  'all-ended': 'All sessions were ended.',
} as const;
/** Why one has to sign in. */
export type Notice = keyof typeof NOTICES;

const PATH = `${ROOT}/sign-in`;
export const ALL_ENDED = 'all-ended' satisfies Notice;
const LONGEST_ADDRESS = 3_000;

/** A page of the console, to go to after signing in; whatever else is given leads to the first one. */
export function ownAddress(given: string | undefined): string {
  const text = given ?? '';
  const isOwn = text.length <= LONGEST_ADDRESS && /^\/owner(?:[/?][\w/?&=%.:~+-]*)?$/.test(text);
  return isOwn && !text.includes('..') && !text.startsWith(`${ROOT}/sign-`) ? text : ROOT;
}

/** After all sessions were ended. All other notices are shown in place of the page that was asked for. */
export function allEndedPath(next: string): string {
  return `${PATH}?${new URLSearchParams({ notice: ALL_ENDED, next })}`;
}

export function signInPage(notice: Notice | undefined, next: string): Html {
  const told =
    notice === undefined
      ? ''
      : notice === ALL_ENDED
        ? html`<p class="done" role="status">${NOTICES[notice]}</p>`
        : html`<p class="problem" role="alert">${NOTICES[notice]}</p>`;
  return bareLayout(
    'Darkroom console',
    html`<form method="post" action="${PATH}">
${told}
<input type="hidden" name="next" value="${next}">
<input type="text" name="username" value="owner" autocomplete="username" hidden>
<label class="field"><span>Password (PLAYGROUND_PASSWORD)</span>
<input type="password" name="password" autocomplete="current-password" required autofocus></label>
<button class="main">Sign in</button></form>`,
  );
}
