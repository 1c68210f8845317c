import { classicRecipes } from './classic.ts';
import { customRecipes } from './custom.ts';
import { faceRecipes } from './face.ts';
import { realisticRecipes } from './realistic.ts';
import type { Recipe } from './recipe.ts';
import { stylizedRecipes } from './stylized.ts';

const recipes = new Map<string, Recipe>(
  [...faceRecipes, ...realisticRecipes, ...stylizedRecipes, ...classicRecipes, ...customRecipes].map(
    (recipe) => [recipe.key, recipe],
  ),
);

export function recipeOf(key: string): Recipe {
  const recipe = recipes.get(key);
  if (recipe === undefined) throw new Error(`there is no recipe ${key}`);
  return recipe;
}
