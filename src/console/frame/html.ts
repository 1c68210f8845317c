import { html, raw } from 'hono/html';
import type { Words } from '../../words/words.ts';

/** Escaped markup. */
export type Html = ReturnType<typeof html>;

const MOST_SHOWN = 300;

/** Control characters, and those that change the direction or the order of the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text from outside, bounded, apart from the text around it. */
export function foreign(text: string): Html {
  const plain = text.toWellFormed().replaceAll(UNSHOWABLE, '\ufffd');
  return html`<bdi>${plain.length > MOST_SHOWN ? `${plain.slice(0, MOST_SHOWN)}…` : plain}</bdi>`;
}

/** A text with its `{name}`s filled in. */
export const fill = (text: string, parts: Readonly<Record<string, Html | string | number>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (parts[piece] ?? '')))}`;

/** The same for titles and attributes. */
export const fillText = (text: string, parts: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ''));

/** What the log and /readyz say, too, which is in English. */
export const inEnglish = (text: string): Html => html`<span lang="en">${text}</span>`;

/** Minutes are enough for people; seconds where the order of things matters. */
export const timeText = (at: number, unit: 'minute' | 'second' = 'minute'): string =>
  new Date(at)
    .toISOString()
    .slice(0, unit === 'minute' ? 16 : 19)
    .replace('T', ' ');

/** All times of the console are UTC, as credits are. */
export const time = (at: number, unit?: 'minute' | 'second'): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${timeText(at, unit)}</time>`;

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** `1 d 3 h`, `12 min`, `3.4 s`. */
export function durationText(ms: number, { owner: { locale } }: Words): string {
  if (ms < 60_000) {
    const digits = ms < 10_000 ? 1 : 0;
    const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return `${(Math.max(0, ms) / 1000).toLocaleString(locale, shown)} s`;
  }
  const first = UNITS.findIndex(([, size]) => ms >= size);
  let left = ms;
  const parts = UNITS.slice(first, first + 2).flatMap(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.join(' ');
}

/** What a form must send with what it asks for. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export type Cell = Html | string | number;

/** Its name; a column of numbers is aligned. */
export type TableColumn = string | { readonly number: string };

/** Scrolls by itself where it is too wide, also by keyboard. */
export function table(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  const names = columns.map((column) => (typeof column === 'string' ? column : column.number));
  const kinds = columns.map((column) => raw(typeof column === 'string' ? '' : ' class="number"'));
  // Too wide for a phone, where each row is then a list with the names of its columns.
  const stacked = columns.length > 4 || columns.slice(1).some((column) => typeof column === 'string');
  // Rows that are lists are still rows for screen readers.
  const role = (name: string) => (stacked ? html` role="${name}"` : '');
  const labels = names.map((name) => (stacked ? html` role="cell" data-label="${name}"` : ''));
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table${role('table')}${stacked ? html` class="stacked"` : ''}>
<thead${role('rowgroup')}><tr${role('row')}>${names.map((name, index) => html`<th${role('columnheader')} scope="col"${kinds[index]}>${name}</th>`)}</tr></thead>
<tbody${role('rowgroup')}>${rows.map(
    (row) =>
      html`<tr${role('row')}>${row.map((cell, index) => html`<td${labels[index]}${kinds[index]}>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** One line of a list of facts; left out if its value is undefined or empty. */
export type Fact = readonly [name: string, value: Cell | undefined];

/** Names and values. */
export function factList(list: readonly Fact[]): Html {
  const known = list.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
