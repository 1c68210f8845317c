const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
// An unclosed element extends to the end of the text, as in a browser. Otherwise the rest of the text would be scanned once for
// each of them.
const MARKUP = /<(script|style)\b[\s\S]*?(?:<\/\1>|$)|<[^<>]{0,500}>/gi;
const QUERY = /(https?:\/\/[^\s?#]{0,300})[?#]\S*/gi;
const USER_INFO = /(https?:\/\/)[^\s/@]{1,300}@/gi;
// Long runs without blanks are cut, because an echoed request would put a whole picture into an error message.
const LONG_RUN = /[A-Za-z0-9+/=_-]{80,}/g;

/**
 * Makes untrusted text safe to show and log: one line, without markup, queries of links and secrets, bounded. Only the start is
 * read, so that a huge text costs little.
 */
export function plainText(text: string, secrets: readonly string[] = [], max = 300): string {
  let clean = text.slice(0, 20_000);
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[secret]');
  clean = clean
    .replace(MARKUP, ' ')
    .replace(USER_INFO, '$1')
    .replace(QUERY, '$1')
    .replace(LONG_RUN, '…')
    .replace(CONTROL, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean.length <= max) return clean.toWellFormed();
  // Never cuts a surrogate pair in two.
  const start = clean.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}…`.toWellFormed();
}
