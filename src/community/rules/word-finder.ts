/** A blocked word, prepared for comparing. */
export interface Form {
  /** Never empty, at most `maxFormLength`. */
  readonly letters: string;
  /** Offsets in `letters` at which the text may have a break. */
  readonly gaps: ReadonlySet<number>;
  /** Its position in the list of blocked words. */
  readonly index: number;
}

/** The letters of a text without anything between them, and what the text has at each position. */
export interface Reading {
  readonly letters: string;
  /** 1 where a piece starts; one more entry than letters, the last one is 1. */
  readonly starts: Uint8Array;
  /** 1 where no word continues. */
  readonly breaks: Uint8Array;
}

/**
 * A search takes at most this many steps per letter of the text, however many words are blocked. Enough for a word of 60
 * letters, each of which may become three.
 */
export const MAX_FORM_LENGTH = 180;

/**
 * Finds the first of the words in a text, from the start of a piece to the end of one (or to a plural `s` before it).
 * `onSteps` receives how many letters each search compared.
 */
export function createWordFinder(
  words: readonly Form[],
  onSteps: (steps: number) => void = () => undefined,
): (reading: Reading) => number | undefined {
  const sorted = words.toSorted((a, b) => (a.letters < b.letters ? -1 : 1));
  /** The first of these that goes on after `offset` letters with this one or a later one. */
  const firstWith = (letter: number, offset: number, from: number, to: number): number => {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(sorted[middle]?.letters.charCodeAt(offset)) >= letter) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  return ({ letters, starts, breaks }) => {
    let steps = 0;
    let best: number | undefined;
    const isEnd = (at: number): boolean => starts[at] === 1 || (letters[at] === 's' && starts[at + 1] === 1);

    /** Keeps those of the sorted words that begin like the text, letter by letter. */
    const searchFrom = (start: number): void => {
      const crossed: number[] = [];
      let [from, to] = [0, sorted.length];
      for (let offset = 0; from < to; offset += 1) {
        // Those that end here come first.
        for (let form = sorted[from]; from < to && form?.letters.length === offset; form = sorted[from]) {
          const { gaps, index } = form;
          const isFirst = isEnd(start + offset) && (best === undefined || index < best);
          if (isFirst && crossed.every((at) => gaps.has(at))) best = index;
          from += 1;
        }
        if (offset > 0 && breaks[start + offset] === 1) crossed.push(offset);
        const letter = letters.charCodeAt(start + offset);
        from = firstWith(letter, offset, from, to);
        to = firstWith(letter + 1, offset, from, to);
        steps += 1;
      }
    };

    for (let at = 0; at < letters.length; at += 1) if (starts[at] === 1) searchFrom(at);
    onSteps(steps);
    return best;
  };
}
