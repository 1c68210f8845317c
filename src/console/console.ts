/**
 * The owner's console at `/owner`. A request passes the guard (`sign-in/`), then one of the `pages/`, which put their
 * content into the frame (`frame/`) and draw charts as SVG (`charts/`). Begin with `createConsole` below.
 */

import { readFileSync } from 'node:fs';
import { Hono, type MiddlewareHandler } from 'hono';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import type { Records } from '../base/keyv/records.ts';
import { acceptedLanguage } from '../sign-in/accepted-language.ts';
import { policyWith, secureHeaders } from '../sign-in/security-headers.ts';
import type { Language } from '../words/language.ts';
import type { Price } from '../words/money.ts';
import { languages } from '../words/words.ts';
import { fill, inEnglish } from './frame/html.ts';
import { bareLayout, CONSOLE_PATH, type ConsoleEnv } from './frame/layout.ts';
import { createCampaignsPage } from './pages/campaigns.ts';
import { createCommunityPages } from './pages/communities.ts';
import type { CommunityData } from './pages/community-data.ts';
import { createFiguresPage, type FiguresPageDependencies } from './pages/figures.ts';
import { createJobsPages, type JobsPageDependencies } from './pages/jobs.ts';
import { createMonthsPage, type MonthsPageDependencies } from './pages/months.ts';
import { createNowPage, type ProgramState } from './pages/now.ts';
import { createRemovalsPage, type RemovalsPageDependencies } from './pages/removals.ts';
import { createSessionsPage, type SessionsPageDependencies } from './pages/sessions.ts';
import { notFound } from './pages/show.ts';
import { createFormSecrets } from './sign-in/form-secrets.ts';
import { askToSignIn, createGuard, originOf, ownSiteOnly, type TryPassword } from './sign-in/guard.ts';
import { createOwnerSessions } from './sign-in/sessions.ts';
import { ALL_ENDED, consoleAddress } from './sign-in/sign-in-page.ts';

/** The content security policy of the console, whose scripts fetch nothing. */
const POLICY = policyWith("img-src 'self'");

/** Middleware that chooses the language (the browser's, or the owner's if we do not support that) and says what a credit costs. */
const chooseWords =
  (ownerLanguage: Language, price: Price | undefined): MiddlewareHandler<ConsoleEnv> =>
  (context, next) => {
    context.set('price', price);
    context.set('words', languages[acceptedLanguage(context) ?? ownerLanguage]);
    return next();
  };

/** Middleware that sets the headers of every answer, errors included. */
const consoleHeaders: MiddlewareHandler = (context, next) =>
  secureHeaders(context, async () => {
    await next();
    const { headers } = context.res;
    headers.set('content-security-policy', POLICY);
    headers.set('cache-control', 'no-store');
  });

/** Middleware that shows a page for an error, whose plain answer would be for programs. The server has logged the error. */
function failedPage(storeTrouble: () => Promise<string | undefined>): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    await next();
    if (context.error === undefined || context.error instanceof HTTPException) return;
    const trouble = await storeTrouble();
    const words = context.get('words');
    const { failed: said } = words.owner.console;
    const repeated = html`<p>${said.repeated}</p>
<p><a href="${CONSOLE_PATH}">${said.open}</a></p>`;
    const readyz = html`<a href="/readyz">/readyz</a>`;
    if (trouble === undefined) {
      const text = html`<p>${fill(said.text, { readyz })}</p>`;
      context.res = await context.html(bareLayout(said.title, html`${text}${repeated}`, words), 500);
      return;
    }
    const text = html`<p role="alert">${fill(said.store, { why: inEnglish(trouble) })}</p>`;
    context.res = await context.html(bareLayout(said.storeTitle, html`${text}${repeated}`, words), 503);
  };
}

/** The files that pages load, with their types. They are served as they are, without a build. */
const FILES = {
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'charts.js': 'text/javascript; charset=utf-8',
};

/** The parts of the program from which the console is made. */
export interface ConsoleDependencies {
  /** The owner's password; undefined if none is needed. */
  readonly password: { readonly text: string; readonly try: TryPassword } | undefined;
  readonly state: Records;
  readonly now: () => number;
  readonly ownerLanguage: Language;
  /** Why the store cannot be used at this moment, if so. */
  readonly storeTrouble: () => Promise<string | undefined>;
  readonly present: () => Promise<ProgramState>;
  /** What a credit costs the owner. */
  readonly price: Price | undefined;
  readonly figures: FiguresPageDependencies;
  readonly months: MonthsPageDependencies;
  readonly jobs: JobsPageDependencies;
  readonly communities: CommunityData;
  readonly removals: Omit<RemovalsPageDependencies, 'now'>;
  readonly audited: SessionsPageDependencies['audited'];
}

/** Makes the routes of the owner's pages, to be mounted at `CONSOLE_PATH`. All pages work without scripts. */
export function createConsole(parts: ConsoleDependencies): Hono {
  const { password, state, now } = parts;
  const sessions = password && createOwnerSessions(state, password.text, now);
  const { guard, begin, isSignedIn, typedPassword } = createGuard(
    createFormSecrets(state),
    password && sessions && { try: password.try, sessions },
  );

  const app = new Hono<ConsoleEnv>();
  app.use(
    chooseWords(parts.ownerLanguage, parts.price),
    consoleHeaders,
    failedPage(parts.storeTrouble),
    ownSiteOnly,
  );
  for (const [name, type] of Object.entries(FILES)) {
    const text = readFileSync(new URL(`./page/${name}`, import.meta.url), 'utf8');
    app.get(`/${name}`, (context) => context.body(text, 200, { 'content-type': type }));
  }
  app.post('/sign-in', async (context) => {
    if (password === undefined || sessions === undefined) return context.redirect(CONSOLE_PATH, 303);
    const { password: typed, next } = await typedPassword(context);
    const verdict = typed === undefined ? 'wrong' : await password.try(typed, context);
    if (verdict !== 'right') return askToSignIn(context, verdict, next);
    await begin(context, await sessions.open(originOf(context)));
    return context.redirect(next, 303);
  });
  app.get('/sign-in', async (context) => {
    const next = consoleAddress(context.req.query('next'));
    if (password === undefined || (await isSignedIn(context))) return context.redirect(next, 303);
    return askToSignIn(context, context.req.query('notice') === ALL_ENDED ? ALL_ENDED : undefined, next);
  });

  const pages = new Hono<ConsoleEnv>();
  pages.use(guard);
  pages.route('/', createNowPage(parts.present));
  pages.route('/figures', createFiguresPage(parts.figures, now));
  pages.route('/months', createMonthsPage(parts.months));
  pages.route('/jobs', createJobsPages(parts.jobs));
  pages.route('/communities', createCommunityPages(parts.communities));
  pages.route('/campaigns', createCampaignsPage(parts.communities));
  pages.route('/removals', createRemovalsPage({ ...parts.removals, now }));
  pages.route('/sessions', createSessionsPage({ sessions, audited: parts.audited }));
  pages.post('/sign-out', async (context) => {
    const session = context.get('session');
    if (session !== undefined) await sessions?.end(session.key);
    return context.redirect(CONSOLE_PATH, 303);
  });
  pages.all('*', (context) => notFound(context));
  app.route('/', pages);
  return new Hono().route('/', app);
}
