import { html } from 'hono/html';
import type { Html } from './html.ts';

/** Minutes are enough for people; seconds where the order of things matters. */
export function timeText(at: number, unit: 'minute' | 'second' = 'minute'): string {
  return new Date(at)
    .toISOString()
    .slice(0, unit === 'minute' ? 16 : 19)
    .replace('T', ' ');
}

/** All times of the console are UTC, as credits are. */
export function time(at: number, unit?: 'minute' | 'second'): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${timeText(at, unit)}</time>`;
}
