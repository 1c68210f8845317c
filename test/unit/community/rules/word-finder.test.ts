import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWordFinder, type Form, type Reading } from '../../../../src/community/rules/word-finder.ts';

const letter = fc.constantFrom('f', 'f', 's', 'a');

const piece = fc.record({
  letters: fc.string({ unit: letter, minLength: 1, maxLength: 3 }),
  goesOn: fc.boolean(),
});

const word = fc.record({
  letters: fc.string({ unit: letter, minLength: 1, maxLength: 5 }),
  gaps: fc.uniqueArray(fc.integer({ min: 1, max: 4 })).map((all) => new Set(all)),
});

const readingOf = (pieces: readonly { readonly letters: string; readonly goesOn: boolean }[]): Reading => {
  const letters = pieces.map((each) => each.letters).join('');
  const starts = new Uint8Array(letters.length + 1);
  const breaks = new Uint8Array(letters.length + 1);
  let at = 0;
  for (const { letters: some, goesOn } of pieces) {
    starts[at] = 1;
    breaks[at] = goesOn ? 0 : 1;
    at += some.length;
  }
  starts[at] = 1;
  return { letters, starts, breaks };
};

/** Each word at each place, letter by letter. */
const isIn = ({ letters: form, gaps }: Form, { letters, starts, breaks }: Reading): boolean =>
  [...letters].some((_, start) => {
    const end = start + form.length;
    const isEnd = starts[end] === 1 || (letters[end] === 's' && starts[end + 1] === 1);
    const inside = [...form].map((_each, offset) => offset).slice(1);
    return (
      letters.startsWith(form, start) &&
      starts[start] === 1 &&
      isEnd &&
      inside.every((offset) => gaps.has(offset) || breaks[start + offset] === 0)
    );
  });

it('the search for words finds the same as comparing every word at every position', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.array(piece, { maxLength: 8 }), (words, pieces) => {
      const forms = words.map((each, index) => ({ ...each, index }));
      const reading = readingOf(pieces);
      expect(createWordFinder(forms)(reading)).toBe(forms.find((form) => isIn(form, reading))?.index);
    }),
    { numRuns: 3000 },
  );
});
