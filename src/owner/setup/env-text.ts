import { fileNameOf } from '../../config/settings.ts';

/**
 * The text of an `.env` file with these settings in place; every other line stays as it is, but what names a file for one of them
 * is commented out: a secret is given once.
 */
export function withSettings(text: string, settings: Readonly<Record<string, string>>): string {
  const left = new Map(Object.entries(settings));
  const fileNames = new Set(Object.keys(settings).map(fileNameOf));
  const lines = text.split('\n').map((line) => {
    if (fileNames.has(/^\s*(?:export\s+)?([A-Z_]+)\s*=/.exec(line)?.[1] ?? '')) return `#${line}`;
    const name = /^\s*#?\s*([A-Z_]+)\s*=/.exec(line)?.[1];
    const value = name === undefined ? undefined : left.get(name);
    if (name === undefined || value === undefined) return line;
    left.delete(name);
    return `${name}=${quoted(value)}`;
  });
  while (lines.at(-1) === '') lines.pop();
  for (const [name, value] of left) lines.push(`${name}=${quoted(value)}`);
  return `${lines.join('\n')}\n`;
}

/** `.env` files have no escapes: uses the first kind of quote that is not in the value. */
function quoted(value: string): string {
  if (/^[\w.:/@+=-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? '';
  return `${quote}${value}${quote}`;
}
