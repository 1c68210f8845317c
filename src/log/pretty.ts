import { parseJson } from '../base/parse-json.ts';

const colours: Readonly<Record<string, number>> = {
  trace: 90,
  debug: 36,
  info: 32,
  warn: 33,
  error: 31,
  fatal: 35,
};

/** Formats a log line of JSON as a readable line, with the stack of an error below it. */
export function prettyLine(line: string): string {
  const entry = parse(line);
  if (entry === undefined) return line;
  const { time, level, msg, err, ...rest } = entry;
  const clock = typeof time === 'string' ? time.slice(11, 19) : '--:--:--';
  const name = typeof level === 'string' ? level : 'info';
  const tag = `\u001b[${colours[name] ?? 0}m${name.toUpperCase().padEnd(5)}\u001b[0m`;
  const words = typeof msg === 'string' ? visible(msg) : '';
  const extras = Object.entries(rest).map(
    ([key, value]) => ` \u001b[2m${visible(key)}=${shown(value)}\u001b[0m`,
  );
  return `${clock} ${tag} ${words}${extras.join('')}${errorLines(err)}\n`;
}

function parse(line: string): Record<string, unknown> | undefined {
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function errorLines(err: unknown): string {
  if (typeof err !== 'object' || err === null) return err === undefined ? '' : ` err=${shown(err)}`;
  const { stack, type, message, ...rest }: Record<string, unknown> = { ...err };
  const head = typeof stack === 'string' ? stack : `${String(type)}: ${String(message)}`;
  const lines = head.split('\n').map((part) => `\n    ${visible(part)}`);
  const more = Object.keys(rest).length > 0 ? `\n    ${shown(rest)}` : '';
  return lines.join('') + more;
}

const shown = (value: unknown): string => visible(typeof value === 'string' ? value : JSON.stringify(value));

/** Removes control sequences, which text from users must not send to the terminal. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');
}
