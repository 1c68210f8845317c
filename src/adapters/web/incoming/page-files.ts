import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Only these can be requested. */
const NAMES = [
  'index.html',
  'login.html',
  'style.css',
  'icon.svg',
  'main.js',
  'api.js',
  'attachments.js',
  'complete.js',
  'composer.js',
  'elements.js',
  'forms.js',
  'grammar.js',
  'labels.js',
  'live.js',
  'log.js',
  'message.js',
  'notice.js',
  'parts.js',
  'progress.js',
  'toast.js',
] as const;

type PageFile = (typeof NAMES)[number];
export interface ServedFile {
  readonly text: string;
  readonly type: string;
  readonly tag: string;
}

export function servedFile(name: PageFile, text: string): ServedFile {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const type = Object.entries(TYPES).find(([each]) => each === ending)?.[1] ?? 'text/plain';
  return { text, type, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
}

function read(name: PageFile): ServedFile {
  return servedFile(name, readFileSync(new URL(`../page/${name}`, import.meta.url), 'utf8'));
}

export function readPage(): ReadonlyMap<string, ServedFile> {
  return new Map(NAMES.map((name) => [name, read(name)]));
}
