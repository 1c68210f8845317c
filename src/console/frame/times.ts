import { html } from 'hono/html';
import type { Words } from '../../words/words.ts';
import type { Html } from './html.ts';

/** Minutes are enough for people; seconds where the order of things matters. */
export function timeText(at: number, unit: 'minute' | 'second' = 'minute'): string {
  return new Date(at)
    .toISOString()
    .slice(0, unit === 'minute' ? 16 : 19)
    .replace('T', ' ');
}

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
