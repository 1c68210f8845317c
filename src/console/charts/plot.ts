import { html } from 'hono/html';
import type { Words } from '../../words/words.ts';
import { fillText, type Html, table } from '../frame/html.ts';
import { fixed, numberText, pointTimeText, ticksUpTo, tickText, timeTicks } from './scale.ts';

/** One series of values in a plot. */
export interface Series {
  readonly name: string;
  /** A value for each point; undefined where there was nothing to measure. */
  readonly values: readonly (number | undefined)[];
}

/** The content of a chart over time. */
export interface Plot {
  readonly title: string;
  /** Gives the word of the unit for a count, in singular or plural. */
  readonly unit: (count: number) => string;
  readonly from: number;
  readonly stepMs: number;
  /** The kind of the chart; bars of several series are stacked. */
  readonly kind: 'bars' | 'lines';
  readonly series: readonly Series[];
  /** A limit, drawn as a horizontal line. */
  readonly ceiling?: { readonly name: string; readonly value: number } | undefined;
}

/** Sizes in units of the drawing, which is scaled to its place; on a phone to half, with letters twice as large. */
const WIDTH = 640;
const HEIGHT = 246;
const AREA = { left: 60, right: 8, top: 32, bottom: 36 };
const INNER = { width: WIDTH - AREA.left - AREA.right, height: HEIGHT - AREA.top - AREA.bottom };
/** The count for which the unit of an axis is worded, so that it is in plural. */
const MANY = 2;
const COLOURS = ['first', 'second', 'third'];

/** The text for a point: the values of all series. */
function valueText({ series, unit }: Plot, index: number, words: Words): string {
  const known = series.flatMap(({ name, values }) => {
    const value = values[index];
    return value === undefined ? [] : [{ name, value }];
  });
  const [first] = known;
  if (first === undefined) return words.owner.console.figures.none;
  if (series.length === 1) return `${numberText(first.value, words)} ${unit(first.value)}`;
  return `${known.map(({ name, value }) => `${name} ${numberText(value, words)}`).join(', ')} ${unit(MANY)}`;
}

function stacks({ series }: Plot, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
}

function mostOf(plot: Plot, count: number): number {
  const values =
    plot.kind === 'bars'
      ? stacks(plot, count)
      : plot.series.flatMap(({ values: all }) => all.map((each) => each ?? 0));
  return Math.max(...values, plot.ceiling?.value ?? 0, 0);
}

/** Draws the bars, with one path for each series, so that the drawing of a year stays small. */
function bars({ series }: Plot, count: number, y: (value: number) => number): readonly Html[] {
  const step = INNER.width / count;
  const width = Math.max(0.6, step * 0.78);
  const below = Array.from({ length: count }, () => 0);
  return series.map(({ values }, which) => {
    const path = values.map((value = 0, index) => {
      const from = below[index] ?? 0;
      below[index] = from + value;
      if (value <= 0) return '';
      const x = AREA.left + index * step + (step - width) / 2;
      return `M${fixed(x)} ${fixed(y(from))}V${fixed(y(from + value))}h${fixed(width)}V${fixed(y(from))}z`;
    });
    return html`<path class="bar ${COLOURS[which % COLOURS.length]}" d="${path.join('')}"/>`;
  });
}

function lines({ series }: Plot, count: number, y: (value: number) => number): readonly Html[] {
  const step = INNER.width / count;
  return series.map(({ values }, which) => {
    const joined: string[] = [];
    const alone: string[] = [];
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue;
      const at = `${fixed(AREA.left + (index + 0.5) * step)} ${fixed(y(value))}`;
      if (values[index - 1] !== undefined) joined.push(`L${at}`);
      else if (values[index + 1] !== undefined) joined.push(`M${at}`);
      else alone.push(`M${at}h.1`);
    }
    const colour = COLOURS[which % COLOURS.length];
    const dots = alone.length === 0 ? '' : html`<path class="line dot ${colour}" d="${alone.join('')}"/>`;
    return html`<path class="line ${colour}" d="${joined.join('')}"/>${dots}`;
  });
}

