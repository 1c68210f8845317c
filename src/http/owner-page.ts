import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { barChart } from './chart.ts';
import { ownerIcon, ownerStyle } from './owner-style.ts';

/** What the page shows. */
export interface OwnerFigures {
  readonly running: number;
  readonly waiting: number;
  /** The processes that share the store; none: there is only this one. `minutes`: since its start; undefined: it is dead. */
  readonly members: readonly {
    readonly name: string;
    readonly version: string;
    readonly minutes: number | undefined;
    readonly load: string;
    readonly holds: string;
  }[];
  /** The two groups of endpoints, and why calls to one are suspended. */
  readonly service: readonly { readonly name: string; readonly trouble: string | undefined }[];
  readonly platforms: readonly { readonly name: string; readonly trouble: string | undefined }[];
  /** One value per minute of the last hour. */
  readonly series: readonly {
    readonly title: string;
    readonly unit: string;
    readonly values: readonly number[];
  }[];
  readonly errors: readonly { readonly what: string; readonly count: number }[];
  readonly communities: readonly { readonly community: string; readonly credits: number }[];
}

export interface OwnerPageOptions {
  /** Checks a password, more slowly after wrong ones. Undefined: no password is needed. */
  readonly signIn: ((password: string, from: Context) => Promise<'right' | 'wrong' | 'wait'>) | undefined;
  figures(): Promise<OwnerFigures>;
}

/** The password in an `Authorization: Basic` header; the user name does not matter. */
function passwordIn(header: string | undefined): string | undefined {
  const given = /^Basic ([A-Za-z0-9+/=]{1,2000})$/.exec(header ?? '')?.[1];
  if (given === undefined) return undefined;
  const text = Buffer.from(given, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

function isEmbedded(context: Context): boolean {
  const site = context.req.header('sec-fetch-site') ?? 'none';
  return site !== 'none' && site !== 'same-origin' && context.req.header('sec-fetch-mode') !== 'navigate';
}

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function table(head: readonly [string, string], rows: readonly (readonly [string, string | number])[]) {
  return rows.length === 0
    ? html`<p class="none">Nothing yet.</p>`
    : html`<table><thead><tr><th scope="col">${head[0]}</th><th scope="col">${head[1]}</th></tr></thead>
        <tbody>${rows.map(([name, value]) => html`<tr><td>${name}</td><td>${value}</td></tr>`)}</tbody></table>`;
}

function memberTable(members: OwnerFigures['members']) {
  if (members.length === 0) return '';
  const row = ({ name, version, minutes, load, holds }: OwnerFigures['members'][number]) =>
    html`<tr><td>${name}</td><td>${version}</td><td>${minutes === undefined ? 'dead' : `${minutes} min`}</td>
      <td>${load}</td><td>${holds}</td></tr>`;
  return html`<section><h2>Processes</h2><table><thead><tr>${[
    'Process',
    'Version',
    'Up',
    'Doing',
    'Holds',
  ].map(
    (name) => html`<th scope="col">${name}</th>`,
  )}</tr></thead><tbody>${members.map(row)}</tbody></table></section>`;
}

function tile(name: string, how: string, isWell: boolean) {
  return html`<p class="${isWell ? 'ok' : 'bad'}"><b>${name}</b> ${how}</p>`;
}

function page(figures: OwnerFigures) {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10"><title>Darkroom: owner</title>
<link rel="icon" href="/owner/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/owner/style.css"></head>
<body><main>
<h1>Darkroom</h1>
<section aria-label="Now" class="tiles">
  <p><b>${figures.running}</b> running</p>
  <p><b>${figures.waiting}</b> waiting</p>
  ${figures.service.map(({ name, trouble }) => tile(name, trouble ?? 'working', trouble === undefined))}
  ${figures.platforms.map(({ name, trouble }) => tile(name, trouble ?? 'connected', trouble === undefined))}
</section>
${memberTable(figures.members)}
<section><h2>Last hour, per minute</h2><div class="charts">
  ${figures.series.map(({ title, unit, values }) => html`<figure><figcaption>${title}</figcaption>${barChart(title, unit, values)}</figure>`)}
</div></section>
<section><h2>Errors by endpoint</h2>${table(
    ['Call', 'Count'],
    figures.errors.map((row) => [row.what, row.count] as const),
  )}</section>
<section><h2>Credits by community</h2>${table(
    ['Community', 'Credits'],
    figures.communities.map((row) => [row.community, row.credits] as const),
  )}</section>
<p class="none">All of the last hour. The same figures for machines: <a href="/metrics">/metrics</a>.</p>
</main></body></html>`;
}

/** The owner's read-only view of the running program: rendered here, without scripts. */
export function createOwnerPage({ signIn, figures }: OwnerPageOptions): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    context.header('content-security-policy', POLICY);
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
    context.header('cross-origin-resource-policy', 'same-origin');
    // Another site may link here, but must not guess passwords through a visitor's browser.
    if (isEmbedded(context)) return context.text('Open this page directly, not from another site.', 403);
    const typed = passwordIn(context.req.header('authorization'));
    // A browser's first request has no password: it does not count as an attempt.
    const verdict = typed === undefined ? 'wrong' : await signIn?.(typed, context);
    if (signIn !== undefined && verdict === 'wait')
      return context.text('Too many attempts. Wait a moment.', 429, { 'retry-after': '5' });
    if (signIn !== undefined && verdict === 'wrong') {
      context.header('www-authenticate', 'Basic realm="Darkroom owner", charset="UTF-8"');
      return context.text('The password is PLAYGROUND_PASSWORD; any user name will do.', 401);
    }
    await next();
    return undefined;
  });
  app.get('/', async (context) => context.html(page(await figures())));
  app.get('/style.css', (context) =>
    context.body(ownerStyle, 200, { 'content-type': 'text/css; charset=utf-8' }),
  );
  app.get('/icon.svg', (context) => context.body(ownerIcon, 200, { 'content-type': 'image/svg+xml' }));
  return app;
}
