import type { Incoming } from '../desk.ts';
import type { Option } from '../option.ts';
import type { PhotoRef } from '../photo.ts';
import type { ListName } from '../ports.ts';
import { commandName, type Grammar, type Line, parseLine } from '../text/grammar.ts';
import type { DeskParts } from './desk-parts.ts';

/** Parses a typed line with the filter and alias names that are known in that place. */
export type ReadLine = (
  incoming: Pick<Incoming, 'caller' | 'place'>,
  text: string,
  photos: readonly PhotoRef[],
) => Promise<Line | undefined>;

function catalogsOf(option: Option): readonly ListName[] {
  if (option.kind !== 'reference') return [];
  return typeof option.catalog === 'string' ? [option.catalog] : Object.values(option.catalog.lists);
}

export function createReadLine({ commands, knownNames, words }: DeskParts): ReadLine {
  const grammarFor = ({ caller, place: { community } }: Pick<Incoming, 'caller' | 'place'>): Grammar => ({
    commands,
    words: words(caller.locale),
    known: (option, phrase) =>
      option.kind === 'reference' &&
      catalogsOf(option).some((catalog) => knownNames.knows(community, catalog, option.model, phrase)),
    resembles: (option, phrase) => option.kind === 'reference' && knownNames.resembles(community, phrase),
  });

  /**
   * A name of several words is recognised only when its list is loaded; wait briefly rather than charge for it as a
   * prompt.
   */
  const warm = async (community: string, name: string | undefined): Promise<void> => {
    const command = commands.find((each) => each.name === name);
    const catalogs = Object.values(command?.action?.options ?? {}).flatMap(catalogsOf);
    await Promise.all(catalogs.map((catalog) => knownNames.warm(community, catalog)));
  };

  return async (incoming, text, photos) => {
    await warm(incoming.place.community, commandName(text));
    return parseLine(text, photos, grammarFor(incoming));
  };
}
