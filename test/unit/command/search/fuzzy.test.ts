import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceToBeginning, editDistance } from '../../../../src/base/edit-distance.ts';
import { comparableName } from '../../../../src/command/search/comparable-name.ts';
import { itemsNamed, rankAll } from '../../../../src/command/search/fuzzy.ts';

const names = [
  'Pop Art',
  'Art Nouveau',
  'Popcorn',
  'Café de Paris',
  'Smart',
  'Halloween',
  'Noir',
  'Ægir',
  'Die Straße',
];
const find = (typed: string, limit = 25) => rankAll(typed, [names], (name) => [name], limit);

describe('finding names', () => {
  test('a search ranks a prefix of the name first, then the prefix of a word, then a match inside', () => {
    expect(find('art')).toEqual(['Art Nouveau', 'Pop Art', 'Smart']);
    expect(find('pop')).toEqual(['Pop Art', 'Popcorn']);
  });

  test.each([
    { typed: 'haloween', name: 'Halloween' },
    { typed: 'pop atr', name: 'Pop Art' },
    { typed: 'cafe', name: 'Café de Paris' },
    { typed: 'popar', name: 'Pop Art' },
    { typed: 'nouv art', name: 'Art Nouveau' },
    { typed: 'aegir', name: 'Ægir' },
    { typed: 'strasse', name: 'Die Straße' },
    { typed: 'nuov', name: 'Art Nouveau' },
    { typed: 'art nouvou', name: 'Art Nouveau' },
    { typed: 'cafe de prs', name: 'Café de Paris' },
  ])('a search for "$typed" finds $name', ({ typed, name }) => {
    expect(find(typed)[0]).toBe(name);
  });

  test('a search ranks exact substrings before similar ones', () => {
    const stars = ['Pop Art', 'K-Pop Star'];
    expect(rankAll('kpop', [stars], (name) => [name], 25)).toEqual(['K-Pop Star', 'Pop Art']);
  });

  test('a search for an unknown text finds nothing, and one for an empty text finds the first entries', () => {
    expect(find('zzzzzz')).toEqual([]);
    expect(find('qx')).toEqual([]);
    expect(find('', 3)).toEqual(names.slice(0, 3));
    expect(find(' ', 2)).toEqual(names.slice(0, 2));
  });

  test('a search takes symbols literally', () => {
    expect(find('!!!')).toEqual([]);
    expect(rankAll('🎃', [[...names, '🔥', '🎃']], (name) => [name], 25)).toEqual(['🎃']);
    expect(comparableName('🎃')).not.toBe(comparableName('🔥'));
  });

  test('the distance of two words equals the textbook distance, up to the limit', () => {
    const textbook = (a: string, b: string): number => {
      const table = Array.from({ length: a.length + 1 }, (_, i) =>
        Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
      );
      const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
      for (let i = 1; i <= a.length; i += 1)
        for (let j = 1; j <= b.length; j += 1) {
          const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
          const row = table[i];
          if (row)
            row[j] = Math.min(
              at(i - 1, j) + 1,
              at(i, j - 1) + 1,
              at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
              swap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
            );
        }
      return at(a.length, b.length);
    };

    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });

    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 4 }), (a, b, most) => {
        expect(editDistance(a, b, most)).toBe(Math.min(textbook(a, b), most + 1));
      }),
      { numRuns: 2000 },
    );
  });

  test('a partly typed word is compared with the nearest prefix of a name', () => {
    expect(distanceToBeginning('watrcol', 'watercolour', 2)).toBe(1);
    expect(distanceToBeginning('watercolours', 'water', 2)).toBe(3);

    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 4 }), (typed, name, most) => {
        const beginnings = Array.from({ length: name.length + 1 }, (_, end) => name.slice(0, end));
        const nearest = Math.min(...beginnings.map((beginning) => editDistance(typed, beginning, most)));
        expect(distanceToBeginning(typed, name, most)).toBe(nearest);
      }),
      { numRuns: 2000 },
    );
  });

  test('a search finds the same misspellings as comparing every word of every name', () => {
    const word = fc.constantFrom('neon', 'golden', 'gold', 'noir', 'pop', 'art', 'cafe', 'de', 'a', '12');
    const phrase = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
    const slip = fc
      .tuple(phrase, fc.nat(20), fc.constantFrom('x', '', 'e', 'on'), fc.nat(2))
      .map(([text, at, more, less]) => text.slice(0, at) + more + text.slice(at + less))
      .filter((text) => text.trim().length > 2);
    const scoreOf = (typed: string, name: string): number | undefined => {
      const most = Math.min(3, Math.floor(typed.length / 3));
      const words = name.split(' ');
      const scores = words.flatMap((_, from) => {
        const edits = distanceToBeginning(typed, words.slice(from).join(' '), most);
        return edits > most ? [] : [4 + edits + (from === 0 ? 0 : 0.5)];
      });
      return scores.length === 0 ? undefined : Math.min(...scores);
    };

    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(phrase, { maxLength: 6 }), { maxLength: 3 }),
        slip,
        (lists, typed) => {
          const wanted = comparableName(typed);
          const all = lists.flat();
          const textsOf = (name: string): readonly string[] => [name];
          // A name that contains what was typed is better than any misspelling, so such lists are left out.
          fc.pre(rankAll(typed, lists, textsOf, 99, { rows: 0 }).length === 0);
          const expected = all
            .flatMap((name) => ({ name, score: scoreOf(wanted, name) ?? Number.NaN }))
            .filter(({ score }) => !Number.isNaN(score))
            .sort((a, b) => a.score - b.score);
          expect(rankAll(typed, lists, textsOf, 99)).toEqual(expected.map(({ name }) => name));
        },
      ),
      { numRuns: 1000 },
    );
  });

  describe('in a catalog of ten thousand', () => {
    const words = [
      'neon',
      'golden',
      'midnight',
      'velvet',
      'pop',
      'art',
      'noir',
      'water',
      'colour',
      'lantern',
      'pirate',
      'crew',
      'vapor',
      'wave',
      'retro',
    ];

    const catalogOf = (length: number, wordsEach: number): readonly string[] =>
      Array.from({ length }, (_, at) =>
        Array.from(
          { length: wordsEach },
          (_each, word) => words[(at * (word + 3) + word) % words.length],
        ).join(' '),
      );

    const rowsFor = (typed: string, names: readonly string[]): number => {
      const effort = { rows: 1_000_000 };
      rankAll(typed, [names], (name) => [name], 25, effort);
      return 1_000_000 - effort.rows;
    };

    const hostile = ['goldn midnigt', 'zzz', 'e e e e e e e e e', 'x'.repeat(100), 'nwo', 'wavr'];

    test.each(hostile)(
      'a keystroke takes few comparisons in ten thousand names, and no more than twice as many in twice the list: %s',
      (typed) => {
        const one = rowsFor(typed, catalogOf(10_000, 4));
        const two = rowsFor(typed, catalogOf(20_000, 4));

        expect(one).toBeLessThan(200_000);
        expect(two).toBeLessThanOrEqual(2.2 * one + 100);
      },
    );

    test('adversarial names cost a search no more than the limit', () => {
      const names = Array.from({ length: 10_000 }, (_, at) => `${'a b '.repeat(24)}${at}`);
      const effort = { rows: 50_000 };

      rankAll('a b '.repeat(20).replace('b', 'c'), [names], (name) => [name], 25, effort);
      expect(effort.rows).toBeLessThanOrEqual(0);
      expect(effort.rows).toBeGreaterThan(-200);
    });
  });

  test('an error in the first word ranks before one in a later word', () => {
    expect(rankAll('glod', [['Old Gold', 'Golden Hour']], (name) => [name], 25)).toEqual([
      'Golden Hour',
      'Old Gold',
    ]);
  });

  test('names are the same to a search but for case, accents and punctuation', () => {
    expect(itemsNamed('pop-ART', names, (name) => [name])).toEqual(['Pop Art']);
    expect(itemsNamed('pop', names, (name) => [name])).toEqual([]);

    const long = ['A', 'B'].map((end) => `${'very '.repeat(30)}${end}`);
    expect(itemsNamed(long[1] ?? '', long, (name) => [name])).toEqual([long[1]]);
  });

  test('a search finds an exact name first, and never more than the limit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.integer({ min: 1, max: 5 }), (name, limit) => {
        const found = find(name.toUpperCase(), limit);
        expect(found[0]).toBe(name);
        expect(found.length).toBeLessThanOrEqual(limit);
      }),
    );
  });
});
