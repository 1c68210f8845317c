import { html } from 'hono/html';
import type { Html } from '../frame/html.ts';
import type { Section } from '../frame/layout.ts';
import { type ConsoleContext, show } from './show.ts';

export interface Question {
  readonly section: Section;
  readonly title: string;
  /** What will happen. */
  readonly what: Html;
  readonly button: string;
  /** Where to go back to, and after it was done. */
  readonly back: string;
  /** Fields of the form that are sent again. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Asks once, then acts and goes back. `act` returns the code of what was done. */
export async function askOnce(
  context: ConsoleContext,
  { section, title, what, button, back, fields = {} }: Question,
  act: () => Promise<string>,
) {
  if (context.get('form').get('sure') === 'yes') {
    const done = await act();
    return context.redirect(`${back}?done=${done}`, 303);
  }
  const sent = { ...fields, token: context.get('viewer').token, sure: 'yes' };
  const body = html`<div class="card"><p>${what}</p>
<p class="quiet">It is written to the audit trail.</p>
<form method="post" action="${context.req.path}" class="pages">
${Object.entries(sent).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="main">${button}</button><a class="button" href="${back}">Do not</a></form></div>`;
  return show(context, { title, section, body });
}
