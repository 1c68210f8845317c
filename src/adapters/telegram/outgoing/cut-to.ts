/** Cuts a text without leaving half a surrogate pair, which Telegram refuses. */
export function cutTo(text: string, length: number): string {
  const cut = text.slice(0, Math.max(0, length));
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
