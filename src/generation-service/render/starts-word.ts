/** Whether a word of the prompt begins with one of these: "rain" is in "rainy", not in "train". */
export function startsWord(prompt: string, words: RegExp): boolean {
  return new RegExp(`(?<!\\p{L})(?:${words.source})`, 'iu').test(prompt);
}
