/** The text that replaces a secret in a log line. */
export const hidden = '[secret]';

/** Shorter secrets would match ordinary words. Settings refuse them; addresses that contain one are hidden by their shape. */
export const SHORTEST_SECRET = 4;

/** Patterns of secrets that are not configured: interaction tokens, other bots' tokens, headers. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // Telegram's addresses, including those of files, contain the token.
  [/(bot)\d+(?::|%3A)[\w-]+/gi, `$1${hidden}`],
  [/\b\d{6,}(?::|%3A)[\w-]{30,}/gi, hidden],
  // Discord's interaction and webhook tokens allow posting as the bot.
  [/((?:\/|%2F)(?:webhooks|interactions)(?:\/|%2F)\d+(?:\/|%2F))[^/?#%\s"'\\]+/gi, `$1${hidden}`],
  // The signature in an attachment's address gives access to a private photo.
  [/([?&]hm=)[0-9a-f]+/gi, `$1${hidden}`],
  [/(authorization\\?["']?\s*[:=,]\s*\\?["']?)(?:(?:bot|bearer|basic)\s+)?[^\s"',\\}]+/gi, `$1${hidden}`],
  [/\b(bot|bearer|basic)(\s+)[\w.~+/=-]{16,}/gi, `$1$2${hidden}`],
  // An address may contain user name and password, as in redis://user:password@host.
  [/(?<!\bpostgres):\/\/[^/?#\s"'\\@]+@/g, `://${hidden}@`],
  // The user in a PostgreSQL address stays visible if there is no password, for the owner to see.
  [/(?<=\bpostgres):\/\/[^/?#\s"'\\@:]*:[^/?#\s"'\\@]*@/g, `://${hidden}@`],
];

/** Creates a function that removes the given secrets, and texts of the same form, from a text. */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const needles = new Set<string>();
  for (const secret of secrets) for (const form of formsOf(secret)) needles.add(form);
  const known = anyOf([...needles].filter((needle) => needle.length >= SHORTEST_SECRET));
  return (text) => {
    let clean = known === undefined ? text : text.replace(known, hidden);
    for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
    return clean;
  };
}

/** A pattern of all secrets, the longest first, so that a secret that contains another is removed whole. */
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

/**
 * The base64 forms of a secret. Inside a longer base64 text it has one of three alignments, for each of which its middle part
 * is always the same.
 */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const whole = [bytes.toString('base64'), bytes.toString('base64url')];
  const inner = [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const from = Math.ceil((offset * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    const part = padded.toString('base64').slice(from, to);
    // A shorter part could match an ordinary word.
    return part.length >= 8 ? [part, part.replaceAll('+', '-').replaceAll('/', '_')] : [];
  });
  return [...whole, ...inner];
}
