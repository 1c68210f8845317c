import type { FilterOrder } from '../catalog-port.ts';

/** Maximum number of recent entries of one list. */
const MOST_RECENT = 6;

/** The items of a list that come first: the caller's recent ones (`recent` of them), then those that the community uses most. */
export function preferred<T>(items: readonly T[], keyOf: (item: T) => string, order: FilterOrder) {
  const wanted = new Set([...order.recent, ...order.used]);
  const found = new Map<string, T>();
  if (wanted.size > 0)
    for (const item of items) {
      const key = keyOf(item);
      if (wanted.has(key) && !found.has(key)) found.set(key, item);
    }
  const of = (keys: readonly string[]): readonly T[] =>
    keys.map((key) => found.get(key)).filter((item) => item !== undefined);
  const recent = of(order.recent).slice(0, MOST_RECENT);
  return { first: new Set([...recent, ...of(order.used)]), recent: recent.length };
}

/** The whole list, with the preferred items first. */
export function inOrder<T>(items: readonly T[], keyOf: (item: T) => string, order: FilterOrder) {
  const { first, recent } = preferred(items, keyOf, order);
  return {
    items: first.size === 0 ? items : [...first, ...items.filter((item) => !first.has(item))],
    recent,
  };
}

/** The values of an option, with the one that the caller chose last first. */
export const lastFirst = <T extends { readonly value: string }>(
  items: readonly T[],
  last: string | undefined,
): readonly T[] => [
  ...items.filter(({ value }) => value === last),
  ...items.filter(({ value }) => value !== last),
];

/** Ten items of a long list: its first ones, and the newest, which a catalog has at its end. */
export function firstAndNewest<T>(items: readonly T[], referenceOf: (item: T) => string): readonly T[] {
  const newest = items.slice(5).filter((item) => /^\d+$/.test(referenceOf(item)));
  return [...items.slice(0, 5), ...newest.slice(-5)];
}
