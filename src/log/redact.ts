/** What stands in a log line where a secret was. */
export const HIDDEN = '[secret]';

/** Shorter needles would eat ordinary words; the configuration warns about secrets this short. */
const SHORTEST_NEEDLE = 4;

/** Shapes of secrets that were never configured here: interaction tokens, other bots' tokens, headers. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  // Telegram puts the token into the path of every address, also of a file's.
  [/(bot)\d+(?::|%3A)[\w-]+/gi, `$1${HIDDEN}`],
  [/\b\d{6,}(?::|%3A)[\w-]{30,}/gi, HIDDEN],
  // Discord's interaction and webhook tokens allow answering as the bot.
  [/((?:\/|%2F)(?:webhooks|interactions)(?:\/|%2F)\d+(?:\/|%2F))[^/?#%\s"'\\]+/gi, `$1${HIDDEN}`],
  // The signature of an attachment's address opens a private photo to whoever reads the log.
  [/([?&]hm=)[0-9a-f]+/gi, `$1${HIDDEN}`],
  [/(authorization\\?["']?\s*[:=,]\s*\\?["']?)(?:(?:bot|bearer|basic)\s+)?[^\s"',\\}]+/gi, `$1${HIDDEN}`],
  [/\b(bot|bearer|basic)(\s+)[\w.~+/=-]{16,}/gi, `$1$2${HIDDEN}`],
  // User name and password in an address, as in redis://user:password@host.
  [/:\/\/[^/?#\s"'\\@]+@/g, `://${HIDDEN}@`],
];

/** Returns a function that removes the given secrets, and everything shaped like one, from a text. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const needles = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) needles.add(form);
  const known = anyOf([...needles].filter((needle) => needle.length >= SHORTEST_NEEDLE));
  return (text) => {
    let clean = known === undefined ? text : text.replace(known, HIDDEN);
    for (const [shape, replacement] of SHAPES) clean = clean.replace(shape, replacement);
    return clean;
  };
}

/** One pass over the text for all needles; longest first, so that a secret that contains another goes whole. */
function anyOf(needles: readonly string[]): RegExp | undefined {
  if (needles.length === 0) return undefined;
  const longestFirst = needles.toSorted((a, b) => b.length - a.length);
  return new RegExp(
    longestFirst.map((needle) => needle.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
}

function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    // JSON inside a field of a JSON line is escaped twice.
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    Buffer.from(secret).toString('hex'),
    ...base64Forms(secret),
  ];
}

/** Base64 of a longer text shows a secret in one of three alignments; the middle part is always the same. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = [bytes.toString('base64'), bytes.toString('base64url')];
  const inner = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    const part = padded.toString('base64').slice(from, to);
    // A short middle part could be any word.
    return part.length >= 8 ? [part, part.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
  return [...whole, ...inner];
}
