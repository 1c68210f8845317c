import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { Html } from './html.ts';
import { bareLayout, ROOT } from './layout.ts';

const REPEATED = html`<p>After an action, look whether it was done before you repeat it.</p>
<p><a href="${ROOT}">Open the console</a></p>`;
const BODY = html`<p>Something went wrong. The log has the reason, and <a href="/readyz">/readyz</a> says what is not ready.</p>${REPEATED}`;

const awayBody = (trouble: string): Html =>
  html`<p role="alert">The store cannot be used: ${trouble}</p>${REPEATED}`;

/** A page in place of the server's own answer, which is for programs. The server has logged the error. */
export function failedPage(storeTrouble: () => Promise<string | undefined>): MiddlewareHandler {
  return async (context, next) => {
    await next();
    if (context.error === undefined || context.error instanceof HTTPException) return;
    const trouble = await storeTrouble();
    context.res =
      trouble === undefined
        ? await context.html(bareLayout('This cannot be shown now', BODY), 500)
        : await context.html(bareLayout('The store cannot be reached', awayBody(trouble)), 503);
  };
}
