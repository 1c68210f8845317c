import type { FilterListName, FilterModel } from '../../kinds/choices.ts';
import type { Words } from '../../words/words.ts';
import { type FilterOrder, isLastOption } from '../catalog-port.ts';
import type { Command } from '../command.ts';
import { describe } from '../describe.ts';
import type { Suggestion } from '../desk.ts';
import type { SavedFace } from '../faces-port.ts';
import type { Given, Option } from '../option.ts';
import { filterKey } from '../request.ts';
import { TIME_ZONES } from '../time-zone.ts';
import { rankAll } from './fuzzy.ts';
import { lastFirst, preferred } from './preferred.ts';

/** Names of filters and aliases that are in memory. */
export interface KnownNames {
  /**
   * Aliases of the community first, then the catalog, then custom filters of that model. Unchanged lists are the same
   * objects each time, because search indexes are cached by list.
   */
  references(
    community: string,
    catalog: FilterListName,
    model: FilterModel | 'any',
  ): readonly (readonly Suggestion[])[];
  /** Whether one of these has this name; case, accents and punctuation do not matter. */
  knows(community: string, catalog: FilterListName, model: FilterModel | 'any', name: string): boolean;
  /** Whether any list or alias has this name but for a typo, for any model. */
  resembles(community: string, name: string): boolean;
  aliases(community: string): readonly Suggestion[];
  /** Waits briefly for names that are not loaded yet: the community's and the catalog's. Never throws. */
  warm(community: string, catalog: FilterListName): Promise<void>;
}

/** The name in the label of a suggestion: "Pop Art" in "12 · Pop Art". */
export const nameInLabel = (label: string): string => label.replace(/^\d+ · /, '');

type Reference = Extract<Option, { kind: 'reference' }>;

/** The catalog of a reference: fixed, or selected by another option's value or default. */
export function catalogOf(
  option: Reference,
  given: Given,
  options: Readonly<Record<string, Option>>,
): FilterListName {
  if (typeof option.catalog === 'string') return option.catalog;
  const { by, lists } = option.catalog;
  const other = options[by];
  const standard = other?.kind === 'choice' ? other.default : undefined;
  const found = [given[by], standard]
    .map((said) => String(said).toLowerCase())
    .find((said) => Object.hasOwn(lists, said));
  return lists[found ?? ''] ?? 'face';
}

const YES = 'yes';
const NO = 'no';
const plain = (value: string): Suggestion => ({ value, label: value });

/** One list, as the index of a list is kept. */
const zones = TIME_ZONES.map((zone) => ({ value: zone, label: zone }));
const textsOf = ({ value, label }: Suggestion): readonly string[] => [value, nameInLabel(label)];

/** Completions for the option that is being typed. */
export async function complete(
  about: {
    readonly options: Readonly<Record<string, Option>>;
    readonly option: string;
    readonly typed: string;
    readonly given: Given;
    readonly community: string;
    /** The caller's saved faces. */
    readonly faces: readonly SavedFace[];
    /** Ids of the channels that `/settings channels` opened. */
    readonly channels: readonly string[];
    readonly words: Words;
  },
  knownNames: KnownNames,
  commands: readonly Command[],
  order: () => Promise<FilterOrder>,
  limit: number,
): Promise<readonly Suggestion[]> {
  const option = Object.hasOwn(about.options, about.option) ? about.options[about.option] : undefined;
  const all = (): readonly (readonly Suggestion[])[] => {
    switch (option?.kind) {
      case 'reference':
        return knownNames.references(
          about.community,
          catalogOf(option, about.given, about.options),
          option.model,
        );
      case 'alias':
        return option.fresh ? [] : [knownNames.aliases(about.community)];
      case 'face':
        return option.fresh ? [] : [about.faces.map(({ name }) => ({ value: name, label: name }))];
      case 'channel':
        return [about.channels.map((id) => ({ value: id, label: id }))];
      case 'time-zone':
        return [zones];
      case 'command':
        return [
          commands.map((command) => ({
            value: command.name,
            label: `/${command.name} · ${describe(about.words, command)}`,
          })),
        ];
      case 'choice':
        return [option.choices.map(plain)];
      case 'flag':
        return [[YES, NO].map(plain)];
      default:
        return [];
    }
  };
  const lists = all();
  if (option?.kind === 'choice' || option?.kind === 'flag') {
    const last = isLastOption(about.option) ? (await order()).last?.[about.option] : undefined;
    return rankAll(about.typed, [lastFirst(lists.flat(), last)], textsOf, limit);
  }
  if (option?.kind !== 'reference') return rankAll(about.typed, lists, textsOf, limit);
  const catalog = catalogOf(option, about.given, about.options);
  const flat = lists.flat();
  const { first } = preferred(flat, ({ value }) => filterKey(catalog, value), await order());
  if (about.typed.trim() === '') return [...new Set([...first, ...flat.slice(0, limit)])].slice(0, limit);
  const places = new Map([...first].map((item, place) => [item, place]));
  return rankAll(about.typed, lists, textsOf, limit, undefined, (item) => places.get(item) ?? first.size);
}
