import { expect, it } from 'vitest';
import { createPostpone } from '../../../../src/store/tables/save.ts';

it('polls that found nothing new are written together, and those that come meanwhile after them', async () => {
  const written: string[][] = [];
  const first = Promise.withResolvers<void>();
  const postpone = createPostpone(async (some) => {
    written.push(some.map(([id]) => id));
    if (written.length === 1) await first.promise;
    return new Set(['a', 'c']);
  });
  const poll = (id: string) => postpone([id, 1, 1, '01', 0]);
  const both = Promise.all([poll('a'), poll('b')]);
  expect(written).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  const later = Promise.all([poll('c'), poll('d')]);
  first.resolve();
  expect(await both).toEqual([true, false]);
  expect(await later).toEqual([true, false]);
  expect(written).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});
