import { isUuid } from '../../base/uuid.ts';
import type { CatalogEntry } from '../../command/catalog-port.ts';
import { UserError } from '../../command/errors.ts';
import { ALIAS_NAME } from '../../command/read-arguments.ts';
import type { FilterChoice } from '../../command/request.ts';
import { itemsNamed, rankAll } from '../../command/search/fuzzy.ts';
import type { FilterListName, FilterModel } from '../../kinds/choices.ts';
import type { Words } from '../../words/words.ts';
import type { Catalogs } from './catalog.ts';
import { ofModel } from './filter-names.ts';

/** Matches a number as it may be typed: `12`, `#12`, or the label of a suggestion, `12 · Pop Art`. */
const NUMBER = /^#?(\d{1,9})(?: · .*)?$/;
const HIGHEST_STYLE = 25;
const LOOKS: readonly FilterListName[] = ['realistic', 'stylized', 'classic'];
const NEAREST_SHOWN = 3;
/** How long a number waits for its list; short, because a number can be used without the list. */
const NUMBER_WAIT_MS = 150;

/** One function for all calls, because prepared names are cached per function. */
const namesOf = ({ name }: { readonly name: string }): readonly string[] => [name];

const label = ({ reference, name }: CatalogEntry): string => `${reference} (${name})`;

/**
 * Makes the function that finds the filter of a typed reference. A reference is, in this order: a catalog number, a UUID, an
 * alias of the community, a name in the catalog, the name of a custom filter. An alias of digits alone works only if the
 * catalog has no such number.
 */
export function createReferences(
  catalogs: Pick<Catalogs, 'peek' | 'load'>,
  /** Finds an alias in our own store. */
  aliasNamed: (
    community: string,
    name: string,
  ) => Promise<{ readonly id: string; readonly model: FilterModel } | undefined>,
  /** The cached aliases, for the nearest names to a misspelt one. */
  aliasNames: (community: string) => readonly { readonly name: string; readonly model: FilterModel }[],
) {
  const known = (name: string, list: FilterListName): readonly CatalogEntry[] =>
    itemsNamed(name, catalogs.peek(list) ?? [], namesOf);

  /** Finds the filter that was typed; throws a UserError with the rule and the nearest names. */
  return async (
    asked: string,
    model: FilterModel,
    catalog: FilterListName,
    community: string,
    { reference: said }: Words,
  ): Promise<FilterChoice> => {
    // The text is normalized (NFKC), because some keyboards type full-width digits.
    const text = asked.normalize('NFKC').trim();

    const checkModel = (name: string, found: CatalogEntry['model']): void => {
      if (found !== 'unknown' && found !== model)
        throw new UserError(said.wrongModel(name, said.models[found], said.models[model]));
    };
    const byAlias = async (): Promise<FilterChoice | undefined> => {
      const typed = text.toLowerCase();
      const alias = ALIAS_NAME.test(typed) ? await aliasNamed(community, typed) : undefined;
      if (alias === undefined) return undefined;
      checkModel(typed, alias.model);
      return { by: 'alias', id: alias.id, name: typed };
    };

    const byNumber = async (id: number): Promise<FilterChoice> => {
      const ranged = model === 'group' && catalog !== 'classic';
      if (ranged && (id < 1 || id > HIGHEST_STYLE)) {
        const alias = await byAlias();
        if (alias !== undefined) return alias;
        throw new UserError(said.styleRange(String(id)));
      }
      const entries = (await catalogs.load(catalog, NUMBER_WAIT_MS)) ?? [];
      const found = entries.find((entry) => entry.reference === String(id));
      if (found !== undefined) return { by: 'number', id, name: found.name };
      const alias = entries.length === 0 ? undefined : await byAlias();
      if (alias !== undefined) return alias;
      // Without a list, and for styles within the range, the service checks the number.
      if (entries.length === 0 || ranged) return { by: 'number', id, name: `#${id}` };
      const nearest = [...entries]
        .sort((a, b) => Math.abs(Number(a.reference) - id) - Math.abs(Number(b.reference) - id))
        .slice(0, NEAREST_SHOWN);
      throw new UserError(said.unknownNumber(String(id), nearest.map(label)));
    };

    const byUuid = async (): Promise<FilterChoice> => {
      const id = text.toLowerCase();
      const found = (await catalogs.load('mine'))?.find((entry) => entry.reference.toLowerCase() === id);
      // The list may lack a paid filter or the UUID of an alias, so an unknown UUID is accepted.
      if (found === undefined) return { by: 'uuid', id, name: said.customName };
      checkModel(found.name, found.model);
      return { by: 'uuid', id: found.reference, name: found.name };
    };

    const byName = async (): Promise<FilterChoice> => {
      const alias = await byAlias();
      if (alias !== undefined) return alias;
      const [standard, custom = []] = await Promise.all([catalogs.load(catalog), catalogs.load('mine')]);
      const [found] = itemsNamed(text, standard ?? [], namesOf);
      if (found !== undefined) return { by: 'number', id: Number(found.reference), name: found.name };
      const mine = itemsNamed(text, custom, namesOf);
      const own = mine.find((entry) => entry.model === model) ?? mine[0];
      if (own !== undefined) {
        checkModel(own.name, own.model);
        return { by: 'uuid', id: own.reference, name: own.name };
      }
      if (standard === undefined) throw new UserError(said.unavailable, 'limit');
      // A name in a list of the other model gives a precise error.
      const [other] = (model === 'face' ? LOOKS : (['face'] as const)).flatMap((list) => known(text, list));
      if (other !== undefined) checkModel(other.name, other.model);
      const look = LOOKS.includes(catalog) && LOOKS.find((each) => known(text, each).length > 0);
      if (look) throw new UserError(said.otherLook(text, look));
      const aliases = aliasNames(community).filter((each) => each.model === model);
      const fitting = [aliases, ofModel[model](standard), ofModel[model](custom)];
      const nearest = new Set(rankAll(text, fitting, namesOf, 3 * NEAREST_SHOWN).map(({ name }) => name));
      throw new UserError(said.unknownName(text, [...nearest].slice(0, NEAREST_SHOWN)));
    };

    const typed = NUMBER.exec(text)?.[1];
    if (typed !== undefined) return byNumber(Number(typed));
    return isUuid(text) ? byUuid() : byName();
  };
}
