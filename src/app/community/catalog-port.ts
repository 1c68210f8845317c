import type { CatalogPort } from '../../command/catalog-port.ts';
import type { Incoming } from '../../command/desk.ts';
import { turnKey } from '../../command/place.ts';
import { inlineJpeg } from '../../command/view.ts';
import type { FilterNames } from '../../community/catalog/filter-names.ts';
import type { FilterOrders } from '../../community/catalog/filter-order.ts';
import type { Previews } from '../../previews/previews.ts';
import type { Words } from '../../words/words.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

/** Catalogs for commands: names of filters, their order for the caller, and sheets of previews. */
export function createCatalogPort(parts: {
  readonly filterNames: Pick<FilterNames, 'port'>;
  readonly filterOrders: Pick<FilterOrders, 'of'>;
  readonly previews: Pick<Previews, 'sheet' | 'warm'>;
  readonly platforms: Pick<PlatformRegistry, 'of'>;
}) {
  const { filterNames, filterOrders, previews, platforms } = parts;
  return ({ caller, place }: Incoming, words: Words): CatalogPort => ({
    ...filterNames.port(place.community, words),
    order: (alone = false) => filterOrders.of(caller, place, alone),
    async sheet(tiles, alt) {
      // Where pictures are stored with the chat, sheets would displace results.
      if (platforms.of(place.platform)?.keepsChat) return void previews.warm(tiles);
      const sheet = await previews.sheet(tiles, turnKey(caller));
      return sheet && inlineJpeg('filters.jpg', alt, sheet);
    },
  });
}
