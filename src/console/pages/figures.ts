import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';
import { barList } from '../charts/bar-list.ts';
import { creditsText } from '../charts/credits-text.ts';
import { type Plot, plot } from '../charts/plot.ts';
import { numberText } from '../charts/scale.ts';
import { timeline } from '../charts/timeline.ts';
import { durationText, fillText, type Html, outsideText, table, time, timeText } from '../frame/html.ts';
import { CONSOLE_PATH, type ConsoleEnv } from '../frame/layout.ts';
import { type Ceilings, creditCharts } from './credit-charts.ts';
import { answerPage } from './show.ts';
import { type Counts, type Percentiles, RANGES, type Range, type ShownFigures } from './shown-figures.ts';

export interface FiguresPageDependencies extends Ceilings {
  readonly read: (range: Range) => Promise<ShownFigures>;
}

const PATH = `${CONSOLE_PATH}/figures`;

/** The words for the part that does not work, or for the reason; the name itself if this version does not know it. */
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

function sums({ total, credits }: ShownFigures, price: Price | undefined, words: Words): Html {
  const { figures: said } = words.owner.console;
  const number = (value: number): string => numberText(value, words);
  const tile = (value: string, name: string, kind = ''): Html =>
    html`<li class="${kind}"><b>${value}</b><span>${name}</span></li>`;
  return html`<ul class="tiles">${tile(number(total.done), said.jobsDone(total.done))}${tile(number(total.failed), said.failed)}
${tile(number(total.cancelled), said.cancelled)}${tile(percentiles(total.tookMs, words), said.tookTile, 'word')}
${tile(percentiles(total.unseenMs, words), said.unseenTile, 'word')}
${tile(total.statusCallsPerJob === undefined ? said.none : number(total.statusCallsPerJob), said.callsTile)}
${tile(creditsText(credits.total, price, words), said.credits(credits.total))}</ul>`;
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

function jobCharts({ from, stepMs, points }: ShownFigures, words: Words): Html {
  const { figures: said, sections } = words.owner.console;
  type Series = readonly [name: string, value: (point: Counts) => number | undefined];
  const chart = (title: string, kind: Plot['kind'], unit: Plot['unit'], ...series: readonly Series[]): Html =>
    plot(
      {
        title,
        unit,
        from,
        stepMs,
        kind,
        series: series.map(([name, of]) => ({ name, values: points.map(of) })),
      },
      words,
    );
  const times = (title: string, of: (point: Counts) => Percentiles | undefined): Html =>
    chart(
      title,
      'lines',
      () => 's',
      ['p50', (point) => seconds(of(point)?.p50)],
      ['p95', (point) => seconds(of(point)?.p95)],
    );
  const jobs = chart(
    sections.jobs,
    'bars',
    () => said.jobs,
    [said.done, ({ done }) => done],
    [said.failed, ({ failed }) => failed],
    [said.cancelled, ({ cancelled }) => cancelled],
  );
  return html`<div class="charts">${jobs}
${times(said.took, ({ tookMs }) => tookMs)}
${times(said.unseen, ({ unseenMs }) => unseenMs)}
${chart(said.callsPerJob, 'lines', said.calls, [said.calls(2), ({ statusCallsPerJob }) => statusCallsPerJob])}</div>`;
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
    [fields.what, fields.from, fields.until, fields.lasted, said.why],
    rows,
    frame.nothing,
  )}</details></figure>`;
}

export function createFiguresPage(parts: FiguresPageDependencies, now: () => number) {
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
    type Counted = readonly { readonly what: string; readonly count: number }[];
    const bars = (
      label: string,
      unit: string,
      list: Counted,
      nameOf: (what: string) => Html | string = outsideText,
    ) =>
      barList(
        label,
        unit,
        list.map(({ what, count }) => ({ name: nameOf(what), value: count })),
        words,
      );
    const events: Readonly<Record<string, string>> = said.faceCheckEvents;
    const contentEvents: Readonly<Record<string, string>> = said.contentEvents;
    const reasons = total.reasons.map(({ reason, count }) => ({ what: reason, count }));
    const number = (value: number): string => numberText(value, words);
    const kinds = table(
      said.byKind,
      [jobs.kind, { number: said.done }, { number: said.failed }],
      total.kinds.map(({ kind, done, failed }) => [outsideText(kind), number(done), number(failed)]),
      frame.nothing,
    );
    const card = (title: string, body: Html): Html => html`<div class="card"><h3>${title}</h3>${body}</div>`;
    const span = { from: timeText(figures.from), now: timeText(now()) };
    const body = html`${ranges(range, words)}
<p class="quiet">${fillText(said.fromToNow, span)}</p>${sums(figures, context.get('price'), words)}
<h2>${sections.jobs}</h2>${jobCharts(figures, words)}
<div class="charts below">${card(said.byReason, bars(said.reason, sections.jobs, reasons))}
${card(said.byKind, kinds)}
${card(said.errors, bars(call, said.times, total.errors))}
${card(said.refused, bars(said.platform, said.times, total.refused))}
${card(
  said.faceChecks,
  bars(said.faceCheckEvent, said.times, total.faceChecks, (what) => events[what] ?? what),
)}
${card(
  said.contentChecks,
  bars(said.faceCheckEvent, said.times, total.contentChecks, (what) => contentEvents[what] ?? what),
)}</div>
<h2>${jobs.credits}</h2>${creditCharts(figures, parts, context.get('ids'), context.get('price'), words)}
<h2>${outages.title}</h2>${outageSection(figures, words)}`;
    return answerPage(context, { title: sections.figures, section: 'figures', hasCharts: true, body });
  });
  return app;
}
