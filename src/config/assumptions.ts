import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from './error.ts';

const MAX_BYTES = 1_000_000;

/** Overrides of the client's assumptions: JSON in the setting itself, or in the file that it names. */
export function readAssumptions(given: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (given === undefined) return undefined;
  const inline = given.trim().startsWith('{');
  const value = parse(inline ? given : readFile(given.trim()));
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw wrong(
    inline ? 'the text is not a JSON object' : `${JSON.stringify(given.trim())} holds no JSON object`,
  );
}

function readFile(path: string): string {
  try {
    if (statSync(path).size <= MAX_BYTES) return readFileSync(path, 'utf8');
  } catch {
    throw wrong(`${JSON.stringify(path)} cannot be read`);
  }
  throw wrong(`${JSON.stringify(path)} is larger than ${MAX_BYTES} bytes`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrong(what: string): ConfigError {
  return new ConfigError(
    `GENERATION_ASSUMPTIONS: ${what}. Allowed: a JSON object, or the path of a file that holds one.`,
  );
}
