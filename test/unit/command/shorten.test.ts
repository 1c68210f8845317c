import { describe, expect, it } from 'vitest';
import { shorten } from '../../../src/command/shorten.ts';

describe('shortening', () => {
  it('leaves what fits as it is', () => {
    expect(shorten('', 3)).toBe('');
    expect(shorten('abc', 3)).toBe('abc');
  });

  it('ends what does not with an ellipsis, within the limit', () => {
    expect(shorten('abcd', 3)).toBe('ab…');
  });

  it('counts characters and cuts none in two', () => {
    expect(shorten('🌅🌄🌃', 3)).toBe('🌅🌄🌃');
    expect(shorten('🌅🌄🌃🌌', 3)).toBe('🌅🌄…');
  });
});
