const control = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
// One that is never closed goes to the end, as in a browser: otherwise each would be looked through to the end.
const markup = /<(script|style)\b[\s\S]*?(?:<\/\1>|$)|<[^<>]{0,500}>/gi;
const query = /(https?:\/\/[^\s?#]{0,300})[?#]\S*/gi;
const userInfo = /(https?:\/\/)[^\s/@]{1,300}@/gi;
// A service that echoes the request would put a whole picture into an error message.
const longRun = /[A-Za-z0-9+/=_-]{80,}/g;

/**
 * Foreign words made fit to be shown and logged: one line, no markup, no queries, no secrets, bounded.
 * Only the start is looked at, so that a hostile body costs nothing.
 */
export function plainText(text: string, secrets: readonly string[] = [], max = 300): string {
  let clean = text.slice(0, 20_000);
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '[secret]');
  clean = clean
    .replace(markup, ' ')
    .replace(userInfo, '$1')
    .replace(query, '$1')
    .replace(longRun, '…')
    .replace(control, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean.length <= max) return clean.toWellFormed();
  // No character is cut in two.
  const start = clean.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}…`.toWellFormed();
}
