/** Letters that matter when names are compared: no case, no accents, no punctuation. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Edits (insert, drop, change, swap of neighbours) between two words; stops counting above `most`. */
export const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    if (Math.min(...row) > most) return most + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? most + 1;
};

/** The smaller the better; undefined: no match. Prefix first, then a word's prefix, then inside, then misspelt. */
const score = (typed: string, name: string): number | undefined => {
  if (name === typed) return 0;
  if (name.startsWith(typed)) return 1;
  if (` ${name}`.includes(` ${typed}`)) return 2;
  if (name.includes(typed)) return 3;
  if (typed.length < 3) return undefined;
  const most = Math.min(3, Math.floor(typed.length / 3));
  const whole = distance(typed, name, most);
  // Somebody still typing has misspelt the beginning of a longer name, or one word of it.
  const beginning = Math.min(
    ...[0, 1].map((more) => distance(typed, name.slice(0, typed.length + more), most)),
  );
  const word = Math.min(...name.split(' ').map((each) => distance(typed, each, most)));
  const best = Math.min(whole, beginning, word);
  return best <= most ? 4 + best : undefined;
};

/** The best matches first; equal ones keep their order. Nothing typed: the first ones as they come. */
export const rank = <T>(
  typed: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
  limit: number,
): readonly T[] => {
  const wanted = plain(typed.slice(0, 100));
  if (wanted === '') return items.slice(0, limit);
  const scored: { readonly item: T; readonly score: number }[] = [];
  for (const item of items) {
    const scores = textsOf(item)
      .map((text) => score(wanted, plain(text)))
      .filter((each) => each !== undefined);
    if (scores.length > 0) scored.push({ item, score: Math.min(...scores) });
  }
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, limit)
    .map(({ item }) => item);
};
