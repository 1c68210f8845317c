import { html } from 'hono/html';
import type { Words } from '../../words/words.ts';
import type { Html } from '../frame/html.ts';
import { numberText } from './scale.ts';

/** One row of a bar list. */
export interface Bar {
  readonly name: Html | string;
  readonly value: number;
  /** How the value is written, if not as a plain number. */
  readonly text?: string;
  /** The text of the last column. */
  readonly note?: string | undefined;
}

/** Draws a list of names, bars and values. The list is a table, so no other table is needed beside it. */
export function barList(
  label: string,
  unit: string,
  bars: readonly Bar[],
  words: Words,
  noted?: string,
): Html {
  if (bars.length === 0) return html`<p class="quiet">${words.owner.console.frame.none}</p>`;
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const row = ({
    name,
    value,
    text = numberText(value, words),
    note = '',
  }: Bar): Html => html`<tr><th scope="row">${name}</th>
<td class="share" aria-hidden="true"><svg viewBox="0 0 100 8" preserveAspectRatio="none"><rect width="${Math.round((1000 * value) / most) / 10}" height="8"/></svg></td>
<td class="number">${text}</td>${noted === undefined ? '' : html`<td class="number">${note}</td>`}</tr>`;
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="bars${noted === undefined ? '' : ' noted'}">
<thead><tr><th scope="col">${label}</th><td aria-hidden="true"></td><th scope="col" class="number">${unit}</th>
${noted === undefined ? '' : html`<th scope="col" class="number">${noted}</th>`}</tr></thead><tbody>${bars.map(row)}</tbody></table></div>`;
}
