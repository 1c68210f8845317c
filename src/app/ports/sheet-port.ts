import type { Incoming } from '../../command/desk.ts';
import { turnKey } from '../../command/place.ts';
import type { CatalogPort } from '../../command/ports.ts';
import type { Previews } from '../../previews/previews.ts';
import type { Outgoing } from '../platforms/outgoing.ts';

export interface SheetPortParts {
  readonly previews: Pick<Previews, 'sheet' | 'warm'>;
  readonly outgoing: Outgoing;
}

export function createSheetPort(
  { previews, outgoing }: SheetPortParts,
  { caller, place }: Incoming,
): CatalogPort['sheet'] {
  return async (tiles, alt) => {
    // Where pictures are stored with the chat, sheets would displace results.
    if (outgoing.adapter(place.platform)?.keepsChat) {
      previews.warm(tiles);
      return undefined;
    }
    const sheet = await previews.sheet(tiles, { person: turnKey(caller) });
    return sheet && { kind: 'image', as: 'inline', type: 'image/jpeg', name: 'filters.jpg', alt, ...sheet };
  };
}
