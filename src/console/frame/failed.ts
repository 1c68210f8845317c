import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { bareLayout, type ConsoleEnv, ROOT } from './layout.ts';
import { fill, inEnglish } from './words.ts';

/** A page in place of the server's own answer, which is for programs. The server has logged the error. */
export function failedPage(storeTrouble: () => Promise<string | undefined>): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    await next();
    if (context.error === undefined || context.error instanceof HTTPException) return;
    const trouble = await storeTrouble();
    const words = context.get('words');
    const { failed: said } = words.owner.console;
    const repeated = html`<p>${said.repeated}</p>
<p><a href="${ROOT}">${said.open}</a></p>`;
    const readyz = html`<a href="/readyz">/readyz</a>`;
    context.res =
      trouble === undefined
        ? await context.html(
            bareLayout(said.title, html`<p>${fill(said.text, { readyz })}</p>${repeated}`, words),
            500,
          )
        : await context.html(
            bareLayout(
              said.storeTitle,
              html`<p role="alert">${fill(said.store, { why: inEnglish(trouble) })}</p>${repeated}`,
              words,
            ),
            503,
          );
  };
}
