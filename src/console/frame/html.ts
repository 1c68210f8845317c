import { html, raw } from 'hono/html';
import type { Words } from '../../words/words.ts';

/** Markup in which all inserted text is escaped. */
export type Html = ReturnType<typeof html>;

const MOST_SHOWN = 300;

/** Matches control characters, and characters that change the direction or order of the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const UNSHOWABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Shows a text from outside: of bounded length, and isolated (`bdi`) from the direction of the text around it. */
export function outsideText(text: string, most = MOST_SHOWN): Html {
  const plain = text.toWellFormed().replaceAll(UNSHOWABLE, '\ufffd');
  return html`<bdi>${plain.length > most ? `${plain.slice(0, most)}…` : plain}</bdi>`;
}

/** Fills the `{name}` placeholders of a text with markup. */
export const fill = (text: string, parts: Readonly<Record<string, Html | string | number>>): Html =>
  html`${text.split(/\{(\w+)\}/).map((piece, index) => (index % 2 === 0 ? piece : (parts[piece] ?? '')))}`;

/** Fills the `{name}` placeholders of a text for titles and attributes, which have no markup. */
export const fillText = (text: string, parts: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parts[name] ?? ''));

/** Marks a text as English, for messages that the log and /readyz have, too. */
export const inEnglish = (text: string): Html => html`<span lang="en">${text}</span>`;

/** Writes a UTC time to the minute, or to the second where the order of events matters. */
export const timeText = (at: number, unit: 'minute' | 'second' = 'minute'): string =>
  new Date(at)
    .toISOString()
    .slice(0, unit === 'minute' ? 16 : 19)
    .replace('T', ' ');

/** Shows a time. All times of the console are UTC, like the days of credits. */
export const time = (at: number, unit?: 'minute' | 'second'): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${timeText(at, unit)}</time>`;

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Writes a duration as `1 d 3 h`, `12 min` or `3.4 s`. */
export function durationText(ms: number, { language }: Words): string {
  if (ms < 60_000) {
    const digits = ms < 10_000 ? 1 : 0;
    const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return `${(Math.max(0, ms) / 1000).toLocaleString(language, shown)} s`;
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

/** Makes a hidden field, which a form sends with its visible ones. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

export type Cell = Html | string | number;

/** The heading of a column; `number` aligns the cells to the right. */
export type TableColumn = string | { readonly number: string };

/** Makes a table, which scrolls if it is too wide, also by keyboard. `none` is shown if there are no rows. */
export function table(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  const names = columns.map((column) => (typeof column === 'string' ? column : column.number));
  const kinds = columns.map((column) => raw(typeof column === 'string' ? '' : ' class="number"'));
  // A table that is too wide for a phone is shown there as a list for each row, with the names of its columns.
  const stacked = columns.length > 4 || columns.slice(1).some((column) => typeof column === 'string');
  // The roles keep such lists rows of a table for screen readers.
  const role = (name: string) => (stacked ? html` role="${name}"` : '');
  const labels = names.map((name) => (stacked ? html` role="cell" data-label="${name}"` : ''));
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table${role('table')}${stacked ? html` class="stacked"` : ''}>
<thead${role('rowgroup')}><tr${role('row')}>${names.map((name, index) => html`<th${role('columnheader')} scope="col"${kinds[index]}>${name}</th>`)}</tr></thead>
<tbody${role('rowgroup')}>${rows.map(
    (row) =>
      html`<tr${role('row')}>${row.map((cell, index) => html`<td${labels[index]}${kinds[index]}>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** One line of a list of facts, which is left out if its value is undefined or empty. */
export type Fact = readonly [name: string, value: Cell | undefined];

/** Shows a list of names and values. */
export function factList(list: readonly Fact[]): Html {
  const known = list.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
