import { describe, expect, it } from 'vitest';
import { filterForPrompt } from '../../../../src/generation-service/render/prompt.ts';

describe('prompts', () => {
  it('find the look that their words ask for', () => {
    expect(filterForPrompt('as a watercolor painting')).toBe('face/3');
    expect(filterForPrompt('An astronaut on the moon')).toBe('realistic/19');
  });

  it('without a known word always get the same look', () => {
    expect(filterForPrompt('qwertz')).toBe(filterForPrompt('qwertz'));
    expect(new Set(['aa', 'bb', 'cc', 'dd', 'ee', 'ff'].map(filterForPrompt)).size).toBeGreaterThan(1);
  });
});
