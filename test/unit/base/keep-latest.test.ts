import { describe, expect, it } from 'vitest';
import { keepLatest } from '../../../src/base/keep-latest.ts';

describe('keepLatest', () => {
  it('removes the oldest entries, and no more than necessary', () => {
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

  it('treats an entry that was set again as new', () => {
    const set = new Set(['a', 'b', 'c']);
    set.delete('a');
    set.add('a');
    keepLatest(set, 1);
    expect([...set]).toEqual(['a']);
  });

  it('accepts any key, also undefined', () => {
    const map = new Map<string | undefined, number>([
      [undefined, 1],
      ['b', 2],
    ]);
    keepLatest(map, 1);
    expect([...map]).toEqual([['b', 2]]);
  });
});
