import { hidden } from './redact.ts';

/** Limits of one logged object. */
const MOST_LEVELS = 6;
const MOST_FIELDS = 40;
const MOST_ITEMS = 20;
/** Limit of all values together: a library's client object refers to thousands of others. */
const MOST_VALUES = 500;
const LONGEST_TEXT = 2_000;
const LONGEST_STACK = 4_000;
/** A longer text is omitted without a search for secrets. */
const HUGE_TEXT = 200_000;

const SECRET_NAME = /(authorization|cookie|password|passwd|secret|token|api[-_]?key)$/i;
/** Fields of errors of discord.js that contain the uploads (`requestBody.files`), which are people's pictures. */
const UPLOAD_NAMES = new Set(['files', 'attachments', 'base64', 'image', 'images']);

type Scrub = (text: string) => string;

/**
 * Creates a function that turns any value into small plain data without secrets. Texts are scrubbed before they are cut,
 * because half a token is not recognised as one.
 */
export function createSafeCopy(scrub: Scrub): (value: unknown) => unknown {
  const text = (value: string, most = LONGEST_TEXT): string => {
    if (value.length > HUGE_TEXT) return `[text of ${value.length} characters]`;
    const clean = scrub(value);
    return clean.length > most ? `${clean.slice(0, most)}… (${value.length} characters)` : clean;
  };

  let left = MOST_VALUES;

  function plain(value: unknown, depth: number, above: readonly object[]): unknown {
    try {
      return copy(value, depth, above);
    } catch {
      // A proxy or a `toString` may throw; logging must not fail because of it.
      return '[unreadable]';
    }
  }

  function copy(value: unknown, depth: number, above: readonly object[]): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'bigint' || typeof value === 'symbol') return text(String(value));
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (above.includes(value)) return '[circular]';
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
    if (value instanceof URL) return text(value.href);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (depth >= MOST_LEVELS || left <= 0) return Array.isArray(value) ? '[list]' : '[object]';
    const inside = [...above, value];
    if (Array.isArray(value)) return list(value, depth, inside);
    if (value instanceof Map) return fields(value.entries(), depth, inside);
    if (value instanceof Set) return list([...value], depth, inside);
    if (value instanceof Error) return { ...errorHead(value), ...fields(own(value), depth, inside) };
    return fields(own(value), depth, inside);
  }

  function list(values: readonly unknown[], depth: number, above: readonly object[]): unknown[] {
    left -= Math.min(values.length, MOST_ITEMS);
    const kept = values.slice(0, MOST_ITEMS).map((item) => plain(item, depth + 1, above) ?? null);
    return values.length > MOST_ITEMS ? [...kept, `… (${values.length} in all)`] : kept;
  }

  function fields(entries: Iterable<readonly [unknown, unknown]>, depth: number, above: readonly object[]) {
    const result: Record<string, unknown> = {};
    let count = 0;
    for (const [key, value] of entries) {
      const name = text(String(key), 100);
      if (value === undefined || name === '__proto__') continue;
      left -= 1;
      if (++count > MOST_FIELDS || left <= 0) {
        result['…'] = 'more fields';
        break;
      }
      if (SECRET_NAME.test(name)) result[name] = hidden;
      else if (UPLOAD_NAMES.has(name) && isLarge(value)) result[name] = '[left out]';
      else result[name] = plain(value, depth + 1, above);
    }
    return result;
  }

  function errorHead(error: Error): Record<string, unknown> {
    const stack = typeof error.stack === 'string' ? { stack: text(error.stack, LONGEST_STACK) } : {};
    return { type: text(String(error.name), 100), message: text(String(error.message)), ...stack };
  }

  return (value) => {
    left = MOST_VALUES;
    return plain(value, 0, []);
  };
}

const isLarge = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > 200 : typeof value === 'object' && value !== null;

/** A value's own fields, including an error's non-enumerable ones (`cause`, `error`). */
function own(value: object): [string, unknown][] {
  const names = new Set(Object.keys(value));
  if (value instanceof Error) {
    for (const name of ['cause', 'error', 'errors', 'code']) if (name in value) names.add(name);
    for (const shown of ['name', 'message', 'stack']) names.delete(shown);
  }
  return [...names].map((name) => {
    try {
      return [name, Reflect.get(value, name)];
    } catch {
      return [name, '[unreadable]'];
    }
  });
}
