import { html, raw } from 'hono/html';
import type { Html } from './html.ts';

export type Cell = Html | string | number;

export interface TableColumn {
  readonly name: string;
  readonly isNumber?: true;
}

/** Too wide for a phone, where each row is then a list with the names of its columns. */
const isStacked = (columns: readonly TableColumn[]): boolean =>
  columns.length > 4 || columns.slice(1).some(({ isNumber }) => !isNumber);

/** Scrolls by itself where it is too wide, also by keyboard. */
export function table(
  label: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly Cell[])[],
  none: string,
): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  const stacked = isStacked(columns);
  // Rows that are lists are still rows for screen readers.
  const role = (name: string) => (stacked ? html` role="${name}"` : '');
  const kinds = columns.map(({ isNumber }) => raw(isNumber ? ' class="number"' : ''));
  const names = columns.map(({ name }) => (stacked ? html` role="cell" data-label="${name}"` : ''));
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table${role('table')}${stacked ? html` class="stacked"` : ''}>
<thead${role('rowgroup')}><tr${role('row')}>${columns.map(({ name }, index) => html`<th${role('columnheader')} scope="col"${kinds[index]}>${name}</th>`)}</tr></thead>
<tbody${role('rowgroup')}>${rows.map(
    (row) =>
      html`<tr${role('row')}>${row.map((cell, index) => html`<td${names[index]}${kinds[index]}>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** Names and values. */
export function facts(list: readonly (readonly [name: string, value: Cell | undefined])[]): Html {
  const known = list.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
