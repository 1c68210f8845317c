import { html } from 'hono/html';

const width = 300;
const height = 60;

/** A small bar chart as SVG; its label has the figures for screen readers. */
export function barChart(title: string, unit: string, values: readonly number[]) {
  const most = Math.max(...values, 0);
  const step = width / Math.max(1, values.length);
  const latest = values.at(-1) ?? 0;
  const round = (value: number): string =>
    value >= 10 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: now ${round(latest)} ${unit}, at most ${round(most)}">
    ${values.map((value, index) => {
      const tall = most === 0 ? 0 : (value / most) * (height - 2);
      return html`<rect x="${(index * step).toFixed(1)}" y="${(height - tall).toFixed(1)}" width="${(step * 0.8).toFixed(1)}" height="${tall.toFixed(1)}"></rect>`;
    })}
  </svg><p class="range">${round(latest)} ${unit} now · ${round(most)} at most</p>`;
}
