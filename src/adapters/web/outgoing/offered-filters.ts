import { defined } from '../../../base/defined.ts';
import { tilesOf } from '../../../command/desk/questions/paging.ts';
import { nameInLabel } from '../../../command/search/complete.ts';
import { firstAndNewest } from '../../../command/search/preferred.ts';
import { callerFor, type Person, placeIn, type Room, roomsOf } from '../visitors/people.ts';
import type { WebDependencies } from './dependencies.ts';

/**
 * How many filters have served previews: more than are offered, because an older page shows others, and each job changes the
 * order.
 */
const MOST_SERVED = 100;

type OfferedBy = Pick<WebDependencies, 'desk' | 'content'>;

async function suggestions({ desk }: OfferedBy, person: Person, room: Room, locale: string) {
  const about = { command: 'faceswap', option: 'filter', typed: '' };
  const from = { caller: callerFor(person, locale), place: placeIn(room) };
  const all = await desk.complete({ ...about, ...from }, MOST_SERVED);
  return all.filter(({ preview }) => preview !== undefined);
}

/** Makes the tiles of filters that an empty room shows. The action of a tile is the command line that uses its filter. */
export async function offeredTiles(parts: OfferedBy, person: Person, room: Room, locale: string) {
  const all = await suggestions(parts, person, room, locale);
  return tilesOf(
    firstAndNewest(all, ({ value }) => value).map(({ value, label, preview }) => ({
      value,
      name: nameInLabel(label),
      action: `/faceswap filter=${value}`,
      ...defined({ preview: preview && parts.content.previewId(preview) }),
    })),
  );
}

/** The address of the preview with this id, if its filter is offered to the person. */
export async function offeredAddress(
  parts: OfferedBy,
  person: Person,
  id: string,
): Promise<string | undefined> {
  for (const room of roomsOf(person)) {
    for (const { preview } of await suggestions(parts, person, room, '')) {
      if (preview !== undefined && parts.content.previewId(preview) === id) return preview;
    }
  }
  return undefined;
}
