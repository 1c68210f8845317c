import { readFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { createFaceFinder } from '../../../src/faces/finder.ts';

const finder = createFaceFinder();
afterAll(() => finder.close());

const sample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../src/generation-service/samples/${name}.jpg`, import.meta.url));

it('finds the five people of a group, the largest first, and not their dog', async () => {
  const faces = await finder.find(await sample('group'));
  expect(faces).toHaveLength(5);
});

it('says where people are', async () => {
  const { width, height, alpha } = await finder.cutOut(await sample('portrait'));
  expect([width, height]).toEqual([341, 512]);
  expect(alpha[300 * width + 170]).toBeGreaterThan(200);
  expect(alpha[20 * width + 20]).toBeLessThan(50);
});
