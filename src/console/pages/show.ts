import type { Context } from 'hono';
import { html } from 'hono/html';
import { layout, type Page, ROOT } from '../frame/layout.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';

export type ConsoleContext = Context<ConsoleEnv>;

export function show(context: ConsoleContext, page: Page, status: 200 | 400 | 404 = 200) {
  return context.html(layout(page, context.get('viewer')), status);
}

export function notFound(context: ConsoleContext, what = 'page') {
  const body = html`<p>There is no such ${what}, or not any more.</p><p><a href="${ROOT}">To the first page</a></p>`;
  return show(context, { title: 'Not found', body }, 404);
}

/** What an action has done, by the code in the address: no other text is shown. */
export function doneText(
  context: ConsoleContext,
  texts: Readonly<Record<string, string>>,
): { readonly done?: string } {
  const code = context.req.query('done') ?? '';
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined;
  return text === undefined ? {} : { done: text };
}
