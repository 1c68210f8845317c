import type { Aliases } from './aliases.ts';
import type { CustomFilters, ModelType } from './custom-filters.ts';
import { Problem } from './problem.ts';
import { classicRecipes } from './render/recipes/classic.ts';
import { faceRecipes } from './render/recipes/face.ts';
import { realisticRecipes } from './render/recipes/realistic.ts';
import type { Recipe } from './render/recipes/recipe.ts';
import { stylizedRecipes } from './render/recipes/stylized.ts';

export const catalogs = {
  face: faceRecipes,
  realistic: realisticRecipes,
  stylized: stylizedRecipes,
  classic: classicRecipes,
} satisfies Record<string, Recipe[]>;

export type CatalogName = keyof typeof catalogs;

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type Catalog = ReturnType<typeof createCatalog>;

/** Turns a filter reference of a request into the recipe to render, or says why it cannot be used. */
export function createCatalog(filters: CustomFilters, aliases: Aliases) {
  const ofNumber = (name: CatalogName, number: number): Recipe => {
    const recipe = catalogs[name].find(({ id }) => id === number);
    if (recipe === undefined) throw new Problem(422, 'FILTER_NOT_FOUND', `There is no filter ${number}.`);
    return recipe;
  };
  const ofUuid = (user: string, uuid: string, type: ModelType): string => {
    const direct = uuidShape.test(uuid) ? filters.find(user, uuid) : undefined;
    const target = direct ?? filters.find(user, aliases.filterOf(user, uuid.toLowerCase()) ?? '');
    if (target === undefined) {
      throw new Problem(422, 'WORKFLOW_FETCH_FAILED', 'The workflow of this filter could not be loaded.');
    }
    if (target.filterType !== type) {
      const detail = `This filter is made for ${target.filterType}, not for ${type}.`;
      throw new Problem(422, 'FILTER_TYPE_MISMATCH', detail);
    }
    return target.recipe;
  };

  return {
    list: (name: CatalogName) =>
      catalogs[name].map(({ id, key, name: title }) => ({
        id: String(id),
        name: title,
        preview: `/previews/${key}.jpg`,
      })),

    faceRecipe(user: string, reference: number | string, group: boolean): string {
      const number = asNumber(reference);
      if (number === undefined) {
        const recipe = ofUuid(user, String(reference), 'face_swap');
        if (group) {
          throw new Problem(422, 'FILTER_BLOCKED', 'Group mode (gender 4) takes integer filter ids only.');
        }
        return recipe;
      }
      const recipe = ofNumber('face', number);
      if (group && recipe.singleOnly) {
        throw new Problem(422, 'FILTER_BLOCKED', `Filter ${number} is not available in group mode.`);
      }
      return recipe.key;
    },

    groupRecipe(
      user: string,
      reference: number | string,
      look: 'realistic' | 'stylized' | 'classic',
    ): string {
      const number = asNumber(reference);
      if (number === undefined) return ofUuid(user, String(reference), 'multi_swap');
      return ofNumber(look, number).key;
    },
  };
}

/** Catalogs give identifiers as strings that hold an integer, so both forms are taken. */
function asNumber(reference: number | string): number | undefined {
  if (typeof reference === 'number') return reference;
  return /^\d{1,9}$/.test(reference.trim()) ? Number(reference) : undefined;
}
