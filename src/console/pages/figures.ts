import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Words } from '../../words/words.ts';
import { barList } from '../charts/bar-list.ts';
import { plot } from '../charts/plot.ts';
import { numberText } from '../charts/scale.ts';
import { timeline } from '../charts/timeline.ts';
import { foreign, type Html } from '../frame/html.ts';
import { type ConsoleEnv, ROOT } from '../frame/layout.ts';
import { type TableColumn, table } from '../frame/table.ts';
import { durationText, time, timeText } from '../frame/times.ts';
import { fillText } from '../frame/words.ts';
import { type Ceilings, creditCharts } from './credit-charts.ts';
import { show } from './show.ts';
import { type Counts, type Percentiles, RANGES, type Range, type ShownFigures } from './shown-figures.ts';

export interface FiguresPageParts extends Ceilings {
  readonly read: (range: Range) => Promise<ShownFigures>;
}

const PATH = `${ROOT}/figures`;

/** The words for what is out of order, and why; the name itself if this version does not know it. */
function outageText(name: string, { owner }: Words): string {
  const texts: Readonly<Record<string, string>> = owner.console.outages;
  const key = name.replace(/^service-/, '');
  return (Object.hasOwn(texts, key) ? texts[key] : undefined) ?? name;
}

function ranges(range: Range, words: Words): Html {
  const { figures: said } = words.owner.console;
  const link = (each: Range): Html =>
    html`<li><a href="${PATH}?range=${each}"${each === range ? html` aria-current="true"` : ''}>${said.ranges[each]}</a></li>`;
  return html`<nav aria-label="${said.range}"><ul class="ranges">${RANGES.map(link)}</ul></nav>`;
}

function percentiles(of: Percentiles | undefined, words: Words): string {
  if (of === undefined) return words.owner.console.figures.none;
  return `${durationText(of.p50, words)} / ${durationText(of.p95, words)}`;
}

function sums({ total, credits }: ShownFigures, words: Words): Html {
  const { figures: said } = words.owner.console;
  const number = (value: number): string => numberText(value, words);
  const tile = (value: string, name: string, kind = ''): Html =>
    html`<li class="${kind}"><b>${value}</b><span>${name}</span></li>`;
  return html`<ul class="tiles">${tile(number(total.done), said.jobsDone(total.done))}${tile(number(total.failed), said.failed)}
${tile(number(total.cancelled), said.cancelled)}${tile(percentiles(total.tookMs, words), said.tookTile, 'word')}
${tile(percentiles(total.unseenMs, words), said.unseenTile, 'word')}
${tile(total.statusCallsPerJob === undefined ? said.none : number(total.statusCallsPerJob), said.callsTile)}
${tile(number(credits.total), said.credits(credits.total))}</ul>`;
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

function jobCharts({ from, stepMs, points }: ShownFigures, words: Words): Html {
  const { figures: said, sections } = words.owner.console;
  const series = (name: string, value: (point: Counts) => number | undefined) => ({
    name,
    values: points.map(value),
  });
  const common = { from, stepMs };
  const times = (title: string, of: (point: Counts) => Percentiles | undefined): Html =>
    plot(
      {
        ...common,
        title,
        unit: () => 's',
        kind: 'lines',
        series: [
          series('p50', (point) => seconds(of(point)?.p50)),
          series('p95', (point) => seconds(of(point)?.p95)),
        ],
      },
      words,
    );
  return html`<div class="charts">${plot(
    {
      ...common,
      title: sections.jobs,
      unit: () => said.jobs,
      kind: 'bars',
      series: [
        series(said.done, ({ done }) => done),
        series(said.failed, ({ failed }) => failed),
        series(said.cancelled, ({ cancelled }) => cancelled),
      ],
    },
    words,
  )}
${times(said.took, ({ tookMs }) => tookMs)}
${times(said.unseen, ({ unseenMs }) => unseenMs)}
${plot(
  {
    ...common,
    title: said.callsPerJob,
    unit: said.calls,
    kind: 'lines',
    series: [series(said.calls(2), ({ statusCallsPerJob }) => statusCallsPerJob)],
  },
  words,
)}</div>`;
}

function reasonOf({ what, reason }: ShownFigures['outages'][number], words: Words): string {
  if (reason !== undefined) return outageText(reason, words);
  const { notUsable, notConnected } = words.owner.console.outages;
  return what === 'store' ? notUsable : notConnected;
}

function outageSection({ outages, from, until }: ShownFigures, words: Words): Html {
  const { outages: said, frame, fields } = words.owner.console;
  if (outages.length === 0) return html`<p class="quiet">${said.none}</p>`;
  const spans = outages.map((outage) => ({
    row: outageText(outage.what, words),
    text: reasonOf(outage, words),
    from: outage.from,
    until: outage.until,
  }));
  const rows = outages.map((outage, index) => [
    spans[index]?.row ?? '',
    time(outage.from),
    outage.isOver ? time(outage.until) : said.notOver,
    durationText(outage.until - outage.from, words),
    spans[index]?.text ?? '',
  ]);
  return html`<figure class="card">${timeline(from, until, spans, words)}<details><summary>${frame.table}</summary>${table(
    fillText(frame.tableOf, { title: said.title }),
    [fields.what, fields.from, fields.until, fields.lasted, said.why].map((name) => ({ name })),
    rows,
    frame.nothing,
  )}</details></figure>`;
}

export function createFiguresPage(parts: FiguresPageParts, now: () => number) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const range = RANGES.find((each) => each === context.req.query('range')) ?? 'day';
    const figures = await parts.read(range);
    const { total } = figures;
    const words = context.get('words');
    const {
      figures: said,
      jobs,
      outages,
      sections,
      frame,
      now: { call },
    } = words.owner.console;
    const kinds: readonly TableColumn[] = [
      { name: jobs.kind },
      { name: said.done, isNumber: true },
      { name: said.failed, isNumber: true },
    ];
    const counted = (list: readonly { readonly what: string; readonly count: number }[]) =>
      list.map(({ what, count }) => ({ name: foreign(what), value: count }));
    const events: Readonly<Record<string, string>> = said.lookEvents;
    const looked = total.looks.map(({ what, count }) => ({ name: events[what] ?? what, value: count }));
    const span = { from: timeText(figures.from), now: timeText(now()) };
    const body = html`${ranges(range, words)}
<p class="quiet">${fillText(said.fromToNow, span)}</p>${sums(figures, words)}
<h2>${sections.jobs}</h2>${jobCharts(figures, words)}
<div class="charts below"><div class="card"><h3>${said.byReason}</h3>${barList(
      said.reason,
      sections.jobs,
      counted(total.reasons.map(({ reason, count }) => ({ what: reason, count }))),
      words,
    )}</div>
<div class="card"><h3>${said.byKind}</h3>${table(
      said.byKind,
      kinds,
      total.kinds.map(({ kind, done, failed }) => [
        foreign(kind),
        numberText(done, words),
        numberText(failed, words),
      ]),
      frame.nothing,
    )}</div>
<div class="card"><h3>${said.errors}</h3>${barList(call, said.times, counted(total.errors), words)}</div>
<div class="card"><h3>${said.refused}</h3>${barList(said.platform, said.times, counted(total.refused), words)}</div>
<div class="card"><h3>${said.looks}</h3>${barList(said.look, said.times, looked, words)}</div></div>
<h2>${jobs.credits}</h2>${creditCharts(figures, parts, context.get('ids'), words)}
<h2>${outages.title}</h2>${outageSection(figures, words)}`;
    return show(context, { title: sections.figures, section: 'figures', hasCharts: true, body });
  });
  return app;
}
