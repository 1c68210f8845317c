import { html, raw } from 'hono/html';
import type { Html } from './html.ts';

export type Cell = Html | string | number;

export interface Column {
  readonly name: string;
  readonly isNumber?: true;
}

/** Scrolls by itself where it is too wide, also by keyboard. */
export function table(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  none = 'Nothing yet.',
): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  const kinds = columns.map(({ isNumber }) => raw(isNumber ? ' class="number"' : ''));
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map(({ name }, index) => html`<th scope="col"${kinds[index]}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell, index) => html`<td${kinds[index]}>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** Names and values. */
export function facts(list: readonly (readonly [name: string, value: Cell | undefined])[]): Html {
  const known = list.filter(([, value]) => value !== undefined && value !== '');
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
