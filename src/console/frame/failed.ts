import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { bareLayout, ROOT } from './layout.ts';

const BODY = html`<p>Something went wrong, perhaps because the store is away. The log has the reason, and <a href="/readyz">/readyz</a> says what is not ready.</p>
<p>After an action, look whether it was done before you repeat it.</p>
<p><a href="${ROOT}">Open the console</a></p>`;

/** A page in place of the server's own answer, which is for programs. The server has logged the error. */
export const failedPage: MiddlewareHandler = async (context, next) => {
  await next();
  if (context.error === undefined || context.error instanceof HTTPException) return;
  context.res = await context.html(bareLayout('This cannot be shown now', BODY), 500);
};
