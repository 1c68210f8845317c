import { readFileSync } from 'node:fs';

const TYPES = {
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'charts.js': 'text/javascript; charset=utf-8',
} as const;

/** What pages load; there is nothing to build. */
export function readFiles() {
  return Object.entries(TYPES).map(([name, type]) => ({
    name,
    type,
    text: readFileSync(new URL(`../page/${name}`, import.meta.url), 'utf8'),
  }));
}
