import { fileNameOf } from '../../config/settings.ts';

const SETTING = /^\s*(#?)\s*(?:export\s+)?([A-Z_]+)\s*=/;

/**
 * Writes settings into the text of an `.env` file. All other lines stay as they are, except that a line which sets one of
 * them again, or names a file for it, is commented out.
 */
export function withSettings(text: string, settings: Readonly<Record<string, string>>): string {
  const lines = text.split('\n');
  while (lines.at(-1) === '') lines.pop();
  for (const [name, value] of Object.entries(settings)) {
    const indexesOf = (wanted: string): readonly number[] =>
      lines.flatMap((line, index) => (SETTING.exec(line)?.slice(1).join('') === wanted ? [index] : []));
    const given = indexesOf(name);
    const [index = lines.length] = [...given, ...indexesOf(`#${name}`)];
    for (const other of [...given, ...indexesOf(fileNameOf(name))]) lines[other] = `#${lines[other]}`;
    lines[index] = `${name}=${quoted(value)}`;
  }
  return `${lines.join('\n')}\n`;
}

/** Quotes a value with the first kind of quote that is not in it, because `.env` files have no escapes. */
function quoted(value: string): string {
  if (/^[\w.:/@,+=-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? '';
  return `${quote}${value}${quote}`;
}

/** Adds a person to the value of `OWNERS`. */
export function ownersWith(owners: string, platform: string, id: string): string {
  const before = owners.split(',').map((owner) => owner.trim());
  return [...before.filter((owner) => owner !== ''), `${platform}:${id}`].join(',');
}
