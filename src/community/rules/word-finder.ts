/** A blocked word, prepared for comparing. */
export interface Form {
  /** The letters to compare: never empty, and at most `LONGEST_FORM`. */
  readonly letters: string;
  /** The offsets in `letters` at which the text may have a break. */
  readonly gaps: ReadonlySet<number>;
  /** The position of the word in the list of blocked words. */
  readonly index: number;
}

/** The letters of a text without any other characters, and where its pieces and words begin. */
export interface Reading {
  readonly letters: string;
  /** 1 where a piece starts; has one more entry than letters, whose last one is 1. */
  readonly starts: Uint8Array;
  /** 1 where a word starts that continues no other. */
  readonly breaks: Uint8Array;
}

/**
 * The longest form of a blocked word, which bounds the steps of a search for each letter of the text, however many words are
 * blocked. It is enough for a word of 60 letters, each of which may become three.
 */
export const LONGEST_FORM = 180;

/**
 * A node of a radix tree, in which a common prefix is compared once for all forms. A sorted list was six to a thousand times
 * slower.
 */
interface Node {
  /** The number of letters from the root, including `label`. */
  readonly depth: number;
  /** The letters from the parent to this node. */
  readonly label: string;
  /** The forms that end here. */
  readonly forms: readonly Form[];
  /** The gaps of all forms here and below. */
  readonly gaps: ReadonlySet<number>;
  readonly next: ReadonlyMap<number, Node>;
}

/** Builds the tree of sorted forms, of which the first and the last share the prefix of all. */
function buildTree(forms: readonly Form[], from: number): Node {
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
    next: new Map([...below].map(([letter, some]) => [letter, buildTree(some, depth)])),
  };
}

/**
 * Makes the function that finds the first of the words in a text, from the start of a piece to the end of one (or to a
 * plural `s` before that). `onSteps` receives how many letters a search has compared.
 */
export function createWordFinder(
  words: readonly Form[],
  onSteps: (steps: number) => void = () => undefined,
): (reading: Reading) => number | undefined {
  const sorted = words.toSorted((a, b) => (a.letters < b.letters ? -1 : 1));
  const root = buildTree(sorted, 0);

  return ({ letters, starts, breaks }) => {
    let steps = 0;
    let best: number | undefined;
    const isEnd = (at: number): boolean => starts[at] === 1 || (letters[at] === 's' && starts[at + 1] === 1);

    const searchFrom = (start: number): void => {
      const crossed: number[] = [];
      let node: Node | undefined = root;
      for (let offset = 0; node !== undefined; ) {
        for (let letter = 0; letter < node.label.length; letter += 1) {
          const at = offset + letter;
          steps += 1;
          if (letters.charCodeAt(start + at) !== node.label.charCodeAt(letter)) return;
          if (at === 0 || breaks[start + at] === 0) continue;
          if (!node.gaps.has(at)) return;
          crossed.push(at);
        }
        offset += node.label.length;
        for (const { gaps, index } of isEnd(start + offset) ? node.forms : [])
          if ((best === undefined || index < best) && crossed.every((at) => gaps.has(at))) best = index;
        node = node.next.get(letters.charCodeAt(start + offset));
      }
    };

    if (words.length > 0) {
      for (let at = 0; at < letters.length; at += 1) {
        if (starts[at] === 1) searchFrom(at);
      }
    }
    onSteps(steps);
    return best;
  };
}
