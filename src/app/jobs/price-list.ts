import type { GenerationClient } from '../../generation-client/client.ts';
import type { PriceRange } from '../../generation-client/endpoint.ts';
import { commandOf, jobKinds } from '../../kinds/kinds.ts';

/** What jobs cost, by command: worked out once, without a call to the service. */
export function priceList(prices: GenerationClient['prices']): ReadonlyMap<string, PriceRange> {
  const list = new Map<string, PriceRange>();
  for (const kind of jobKinds) {
    const price = prices(kind);
    if (price === undefined || price.most === 0) continue;
    const { least, most } = list.get(commandOf(kind)) ?? price;
    list.set(commandOf(kind), { least: Math.min(least, price.least), most: Math.max(most, price.most) });
  }
  return list;
}
