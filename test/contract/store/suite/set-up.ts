import { afterEach, beforeEach } from 'vitest';
import { keyOf } from '../../../unit/store/sqlite/open-store.ts';
import type { Driver, Place } from './driver.ts';

/** Names of the ways to keep records, with their keys. */
export const PLAIN_AND_ENCRYPTED = [
  ['plain', []],
  ['encrypted', [keyOf(3)]],
] as const;

/** Stands for a new place in each test. */
export function placeForEach(driver: Driver): Place {
  let place: Place;
  beforeEach(async () => {
    place = await driver.create();
  });
  afterEach(() => place.remove());
  return {
    get time() {
      return place.time;
    },
    get found() {
      return place.found;
    },
    open: (...given) => place.open(...given),
    close: () => place.close(),
    sql: (...given) => place.sql(...given),
    sealed: (...given) => place.sealed(...given),
    remove: () => place.remove(),
  };
}
