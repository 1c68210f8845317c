import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distance, plain, rank } from '../../../src/command/fuzzy.ts';

const names = ['Pop Art', 'Art Nouveau', 'Popcorn', 'Café de Paris', 'Smart', 'Halloween', 'Noir'];
const find = (typed: string, limit = 25) => rank(typed, names, (name) => [name], limit);

describe('finding names', () => {
  test('prefix first, then the prefix of a word, then inside', () => {
    expect(find('art')).toEqual(['Art Nouveau', 'Pop Art', 'Smart']);
    expect(find('pop')).toEqual(['Pop Art', 'Popcorn']);
  });

  test.each([
    ['haloween', 'Halloween'],
    ['hallowene', 'Halloween'],
    ['halow', 'Halloween'],
    ['pop atr', 'Pop Art'],
    ['cafe', 'Café de Paris'],
    ['nuoveau', 'Art Nouveau'],
    ['POP-ART', 'Pop Art'],
  ])('"%s" finds %s', (typed, name) => {
    expect(find(typed)[0]).toBe(name);
  });

  test('what resembles nothing finds nothing; nothing typed finds the first ones', () => {
    expect(find('zzzzzz')).toEqual([]);
    expect(find('qx')).toEqual([]);
    expect(find('', 3)).toEqual(names.slice(0, 3));
    expect(find('!!!', 2)).toEqual(names.slice(0, 2));
  });

  test('a swap of two letters is one mistake', () => {
    expect(distance('ab', 'ba', 3)).toBe(1);
    expect(distance('kitten', 'sitting', 3)).toBe(3);
    expect(distance('abc', 'xyz', 1)).toBe(2);
  });

  test('distance is zero exactly for equals and does not depend on the order', () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(distance(a, b, 20)).toBe(distance(b, a, 20));
        expect(distance(a, b, 20) === 0).toBe(a === b);
      }),
    );
  });

  test('an exact name always comes first, never more than the limit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.integer({ min: 1, max: 5 }), (name, limit) => {
        const found = find(name.toUpperCase(), limit);
        expect(found[0]).toBe(name);
        expect(found.length).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test('names are compared without case, accents and punctuation', () => {
    expect(plain('  Café—DE  Paris! ')).toBe('cafe de paris');
  });
});
