import { html } from 'hono/html';
import type { Html } from '../frame/html.ts';
import { duration, timeText } from '../frame/times.ts';
import { timeTicks } from './scale.ts';

export interface Span {
  readonly row: string;
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

const WIDTH = 1_000;
const LEFT = 150;
const ROW = 30;
const TOP = 4;
const BOTTOM = 26;
const NARROWEST = 3;

/** When something did not work, one row for each thing. */
export function timeline(label: string, from: number, until: number, spans: readonly Span[]): Html {
  const rows = [...new Set(spans.map(({ row }) => row))].toSorted();
  const height = TOP + rows.length * ROW + BOTTOM;
  const inner = WIDTH - LEFT - 8;
  const x = (at: number): number =>
    LEFT + (inner * (Math.min(Math.max(at, from), until) - from)) / (until - from);
  const fixed = (value: number): string => String(Math.round(value * 10) / 10);
  const textOf = (span: Span): string =>
    `${span.row}, ${timeText(span.from)} for ${duration(span.until - span.from)}: ${span.text}`;
  const bar = (span: Span, index: number): Html => {
    const left = Math.min(x(span.from), WIDTH - 8 - NARROWEST);
    const width = Math.max(NARROWEST, x(span.until) - left);
    return html`<g class="point" role="img" tabindex="${index === 0 ? 0 : -1}"><title>${textOf(span)}</title><rect class="outage" rx="2" x="${fixed(left)}" y="${TOP + rows.indexOf(span.row) * ROW + 6}" width="${fixed(width)}" height="${ROW - 12}"/></g>`;
  };
  const [latest] = spans;
  return html`<p class="value">${latest === undefined ? '' : textOf(latest)}</p><div class="plot wide"><svg viewBox="0 0 ${WIDTH} ${height}" role="group" aria-label="${label}: timeline, arrow keys move from one to the next">
<g class="axis" aria-hidden="true">${rows.map((row, index) => html`<path d="M${LEFT} ${TOP + (index + 0.5) * ROW}H${WIDTH - 8}"/><text x="0" y="${TOP + (index + 0.5) * ROW + 5}">${row}</text>`)}
${timeTicks(from, until).map(({ at, text }) => html`<path d="M${fixed(x(at))} ${height - BOTTOM}v4"/><text x="${fixed(x(at))}" y="${height - 6}" text-anchor="middle">${text}</text>`)}</g>
${spans.map(bar)}</svg></div>`;
}
