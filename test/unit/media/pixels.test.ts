import { expect, it } from 'vitest';
import { pixelsOf } from '../../../src/media/pixels.ts';

const aside = () => new Promise<void>((resolve) => setImmediate(resolve));

it('large pictures take their turns one at a time, and leave the others theirs', async () => {
  const running = { large: 0, small: 0 };
  const most = { large: 0, small: 0, both: 0 };
  const finished: string[] = [];
  const task = (kind: 'large' | 'small') => async () => {
    running[kind] += 1;
    most[kind] = Math.max(most[kind], running[kind]);
    most.both = Math.max(most.both, running.large + running.small);
    for (let step = 0; step < (kind === 'large' ? 20 : 1); step += 1) await aside();
    running[kind] -= 1;
    finished.push(kind);
  };
  await Promise.all([
    ...Array.from({ length: 3 }, () => pixelsOf(40_000_000)(task('large'))),
    ...Array.from({ length: 12 }, () => pixelsOf(12_000_000)(task('small'))),
  ]);
  expect(most).toEqual({ large: 1, small: 2, both: 3 });
  expect(finished.slice(0, 12)).toEqual(Array(12).fill('small'));
});
