/** Cuts to at most this many characters, ending in "…". Never splits a character. */
export function shorten(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}
