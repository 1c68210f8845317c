/** A blocked word, ready for comparing. */
export interface Form {
  /** Never empty, at most `longestForm`. */
  readonly letters: string;
  /** Offsets in `letters` at which the text may have a break. */
  readonly gaps: ReadonlySet<number>;
  /** Its place among the blocked words. */
  readonly index: number;
}

/** The letters of a text without anything between them, and for each place in them what the text has there. */
export interface Reading {
  readonly letters: string;
  /** 1 where a piece begins; one more entry than there are letters, its last one is always 1. */
  readonly starts: Uint8Array;
  /** 1 where a word can neither go on nor come from. */
  readonly breaks: Uint8Array;
}

/**
 * A search takes at most this many steps for each letter of the text, however many words are blocked. Every word that
 * can be typed has room: 60 letters, each of which may stand for three.
 */
export const longestForm = 180;

/** Forms with a common beginning, as a tree: each is compared with the text once for all forms below it. */
interface Node {
  /** How many letters lead to it, the `label` included. */
  readonly depth: number;
  /** The last letters of those, from the node above. */
  readonly label: string;
  /** Those that end here. */
  readonly forms: readonly Form[];
  /** The gaps of all forms here and below. */
  readonly gaps: ReadonlySet<number>;
  readonly next: ReadonlyMap<number, Node>;
}

/** `forms` are sorted, so the first and the last of them tell what all have in common. */
const grow = (forms: readonly Form[], from: number): Node => {
  const first = forms[0]?.letters ?? '';
  const last = forms.at(-1)?.letters ?? '';
  let depth = from;
  while (depth < first.length && first[depth] === last[depth]) depth += 1;
  const below = Map.groupBy(
    forms.filter(({ letters }) => letters.length > depth),
    ({ letters }) => letters.charCodeAt(depth),
  );
  return {
    depth,
    label: first.slice(from, depth),
    forms: forms.filter(({ letters }) => letters.length === depth),
    gaps: new Set(forms.flatMap(({ gaps }) => [...gaps])),
    next: new Map([...below].map(([letter, some]) => [letter, grow(some, depth)])),
  };
};

/**
 * Finds the first of the words in a text: whole words only, from the start of a piece to the end of one, or to an `s`
 * before it. `onSteps` is told how many letters each search compared.
 */
export const createWordFinder = (
  words: readonly Form[],
  onSteps: (steps: number) => void = () => undefined,
): ((reading: Reading) => number | undefined) => {
  const sorted = words.toSorted((a, b) => (a.letters < b.letters ? -1 : 1));
  const root = grow(sorted, 0);

  return ({ letters, starts, breaks }) => {
    let steps = 0;
    let best: number | undefined;
    const isEnd = (at: number): boolean => starts[at] === 1 || (letters[at] === 's' && starts[at + 1] === 1);

    const searchFrom = (start: number): void => {
      const crossed: number[] = [];
      let node: Node | undefined = root;
      for (let offset = 0; node !== undefined; ) {
        for (let letter = 0; letter < node.label.length; letter += 1, offset += 1) {
          steps += 1;
          if (letters.charCodeAt(start + offset) !== node.label.charCodeAt(letter)) return;
          if (offset === 0 || breaks[start + offset] === 0) continue;
          if (!node.gaps.has(offset)) return;
          crossed.push(offset);
        }
        for (const { gaps, index } of isEnd(start + offset) ? node.forms : [])
          if ((best === undefined || index < best) && crossed.every((at) => gaps.has(at))) best = index;
        node = node.next.get(letters.charCodeAt(start + offset));
      }
    };

    if (words.length > 0) for (let at = 0; at < letters.length; at += 1) if (starts[at] === 1) searchFrom(at);
    onSteps(steps);
    return best;
  };
};
