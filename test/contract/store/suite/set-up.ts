import { afterEach, beforeEach } from 'vitest';
import { keyOf } from '../../../unit/store/sqlite/open-store.ts';
import type { Place } from './driver.ts';

/** Names of the ways to keep records, with their keys. */
export const PLAIN_AND_ENCRYPTED = [
  ['plain', []],
  ['encrypted', [keyOf(3)]],
] as const;

/** Stands for a new place in each test. */
export function placeForEach<P extends Place>(driver: { create(): Promise<P> }): P {
  let place: P;
  beforeEach(async () => {
    place = await driver.create();
  });
  afterEach(() => place.remove());
  return new Proxy({} as P, { get: (_, name) => Reflect.get(place, name) });
}
