import { html } from 'hono/html';
import type { Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';
import type { HiddenIds } from './hidden-ids.ts';
import { type Html, hiddenField } from './html.ts';

/** The paths of the pages in the navigation. */
const SECTIONS = [
  '',
  'figures',
  'months',
  'jobs',
  'communities',
  'campaigns',
  'removals',
  'sessions',
] as const;
export type Section = (typeof SECTIONS)[number];

/** The path under which the console is mounted. */
export const CONSOLE_PATH = '/owner';

/** The content of one page, around which `layout` puts the frame. */
export interface Page {
  readonly title: string;
  readonly section?: Section;
  /** The confirmation of an action that has just been done. */
  readonly done?: string | undefined;
  readonly body: Html;
  readonly hasCharts?: true;
  /** The number of seconds after which the browser reloads the page. */
  readonly again?: number | undefined;
}

/** The visitor of a page. */
export interface Viewer {
  /** The CSRF token, which forms must send. */
  readonly token: string;
  /** Whether there is a session that can be ended. */
  readonly isSignedIn: boolean;
}

/** The variables of Hono's context, which middleware sets before a page is made. */
export interface ConsoleEnv {
  Variables: {
    readonly words: Words;
    /** What a credit costs the owner; undefined: money is not shown. */
    readonly price: Price | undefined;
    readonly viewer: Viewer;
    /** The session; undefined without a password, or if the password came with the request. */
    readonly session: { readonly key: string } | undefined;
    readonly ids: HiddenIds;
    /** The fields that a form sent, and the file that was sent with them. */
    readonly form: URLSearchParams;
    readonly upload: Uint8Array | undefined;
  };
}

function head(title: string, again?: number, hasCharts = false): Html {
  return html`<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
${again === undefined ? '' : html`<meta http-equiv="refresh" content="${again}">`}<title>${title} · Darkroom</title>
<link rel="icon" href="${CONSOLE_PATH}/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="${CONSOLE_PATH}/style.css">${hasCharts ? html`<script src="${CONSOLE_PATH}/charts.js" defer></script>` : ''}</head>`;
}

function navigation(section: Section | undefined, { token, isSignedIn }: Viewer, words: Words): Html {
  const { sections, frame } = words.owner.console;
  const link = (path: Section) =>
    html`<li><a href="${path === '' ? CONSOLE_PATH : `${CONSOLE_PATH}/${path}`}"${path === section ? html` aria-current="page"` : ''}>${sections[path]}</a></li>`;
  return html`<header><div class="bar"><p class="brand"><img src="${CONSOLE_PATH}/icon.svg" alt="" width="28" height="28">Darkroom</p>
<nav aria-label="${frame.navigation}"><ul>${SECTIONS.map(link)}</ul></nav>
${isSignedIn ? html`<form method="post" action="${CONSOLE_PATH}/sign-out">${hiddenField('token', token)}<button class="plain">${frame.signOut}</button></form>` : ''}
</div></header>`;
}

/** Makes a whole page with navigation. */
export function layout(
  { title, section, done, body, again, hasCharts }: Page,
  viewer: Viewer,
  words: Words,
): Html {
  const { frame } = words.owner.console;
  return html`<!doctype html>
<html lang="${words.language}">${head(title, again, hasCharts)}
<body><a class="skip" href="#content">${frame.skip}</a>
${navigation(section, viewer, words)}
<main id="content" tabindex="-1"><h1>${title}</h1>
${done === undefined ? '' : html`<p class="done" role="status">${done}</p>`}
${body}</main>
<footer><p class="quiet">${frame.utc}</p></footer></body></html>`;
}

/** Makes a page without navigation, for visitors who are not signed in. */
export function bareLayout(title: string, body: Html, words: Words): Html {
  return html`<!doctype html>
<html lang="${words.language}">${head(title)}
<body class="bare"><main><img src="${CONSOLE_PATH}/icon.svg" alt="" width="56" height="56"><h1>${title}</h1>${body}</main></body></html>`;
}
