import { describe, expect, it } from 'vitest';
import { filterForPrompt } from '../../../../src/generation-service/render/prompt.ts';

describe('prompts', () => {
  it('choose the filter by their words', () => {
    expect(filterForPrompt('as a watercolor painting')).toBe('face/3');
    expect(filterForPrompt('An astronaut on the moon')).toBe('realistic/19');
  });

  it.each([
    ['golden light', 'face/19'],
    ['stars over an old house', 'realistic/19'],
    ['a romantic start', 'face/12'],
  ])('are not taken by a part of a word: %s', (prompt, filter) => {
    expect(filterForPrompt(prompt)).toBe(filter);
  });

  it('without a known word always get the same filter', () => {
    expect(filterForPrompt('qwertz')).toBe(filterForPrompt('qwertz'));
    expect(new Set(['aa', 'bb', 'cc', 'dd', 'ee', 'ff'].map(filterForPrompt)).size).toBeGreaterThan(1);
  });
});
