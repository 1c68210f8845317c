import { Hono } from 'hono';
import { html } from 'hono/html';
import { barList } from '../charts/bar-list.ts';
import { plot } from '../charts/plot.ts';
import { numberText } from '../charts/scale.ts';
import { timeline } from '../charts/timeline.ts';
import { foreign, type Html } from '../frame/html.ts';
import { ROOT } from '../frame/layout.ts';
import { table } from '../frame/table.ts';
import { duration, time, timeText } from '../frame/times.ts';
import type { ConsoleEnv } from '../sign-in/guard.ts';
import { type Ceilings, creditCharts } from './credit-charts.ts';
import { show } from './show.ts';
import { type Counts, type Percentiles, RANGES, type Range, type ShownFigures } from './shown-figures.ts';

export interface FiguresParts extends Ceilings {
  readonly read: (range: Range) => Promise<ShownFigures>;
}

const PATH = `${ROOT}/figures`;

const OUTAGES: Readonly<Record<string, string>> = {
  'service-key': 'Service: pictures',
  'service-token': 'Service: videos',
  store: 'Store',
};
const REASONS: Readonly<Record<string, string>> = {
  unavailable: 'not answering',
  credits: 'out of credits',
  credentials: 'credentials refused',
  address: 'GENERATION_URL redirects',
};

const known = (texts: Readonly<Record<string, string>>, name: string): string =>
  (Object.hasOwn(texts, name) ? texts[name] : undefined) ?? name;

function ranges(range: Range): Html {
  const link = (each: Range): Html =>
    html`<li><a href="${PATH}?range=${each}"${each === range ? html` aria-current="true"` : ''}>Last ${each}</a></li>`;
  return html`<nav aria-label="Range"><ul class="ranges">${RANGES.map(link)}</ul></nav>`;
}

function percentiles(of: Percentiles | undefined): string {
  return of === undefined ? 'none' : `${duration(of.p50)} / ${duration(of.p95)}`;
}

function sums({ total, credits }: ShownFigures): Html {
  const tile = (value: string, name: string, kind = ''): Html =>
    html`<li class="${kind}"><b>${value}</b><span>${name}</span></li>`;
  return html`<ul class="tiles">${tile(numberText(total.done), total.done === 1 ? 'job done' : 'jobs done')}${tile(numberText(total.failed), 'failed')}
${tile(numberText(total.cancelled), 'cancelled')}${tile(percentiles(total.tookMs), 'to the result, p50 / p95', 'word')}
${tile(percentiles(total.unseenMs), 'seen late by at most, p50 / p95', 'word')}
${tile(total.statusCallsPerJob === undefined ? 'none' : numberText(total.statusCallsPerJob), 'status calls a job')}
${tile(numberText(credits.total), credits.total === 1 ? 'credit' : 'credits')}</ul>`;
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

function jobCharts({ from, stepMs, points }: ShownFigures): Html {
  const series = (name: string, value: (point: Counts) => number | undefined) => ({
    name,
    values: points.map(value),
  });
  const common = { from, stepMs };
  const times = (title: string, of: (point: Counts) => Percentiles | undefined): Html =>
    plot({
      ...common,
      title,
      unit: 's',
      kind: 'lines',
      series: [
        series('p50', (point) => seconds(of(point)?.p50)),
        series('p95', (point) => seconds(of(point)?.p95)),
      ],
    });
  return html`<div class="charts">${plot({
    ...common,
    title: 'Jobs',
    unit: 'jobs',
    kind: 'bars',
    series: [
      series('done', ({ done }) => done),
      series('failed', ({ failed }) => failed),
      series('cancelled', ({ cancelled }) => cancelled),
    ],
  })}
${times('Time to the result', ({ tookMs }) => tookMs)}
${times('How late a result was seen, at most', ({ unseenMs }) => unseenMs)}
${plot({
  ...common,
  title: 'Status calls a job',
  unit: 'calls',
  one: 'call',
  kind: 'lines',
  series: [series('calls', ({ statusCallsPerJob }) => statusCallsPerJob)],
})}</div>`;
}

function reasonOf({ what, reason }: ShownFigures['outages'][number]): string {
  if (reason !== undefined) return known(REASONS, reason);
  return what === 'store' ? 'cannot be used' : 'not connected';
}

function outageSection({ outages, from, until }: ShownFigures): Html {
  if (outages.length === 0) return html`<p class="quiet">None was seen.</p>`;
  const spans = outages.map((outage) => ({
    row: known(OUTAGES, outage.what),
    text: reasonOf(outage),
    from: outage.from,
    until: outage.until,
  }));
  const rows = outages.map((outage, index) => [
    spans[index]?.row ?? '',
    time(outage.from),
    outage.isOver ? time(outage.until) : 'not over',
    duration(outage.until - outage.from),
    spans[index]?.text ?? '',
  ]);
  return html`<figure class="card">${timeline('Outages', from, until, spans)}<details><summary>Table</summary>${table(
    'Outages, table',
    ['What', 'From', 'Until', 'For', 'Why'].map((name) => ({ name })),
    rows,
  )}</details></figure>`;
}

const KIND_COLUMNS = [
  { name: 'Kind' },
  { name: 'Done', isNumber: true },
  { name: 'Failed', isNumber: true },
] as const;

export function createFiguresPage(parts: FiguresParts, now: () => number) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const range = RANGES.find((each) => each === context.req.query('range')) ?? 'day';
    const figures = await parts.read(range);
    const { total } = figures;
    const body = html`${ranges(range)}
<p class="quiet">${timeText(figures.from)} to now (${timeText(now())})</p>${sums(figures)}
<h2>Jobs</h2>${jobCharts(figures)}
<div class="charts below"><div class="card"><h3>Failures by reason</h3>${barList(
      'Reason',
      'Jobs',
      total.reasons.map(({ reason, count }) => ({ name: foreign(reason), value: count })),
    )}</div>
<div class="card"><h3>Jobs by kind</h3>${table(
      'Jobs by kind',
      KIND_COLUMNS,
      total.kinds.map(({ kind, done, failed }) => [foreign(kind), numberText(done), numberText(failed)]),
    )}</div>
<div class="card"><h3>Failed calls to the service</h3>${barList(
      'Call',
      'Times',
      total.errors.map(({ what, count }) => ({ name: foreign(what), value: count })),
    )}</div>
<div class="card"><h3>Results that a platform refused</h3>${barList(
      'Platform',
      'Times',
      total.refused.map(({ what, count }) => ({ name: foreign(what), value: count })),
    )}</div></div>
<h2>Credits</h2>${creditCharts(figures, parts, context.get('ids'))}
<h2>Outages</h2>${outageSection(figures)}`;
    return show(context, { title: 'Figures', section: 'figures', hasCharts: true, body });
  });
  return app;
}
