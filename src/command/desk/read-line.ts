import type { FilterListName } from '../../kinds/choices.ts';
import { wordsFor } from '../../words/words.ts';
import type { Incoming } from '../desk.ts';
import type { Option } from '../option.ts';
import type { PhotoRef } from '../photo.ts';
import { type CommandLine, parseLine, type TextLine } from '../text/grammar.ts';
import type { DeskDependencies } from './parts/dependencies.ts';

function catalogsOf(option: Option): readonly FilterListName[] {
  if (option.kind !== 'reference') return [];
  return typeof option.catalog === 'string' ? [option.catalog] : Object.values(option.catalog.lists);
}

/** Reads a typed line with the filter and alias names that are known in that place. */
export async function readLine(
  { commands, knownNames }: DeskDependencies,
  { caller, place: { community } }: Pick<Incoming, 'caller' | 'place'>,
  line: CommandLine,
  photos: readonly PhotoRef[],
): Promise<TextLine> {
  // A name of several words is recognised only when its list is loaded; wait briefly rather than charge for it as a
  // prompt.
  const catalogs = Object.values(line.command?.action?.options ?? {}).flatMap(catalogsOf);
  await Promise.all(catalogs.map((catalog) => knownNames.warm(community, catalog)));
  return parseLine(line, photos, {
    commands,
    words: wordsFor(caller.locale),
    known: (option, phrase) =>
      option.kind === 'reference' &&
      catalogsOf(option).some((catalog) => knownNames.knows(community, catalog, option.model, phrase)),
    resembles: (option, phrase) => option.kind === 'reference' && knownNames.resembles(community, phrase),
  });
}
