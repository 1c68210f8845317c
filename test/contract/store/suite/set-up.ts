import { afterEach, beforeEach } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../fakes/postgres.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import type { Place } from './driver.ts';

/** Names of the ways to keep records, with their keys. */
export const PLAIN_AND_ENCRYPTED = [
  ['plain', []],
  ['encrypted', [keyOf(3)]],
] as const;

/** Stands for a new one in each test. */
function newForEach<T extends object>(create: () => Promise<T>, end: (one: T) => PromiseLike<void>): T {
  let one: T;
  beforeEach(async () => {
    one = await create();
  });
  afterEach(() => end(one));
  return new Proxy({} as T, { get: (_, name) => Reflect.get(one, name) });
}

export const placeForEach = <P extends Place>(driver: { create(): Promise<P> }): P =>
  newForEach(
    () => driver.create(),
    (place) => place.remove(),
  );

export const databaseForEach = (): TestDatabase =>
  newForEach(createTestDatabase, (database) => database[Symbol.asyncDispose]());
