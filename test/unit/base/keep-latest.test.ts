import { describe, expect, it } from 'vitest';
import { keepLatest } from '../../../src/base/keep-latest.ts';

describe('keeping the latest', () => {
  it('lets those go that were put in first, and no more than it must', () => {
    const map = new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    keepLatest(map, 3);
    expect([...map.keys()]).toEqual(['a', 'b', 'c']);
    keepLatest(map, 2);
    expect([...map.keys()]).toEqual(['b', 'c']);
  });

  it('counts what was put in anew as new', () => {
    const set = new Set(['a', 'b', 'c']);
    set.delete('a');
    set.add('a');
    keepLatest(set, 1);
    expect([...set]).toEqual(['a']);
  });

  it('takes any key, also one that is undefined', () => {
    const map = new Map<string | undefined, number>([
      [undefined, 1],
      ['b', 2],
    ]);
    keepLatest(map, 1);
    expect([...map]).toEqual([['b', 2]]);
  });
});
