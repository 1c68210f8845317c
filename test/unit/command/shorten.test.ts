import { describe, expect, it } from 'vitest';
import { shorten } from '../../../src/command/shorten.ts';

describe('shortening', () => {
  it('leaves short text unchanged', () => {
    expect(shorten('', 3)).toBe('');
    expect(shorten('abc', 3)).toBe('abc');
  });

  it('ends long text with an ellipsis, within the limit', () => {
    expect(shorten('abcd', 3)).toBe('ab…');
  });

  it('counts characters and splits none', () => {
    expect(shorten('🌅🌄🌃', 3)).toBe('🌅🌄🌃');
    expect(shorten('🌅🌄🌃🌌', 3)).toBe('🌅🌄…');
  });
});
