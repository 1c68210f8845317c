import type { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { type Html, hiddenField } from '../frame/html.ts';
import type { ConsoleEnv, Section } from '../frame/layout.ts';
import { answerPage, type ConsoleContext, notFound, tellDone } from './show.ts';

/** The question that an action asks before it is done. */
export interface Confirmation {
  readonly section: Section;
  readonly title: string;
  /** The description of what will happen. */
  readonly what: Html;
  readonly button: string;
  /** The page to go back to, and to show after the action. */
  readonly back: string;
  /** The page to show after the action, if that is another one. */
  readonly afterwards?: string;
  readonly act: () => Promise<unknown>;
  /** The code of the confirmation that the page at `back` shows; a function is called after `act`. */
  readonly done?: string | (() => string);
}

/** The values that a form sent, by the names of its fields. */
export type FormFields = Readonly<Record<string, string>>;

/** With encrypted values of this length an address is still short enough (`frame/hidden-ids.ts`). */
const LONGEST_FIELD = 400;
/** A list of ids, whose letters take one byte each. */
const LONGEST_LIST = 1_200;
const sentFields = z.record(z.string(), z.string());

function fieldsIn(context: ConsoleContext): FormFields | undefined {
  const hidden = context.req.query('with');
  if (hidden === undefined) return {};
  try {
    return sentFields.safeParse(JSON.parse(context.get('ids').find(hidden) ?? '')).data;
  } catch {
    return undefined;
  }
}

function ask(
  { section, title, what, button, back }: Confirmation,
  fields: FormFields,
  context: ConsoleContext,
) {
  const sent = { ...fields, token: context.get('viewer').token, sure: 'yes' };
  const { frame } = context.get('words').owner.console;
  const body = html`<div class="card"><p>${what}</p>
<p class="quiet">${frame.audited}</p>
<form method="post" action="${context.req.path}" class="pages">
${Object.entries(sent).map(([name, value]) => hiddenField(name, value))}
<button class="main">${button}</button><a class="button" href="${back}">${frame.cancel}</a></form></div>`;
  return answerPage(context, { title, section, body });
}

/**
 * Adds an action that asks for confirmation, then acts and redirects. The question has a URL of its own, which contains the
 * typed values encrypted, so that going back in the browser shows it again and sends nothing again. `prepare` returns the
 * answer for an action that cannot be done. `list`: the name of a field that a form has several times, such as a checkbox in each row;
 * the values have no spaces, and arrive as one text with spaces between them.
 */
export function addAction(
  app: Hono<ConsoleEnv>,
  path: string,
  names: readonly string[],
  prepare: (context: ConsoleContext, fields: FormFields) => Promise<Confirmation | Response>,
  list?: string,
): void {
  const sentIn = (form: URLSearchParams): FormFields => {
    const typed = names.map((name) => [name, (form.get(name) ?? '').trim().slice(0, LONGEST_FIELD)]);
    const chosen = list === undefined ? [] : [[list, form.getAll(list).join(' ').slice(0, LONGEST_LIST)]];
    return Object.fromEntries([...typed, ...chosen]);
  };
  app.get(path, async (context) => {
    const fields = fieldsIn(context);
    if (fields === undefined) return notFound(context);
    const found = await prepare(context, fields);
    return found instanceof Response ? found : ask(found, fields, context);
  });
  app.post(path, async (context) => {
    const form = context.get('form');
    const fields = sentIn(form);
    const found = form.get('sure') === 'yes' ? await prepare(context, fields) : undefined;
    if (found !== undefined && !(found instanceof Response)) {
      await found.act();
      const done = typeof found.done === 'function' ? found.done() : found.done;
      if (done !== undefined) tellDone(context, found.back, done);
      return context.redirect(found.afterwards ?? found.back, 303);
    }
    const query =
      Object.keys(fields).length === 0 ? '' : `?with=${context.get('ids').hide(JSON.stringify(fields))}`;
    // The path is taken from the URL, because `req.path` is decoded.
    return context.redirect(`${new URL(context.req.url).pathname}${query}`, 303);
  });
}
