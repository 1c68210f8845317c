import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { asSharp, createRandom, readCanvas } from '../../../src/generation-service/render/canvas.ts';
import { classicRecipes } from '../../../src/generation-service/render/recipes/classic.ts';
import { customRecipes } from '../../../src/generation-service/render/recipes/custom.ts';
import { faceRecipes } from '../../../src/generation-service/render/recipes/face.ts';
import { realisticRecipes } from '../../../src/generation-service/render/recipes/realistic.ts';
import type { Recipe } from '../../../src/generation-service/render/recipes/recipe.ts';
import { stylizedRecipes } from '../../../src/generation-service/render/recipes/stylized.ts';

const sample = (name: string) =>
  readFile(new URL(`../../../src/generation-service/samples/${name}`, import.meta.url));

/** Thirty pictures one after the other, on a machine that may be busy. */
const patience = 240_000;

/** The recipe's picture, small; then its colours on a coarse grid, which is what a glance takes in. */
async function glance(recipe: Recipe, photo: Buffer, width: number, height: number) {
  let canvas = await readCanvas(sharp(photo).resize(width, height));
  const scene = { unit: Math.min(width, height) / 1200, random: createRandom(1), title: recipe.name };
  for (const step of recipe.steps) canvas = await step(canvas, scene);
  expect([canvas.width, canvas.height]).toEqual([width, height]);
  return (await readCanvas(asSharp(canvas).resize(24, 24, { fit: 'fill' }))).data;
}

const distance = (a: Uint8ClampedArray, b: Uint8ClampedArray) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;

describe.each([
  ['face filters', faceRecipes, 'portrait.jpg', 240, 360],
  ['realistic styles', realisticRecipes, 'group.jpg', 360, 240],
  ['stylized styles', stylizedRecipes, 'group.jpg', 360, 240],
  ['classic styles', classicRecipes, 'group.jpg', 360, 240],
  ['custom filters', customRecipes, 'portrait.jpg', 240, 360],
])('%s', (_title, recipes, file, width, height) => {
  it('keep the size, change the photo and differ from each other', { timeout: patience }, async () => {
    const photo = await sample(file);
    const plain = await glance({ key: 'none', id: 0, name: 'none', steps: [] }, photo, width, height);
    const seen: { name: string; data: Uint8ClampedArray }[] = [{ name: 'the photo itself', data: plain }];
    const alike: string[] = [];
    for (const recipe of recipes) {
      const data = await glance(recipe, photo, width, height);
      for (const other of seen) {
        if (distance(data, other.data) < 4) alike.push(`${recipe.name} and ${other.name}`);
      }
      seen.push({ name: recipe.name, data });
    }
    expect(alike).toEqual([]);
  });

  it('have names and keys of their own', () => {
    expect(new Set(recipes.map(({ name }) => name)).size).toBe(recipes.length);
    expect(new Set(recipes.map(({ key }) => key)).size).toBe(recipes.length);
  });
});
