import type { CatalogEntry } from '../../src/command/catalog-port.ts';
import type { ButtonDeclaration } from '../../src/command/command.ts';
import { tilesOf } from '../../src/command/desk/questions/paging.ts';
import type { Given } from '../../src/command/option.ts';
import { givePhotos } from '../../src/command/text/grammar.ts';
import type { Tile } from '../../src/command/view.ts';
import type { CatalogName } from '../../src/kinds/choices.ts';

/** The command that uses the filters of each list of /filters, its option for them, and other values that it needs. */
const USES = {
  face: { command: 'faceswap', option: 'filter', given: {} },
  realistic: { command: 'groupswap', option: 'style', given: { look: 'realistic' } },
  stylized: { command: 'groupswap', option: 'style', given: { look: 'stylized' } },
  classic: { command: 'groupswap', option: 'style', given: { look: 'classic' } },
  group: { command: 'groupswap', option: 'style', given: {} },
} as const satisfies Record<
  string,
  { readonly command: string; readonly option: string; readonly given: Given }
>;

function useOf(catalog: CatalogName, { model }: CatalogEntry): keyof typeof USES {
  if (catalog !== 'mine') return catalog;
  return model === 'group' ? 'group' : 'face';
}

/** The command that the filters of this catalog are used with. */
export const commandFor = (catalog: CatalogName, entry: CatalogEntry): string =>
  USES[useOf(catalog, entry)].command;

/** Tiles that begin a command with their filter when they are pressed. */
export function useTiles(
  list: readonly CatalogEntry[],
  catalog: CatalogName,
  draft: string,
): readonly Tile[] {
  return tilesOf(
    list.map((entry) => ({
      value: entry.reference,
      name: entry.name,
      preview: entry.preview,
      action: `use:${draft}:${useOf(catalog, entry)[0]}:${entry.reference}`,
    })),
  );
}

/** `use:<draft>:<first letter of the use>:<reference>`: begins the command with this filter. */
export const use: ButtonDeclaration = {
  verb: 'use',
  about: 'draft',
  async run({ start, words, commands }, { photos }, [letter = '', reference = '', ...excess]) {
    const found = Object.entries(USES).find(([name]) => name.startsWith(letter))?.[1];
    if (found === undefined || letter.length !== 1 || excess.length > 0)
      return { kind: 'note', text: words.press.stale };
    const given = { ...found.given, [found.option]: reference };
    const action = commands.find(({ name }) => name === found.command)?.action;
    return start(found.command, action === undefined ? given : givePhotos(action, given, photos));
  },
};
