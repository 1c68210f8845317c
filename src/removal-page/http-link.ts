/** The address that a person typed, perhaps without its scheme; undefined if it is none. */
export function parseHttpLink(typed: string): string | undefined {
  const text = /^[\w+.-]+:/.test(typed) && !/^[\w.-]+:\d/.test(typed) ? typed : `https://${typed}`;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.')) return undefined;
  return url.href;
}