function legend({ series, ceiling }: Plot, words: Words): Html | '' {
  if (series.length < 2 && ceiling === undefined) return '';
  const key = (name: string, colour: string): Html => html`<li class="${colour}">${name}</li>`;
  return html`<ul class="legend">${series.length < 2 ? '' : series.map(({ name }, which) => key(name, COLOURS[which % COLOURS.length] ?? ''))}
${ceiling === undefined ? '' : key(`${ceiling.name}: ${numberText(ceiling.value, words)}`, 'ceiling')}</ul>`;
}

function valueTable(plot: Plot, count: number, words: Words): Html {
  const { title, unit, series, from, stepMs } = plot;
  const { figures, frame } = words.owner.console;
  const rows = Array.from({ length: count }, (_, index) => [
    pointTimeText(from + index * stepMs, stepMs, words),
    ...series.map(({ values }) => {
      const value = values[index];
      return value === undefined ? '' : numberText(value, words);
    }),
  ]).toReversed();
  const isEmpty = (row: readonly string[]): boolean =>
    row.slice(1).every((cell) => cell === '' || cell === '0');
  const columns = [figures.time, ...series.map(({ name }) => ({ number: name }))];
  return html`<details><summary>${frame.table}</summary><p class="quiet">${fillText(figures.leftOut, { unit: unit(MANY) })}</p>
${table(
  fillText(frame.tableOf, { title }),
  columns,
  rows.filter((row) => !isEmpty(row)),
  frame.nothing,
)}</details>`;
}

/**
 * Draws a chart with axes. Each point has its value as a title, which the script shows on hover and focus and moves by arrow
 * keys.
 */
export function plot(of: Plot, words: Words): Html {
  const count = Math.max(1, ...of.series.map(({ values }) => values.length));
  const ticks = ticksUpTo(mostOf(of, count), of.kind === 'bars' ? 1 : 0);
  const most = ticks.at(-1) ?? 1;
  const y = (value: number): number => AREA.top + INNER.height * (1 - value / most);
  const step = INNER.width / count;
  const until = of.from + count * of.stepMs;
  const x = (at: number): number => AREA.left + (INNER.width * (at - of.from)) / (until - of.from);
  const label = (index: number): string =>
    `${pointTimeText(of.from + index * of.stepMs, of.stepMs, words)}: ${valueText(of, index, words)}`;
  const point = (index: number): Html =>
    html`<g class="point" role="img" tabindex="${index === count - 1 ? 0 : -1}"><title>${label(index)}</title><rect x="${fixed(AREA.left + index * step)}" y="${AREA.top}" width="${fixed(step)}" height="${INNER.height}"/></g>`;
  return html`<figure class="card"><figcaption><h3>${of.title}</h3>${legend(of, words)}</figcaption><p class="value">${label(count - 1)}</p>
<div class="plot"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="${fillText(words.owner.console.figures.chart, { title: of.title })}">
<g class="axis" aria-hidden="true">${ticks.map((tick) => html`<path d="M${AREA.left} ${fixed(y(tick))}H${WIDTH - AREA.right}"/><text x="${AREA.left - 6}" y="${fixed(y(tick))}" dy=".33em" text-anchor="end">${tickText(tick, words)}</text>`)}
${timeTicks(of.from, until, words, of.stepMs).map(({ at, text }) => html`<path d="M${fixed(x(at))} ${HEIGHT - AREA.bottom}v4"/><text x="${fixed(x(at))}" y="${HEIGHT - 8}" text-anchor="middle">${text}</text>`)}
<text x="0" y="14">${of.unit(MANY)}</text></g>
<g aria-hidden="true">${of.kind === 'bars' ? bars(of, count, y) : lines(of, count, y)}
${of.ceiling === undefined ? '' : html`<path class="line ceiling" d="M${AREA.left} ${fixed(y(of.ceiling.value))}H${WIDTH - AREA.right}"/>`}</g>
${Array.from({ length: count }, (_, index) => point(index))}
</svg></div>${valueTable(of, count, words)}</figure>`;
}
