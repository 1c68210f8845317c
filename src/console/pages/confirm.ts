import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Html, hiddenField } from '../frame/html.ts';
import type { ConsoleEnv, Section } from '../frame/layout.ts';
import { type ConsoleContext, notFound, show, tellDone } from './show.ts';

export interface Confirmation {
  readonly section: Section;
  readonly title: string;
  /** What will happen. */
  readonly what: Html;
  readonly button: string;
  /** Where to go back to, and after it was done. */
  readonly back: string;
  /** Where to go after it was done, if that is elsewhere. */
  readonly afterwards?: string;
  readonly act: () => Promise<unknown>;
  /** The code of what was done, for the page at `back`. */
  readonly done?: string;
}

/** What a form sent, by the names of its fields. */
export type Fields = Readonly<Record<string, string>>;

const LONGEST_FIELD = 200;
const sentFields = z.record(z.string(), z.string());

function fieldsIn(context: ConsoleContext): Fields | undefined {
  const hidden = context.req.query('with');
  if (hidden === undefined) return {};
  try {
    return sentFields.safeParse(JSON.parse(context.get('ids').find(hidden) ?? '')).data;
  } catch {
    return undefined;
  }
}

function ask({ section, title, what, button, back }: Confirmation, fields: Fields, context: ConsoleContext) {
  const sent = { ...fields, token: context.get('viewer').token, sure: 'yes' };
  const { frame } = context.get('words').owner.console;
  const body = html`<div class="card"><p>${what}</p>
<p class="quiet">${frame.audited}</p>
<form method="post" action="${context.req.path}" class="pages">
${Object.entries(sent).map(([name, value]) => hiddenField(name, value))}
<button class="main">${button}</button><a class="button" href="${back}">${frame.cancel}</a></form></div>`;
  return show(context, { title, section, body });
}

/**
 * An action that asks once, then acts and goes back. The question has an address of its own, with what was typed hidden in
 * it: going back in the browser shows it again, and sends nothing again. `prepare` answers by itself what cannot be done.
 */
export function addAction(
  app: Hono<ConsoleEnv>,
  path: string,
  names: readonly string[],
  prepare: (context: ConsoleContext, fields: Fields) => Promise<Confirmation | Response>,
): void {
  app.get(path, async (context) => {
    const fields = fieldsIn(context);
    if (fields === undefined) return notFound(context);
    const found = await prepare(context, fields);
    return found instanceof Response ? found : ask(found, fields, context);
  });
  app.post(path, async (context) => {
    const form = context.get('form');
    const fields = Object.fromEntries(
      names.map((name) => [name, (form.get(name) ?? '').trim().slice(0, LONGEST_FIELD)]),
    );
    const found = form.get('sure') === 'yes' ? await prepare(context, fields) : undefined;
    if (found !== undefined && !(found instanceof Response)) {
      await found.act();
      if (found.done !== undefined) tellDone(context, found.back, found.done);
      return context.redirect(found.afterwards ?? found.back, 303);
    }
    const query = names.length === 0 ? '' : `?with=${context.get('ids').hide(JSON.stringify(fields))}`;
    // As it was asked for: `req.path` is decoded.
    return context.redirect(`${new URL(context.req.url).pathname}${query}`, 303);
  });
}
