import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const types = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Only these can be requested. */
const names = [
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

type PageFile = (typeof names)[number];
export interface ServedFile {
  readonly text: string;
  readonly type: string;
  readonly tag: string;
}

export const servedFile = (name: PageFile, text: string): ServedFile => {
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const type = Object.entries(types).find(([each]) => each === ending)?.[1] ?? 'text/plain';
  return { text, type, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
};

const read = (name: PageFile): ServedFile =>
  servedFile(name, readFileSync(new URL(`../page/${name}`, import.meta.url), 'utf8'));

export const readPage = (): ReadonlyMap<string, ServedFile> =>
  new Map(names.map((name) => [name, read(name)]));
