import { defined } from '../../../base/defined.ts';
import { tilesOf } from '../../../command/desk/questions/paging.ts';
import type { Desk } from '../../../command/desk.ts';
import { nameIn } from '../../../command/search/complete.ts';
import { firstAndNewest } from '../../../command/search/preferred.ts';
import type { Tile } from '../../../command/view.ts';
import { callerFor, type Person, placeIn, type Room } from '../visitors/people.ts';
import type { Content } from './content.ts';

/** A page that was loaded earlier may show others: the order changes with every job. */
const MOST_SERVED = 100;

/** The filters that an empty room shows. The action of a tile is the line that uses it. */
export function createOfferedFilters({
  desk,
  content,
}: {
  readonly desk: Pick<Desk, 'complete'>;
  readonly content: Pick<Content, 'previewId'>;
}) {
  const suggestions = async (person: Person, room: Room, locale: string) => {
    const about = { command: 'faceswap', option: 'filter', typed: '' };
    const all = await desk.complete(
      { ...about, caller: callerFor(person, locale), place: placeIn(room) },
      MOST_SERVED,
    );
    return all.filter(({ preview }) => preview !== undefined);
  };
  return {
    async tiles(person: Person, room: Room, locale: string): Promise<readonly Tile[]> {
      const all = await suggestions(person, room, locale);
      return tilesOf(
        firstAndNewest(all, ({ value }) => value).map(({ value, label, preview }) => ({
          value,
          name: nameIn(label),
          action: `/faceswap filter=${value}`,
          ...defined({ preview: preview && content.previewId(preview) }),
        })),
      );
    },
    async addressOf(person: Person, room: Room, id: string): Promise<string | undefined> {
      const all = await suggestions(person, room, '');
      return all.find(({ preview }) => preview !== undefined && content.previewId(preview) === id)?.preview;
    },
  };
}

export type OfferedFilters = ReturnType<typeof createOfferedFilters>;
