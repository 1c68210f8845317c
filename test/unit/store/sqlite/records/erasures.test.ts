import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { consentRecords } from '../../../../../src/community/rules/consent.ts';
import { createStoreFile, keyOf } from '../open-store.ts';

let file: ReturnType<typeof createStoreFile>;
beforeEach(() => {
  file = createStoreFile();
});
afterEach(() => file.remove());

it.each([
  ['plain', []],
  ['encrypted', [keyOf(5)]],
])('erases records from before the owner was stored, %s', async (_, keys) => {
  const people = ['discord:1', 'discord:2'];
  const before = (await file.open(keys)).keyv('consent', consentRecords);
  for (const person of people) await before.set(person, { at: file.time.now });
  await (await file.open(keys)).keyv('console').set('nobody’s', 1);
  file.close();
  const sql = new DatabaseSync(file.path);
  sql.exec('UPDATE entries SET owner = NULL, seq = 0');
  sql.close();
  // Those without an owner are gone through once, too.
  const ownerOf = vi.fn(() => undefined);
  for (const times of [1, 1]) {
    (await file.open(keys)).keyv('console', { ownerOf });
    expect(ownerOf).toHaveBeenCalledTimes(times);
  }
  const store = await file.open(keys);
  const consent = store.keyv('consent', consentRecords);
  await store.erasures.more(await store.erasures.begin('discord:1'), 100);
  expect(await Promise.all(people.map((person) => consent.get(person)))).toMatchObject([
    undefined,
    { at: file.time.now },
  ]);
});
