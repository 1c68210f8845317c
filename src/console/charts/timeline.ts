import { html } from 'hono/html';
import type { Words } from '../../words/words.ts';
import { durationText, fillText, type Html, timeText } from '../frame/html.ts';
import { fixed, timeTicks } from './scale.ts';

/** A time during which something in a row did not work. */
export interface TimelineSpan {
  readonly row: string;
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

interface Shape {
  readonly name: string;
  readonly width: number;
  /** The width of the rows' names; 0 if the names are above their rows. */
  readonly left: number;
  readonly row: number;
}
/** Two drawings, of which the style sheet shows one by the width of the window. */
const SHAPES: readonly Shape[] = [
  { name: 'wide', width: 1_000, left: 150, row: 30 },
  { name: 'narrow', width: 400, left: 0, row: 48 },
];
const RIGHT = 8;
const TOP = 4;
const BOTTOM = 26;
const BAR = 18;
const NARROWEST = 3;

/** Draws when something did not work, with one row for each thing. */
export function timeline(from: number, until: number, spans: readonly TimelineSpan[], words: Words): Html {
  const { outages: said } = words.owner.console;
  const textOf = (span: TimelineSpan): string =>
    fillText(said.span, {
      what: span.row,
      from: timeText(span.from),
      time: durationText(span.until - span.from, words),
      why: span.text,
    });
  const rows = [...new Set(spans.map(({ row }) => row))].toSorted();
  // The spans are sorted by time, because arrow keys go from left to right.
  const inOrder = spans.toSorted((a, b) => a.from - b.from);

  const drawing = ({ name, width, left, row }: Shape): Html => {
    const height = TOP + rows.length * row + BOTTOM;
    const inner = width - left - RIGHT;
    const x = (at: number): number =>
      left + (inner * (Math.min(Math.max(at, from), until) - from)) / (until - from);
    /** The middle of a row's bars. */
    const y = (index: number): number => TOP + (index + 1) * row - BAR / 2 - (left === 0 ? 4 : 6);
    const nameOf = (text: string, index: number): Html =>
      html`<path d="M${left} ${y(index)}H${width - RIGHT}"/><text x="0" y="${left === 0 ? y(index) - BAR / 2 - 6 : y(index) + 5}">${text}</text>`;
    const bar = (span: TimelineSpan, index: number): Html => {
      const begin = Math.min(x(span.from), width - RIGHT - NARROWEST);
      const length = Math.max(NARROWEST, x(span.until) - begin);
      return html`<g class="point" role="img" tabindex="${index === inOrder.length - 1 ? 0 : -1}"><title>${textOf(span)}</title><rect class="outage" rx="2" x="${fixed(begin)}" y="${y(rows.indexOf(span.row)) - BAR / 2}" width="${fixed(length)}" height="${BAR}"/></g>`;
    };
    return html`<div class="plot ${name}"><svg viewBox="0 0 ${width} ${height}" role="group" aria-label="${fillText(said.timeline, { title: said.title })}">
<g class="axis" aria-hidden="true">${rows.map(nameOf)}
${timeTicks(from, until, words).map(({ at, text }) => html`<path d="M${fixed(x(at))} ${height - BOTTOM}v4"/><text x="${fixed(x(at))}" y="${height - 6}" text-anchor="middle">${text}</text>`)}</g>
${inOrder.map(bar)}</svg></div>`;
  };
  const latest = inOrder.at(-1);
  return html`<p class="value">${latest === undefined ? '' : textOf(latest)}</p>${SHAPES.map(drawing)}`;
}
