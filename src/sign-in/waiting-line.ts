import { itemsOfHeaviestOwner } from '../base/limits/heaviest.ts';

/**
 * A queue of bounded length, first in, first out. When it is full, the source with most places loses its latest one, so that
 * a single source cannot keep the others out.
 */
export function createWaitingLine<T extends { readonly source: string }>(
  most: number,
  turnedAway: (one: T) => void,
) {
  const waiting: T[] = [];
  const leave = (one: T): void => {
    const index = waiting.indexOf(one);
    if (index >= 0) waiting.splice(index, 1);
  };
  return {
    join(one: T): void {
      waiting.push(one);
      if (waiting.length <= most) return;
      const latest = itemsOfHeaviestOwner(waiting, ({ source }) => source).at(-1) ?? one;
      leave(latest);
      turnedAway(latest);
    },
    leave,
    next: (): T | undefined => waiting.shift(),
    isEmpty: (): boolean => waiting.length === 0,
  };
}
