import { readFileSync } from 'node:fs';

const { version: found }: { readonly version?: unknown } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The version of the program, from package.json. */
export const version = String(found);
