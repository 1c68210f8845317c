import { afterEach, beforeEach } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../fakes/postgres.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import type { Place } from './driver.ts';

/** The ways to keep records, with their keys. */
export const PLAIN_AND_ENCRYPTED: readonly { readonly how: string; readonly keys: readonly Uint8Array[] }[] =
  [
    { how: 'plain', keys: [] },
    { how: 'encrypted', keys: [keyOf(3)] },
  ];

/** An object that stands for another new one in each test. */
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
