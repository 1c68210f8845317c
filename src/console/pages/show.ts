import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { setPrivateCookie } from '../../sign-in/cookies.ts';
import type { Words } from '../../words/words.ts';
import { CONSOLE_PATH, type ConsoleEnv, layout, type Page } from '../frame/layout.ts';

export type ConsoleContext = Context<ConsoleEnv>;

/** Answers with a page in the console's frame. */
export const answerPage = (context: ConsoleContext, page: Page, status: 200 | 400 | 404 = 200) =>
  context.html(layout(page, context.get('viewer'), context.get('words')), status);

export function notFound(
  context: ConsoleContext,
  what: keyof Words['owner']['console']['failed']['missing'] = 'page',
) {
  const { failed } = context.get('words').owner.console;
  const body = html`<p>${failed.missing[what]}</p><p><a href="${CONSOLE_PATH}">${failed.toFirst}</a></p>`;
  return answerPage(context, { title: failed.notFound, body }, 404);
}

const DONE_COOKIE = 'darkroom-done';
const DONE_SECONDS = 60;

/** Stores the code of a confirmation in a cookie, so that the page at this path shows it once. */
export function tellDone(context: ConsoleContext, path: string, code: string): void {
  setPrivateCookie(context, DONE_COOKIE, code, DONE_SECONDS, path);
}

/** The confirmation to show, once. The cookie has only its code, so that no text from outside is shown. */
export function doneText(
  context: ConsoleContext,
  texts: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const code = getCookie(context, DONE_COOKIE) ?? '';
  if (code === '') return undefined;
  setPrivateCookie(context, DONE_COOKIE, '', 0, context.req.path);
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}
