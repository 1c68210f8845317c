import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Html } from '../console/frame/html.ts';
import { acceptedLanguage } from '../sign-in/accepted-language.ts';
import { LANGUAGES, type Language } from '../words/language.ts';
import { languageName, languageOf, languages, type Words } from '../words/words.ts';

/** The path under which the page is mounted. */
export const REMOVAL_PATH = '/removal';

/** The language of a visit. */
export interface Speech {
  readonly language: Language;
  readonly words: Words;
  /** The end of addresses that keep a language that was chosen. */
  readonly query: string;
}

/** The language that the address names, or else the browser's, or else the owner's. */
export function speechOf(context: Context, ownerLanguage: Language): Speech {
  const chosen = languageOf((context.req.query('language') ?? '').slice(0, 10));
  const language = chosen ?? acceptedLanguage(context) ?? ownerLanguage;
  return {
    language,
    words: languages[language],
    query: chosen === undefined ? '' : `?language=${chosen}`,
  };
}

/** Makes a whole page. `path`: its address, for the links to the other languages. */
export function publicPage(title: string, body: Html, { language, words }: Speech, path: string): Html {
  const said = words.removalPage;
  const link = (code: Language): Html =>
    html`<li><a href="${path}?language=${code}" lang="${code}" hreflang="${code}"${code === language ? html` aria-current="true"` : ''}>${languageName(code)}</a></li>`;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title} · Darkroom</title>
<link rel="icon" href="${REMOVAL_PATH}/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="${REMOVAL_PATH}/style.css"></head>
<body class="public"><a class="skip" href="#content">${said.skip}</a>
<header><div class="bar"><p class="brand"><img src="${REMOVAL_PATH}/icon.svg" alt="" width="28" height="28">Darkroom</p></div></header>
<main id="content" tabindex="-1"><h1>${title}</h1>
${body}</main>
<footer><nav aria-label="${said.languages}"><ul>${LANGUAGES.map(link)}</ul></nav></footer></body></html>`;
}
