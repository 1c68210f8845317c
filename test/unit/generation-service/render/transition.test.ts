import { describe, expect, it } from 'vitest';
import { transitionFor } from '../../../../src/generation-service/render/transition.ts';

describe('the transition', () => {
  it.each(['fade', 'wipe', 'circle', 'blinds', 'spin', 'melt', 'dissolve', 'sunrise'])(
    '%s begins with one picture and ends with the other',
    (prompt) => {
      const transition = transitionFor(prompt);
      for (const u of [0, 0.3, 0.99]) {
        for (const v of [0, 0.5, 0.99]) {
          expect(transition(u, v, 0)).toBeCloseTo(0, 1);
          expect(transition(u, v, 1)).toBeCloseTo(1, 1);
        }
      }
    },
  );

  it('is a cross-fade for words of which only a part is known', () => {
    const [known, plain] = [transitionFor('a couple in Japan, a thousand returns'), transitionFor('xyz')];
    expect([0.2, 0.5, 0.8].map((u) => known(u, 0.1, 0.3))).toEqual(
      [0.2, 0.5, 0.8].map((u) => plain(u, 0.1, 0.3)),
    );
  });
});
