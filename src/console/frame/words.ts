import type { MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { acceptedLanguage } from '../../adapters/web/visitors/request-session.ts';
import { type Language, languages } from '../../words/words.ts';
import type { Html } from './html.ts';
import type { ConsoleEnv } from './layout.ts';

/** The browser's language; where we do not speak it, the owner's. */
export function chooseWords(ownerLanguage: Language): MiddlewareHandler<ConsoleEnv> {
  return (context, next) => {
    context.set('words', languages[acceptedLanguage(context) ?? ownerLanguage]);
    return next();
  };
}

/** A text with its `{name}`s filled in. */
export const fill = (text: string, parts: Readonly<Record<string, Html | string | number>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (parts[piece] ?? '')))}`;

/** The same for titles and attributes. */
export const fillText = (text: string, parts: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ''));

/** What the log and /readyz say, too, which is in English. */
export const inEnglish = (text: string): Html => html`<span lang="en">${text}</span>`;
