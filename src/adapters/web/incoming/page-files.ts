import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

const FOLDER = new URL('../page/', import.meta.url);

/** Files with another ending cannot be requested. */
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface ServedFile {
  readonly text: string;
  readonly type: string;
  readonly tag: string;
}

export function servedFile(name: string, text: string): ServedFile {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  return { text, type: TYPES[extname(name)] ?? 'text/plain', tag };
}

export function readPage(): ReadonlyMap<string, ServedFile> {
  const names = readdirSync(FOLDER).filter((name) => Object.hasOwn(TYPES, extname(name)));
  return new Map(names.map((name) => [name, servedFile(name, readFileSync(new URL(name, FOLDER), 'utf8'))]));
}
