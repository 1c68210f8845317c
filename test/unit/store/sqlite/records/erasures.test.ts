import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { consentRecords } from '../../../../../src/community/rules/consent.ts';
import { allOf } from '../../../../all-of.ts';
import { createStoreFile, keyOf, sampleJob } from '../open-store.ts';

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
  const before = file.open(keys).keyv('consent', consentRecords);
  for (const person of people) await before.set(person, { at: file.time.now });
  file.close();
  const sql = new DatabaseSync(file.path);
  sql.exec('UPDATE entries SET owner = NULL, seq = NULL');
  sql.close();
  const store = file.open(keys);
  const consent = store.keyv('consent', consentRecords);
  await store.erasures.more(await store.erasures.begin('discord:1'), 100);
  expect(await Promise.all(people.map((person) => consent.has(person)))).toEqual([false, true]);
});

it('erases records whose numbers, or whose mark, no number can hold', async () => {
  const consent = () => file.open([]).keyv('consent', consentRecords);
  const tamper = (text: string): void => {
    file.close();
    const sql = new DatabaseSync(file.path);
    sql.exec(text);
    sql.close();
  };
  await consent().set('discord:1', { at: file.time.now });
  tamper('UPDATE entries SET seq = 9223372036854775807');
  expect(await consent().get('discord:1')).toEqual({ at: file.time.now });
  file.close();
  await file.open([]).erasures.begin('discord:1');
  tamper('UPDATE erasures SET jobs = 9223372036854775807, audit = -1, entries = 9223372036854775806');
  const store = file.open([]);
  expect(await store.keyv('consent', consentRecords).has('discord:1')).toBe(false);
  for (const person of await store.erasures.pending()) await store.erasures.more(person, 100);
  expect(await store.erasures.pending()).toEqual([]);
  store.jobs.insert(sampleJob());
  expect(await allOf(store.jobs.abandoned())).toHaveLength(1);
  tamper('');
  const sql = new DatabaseSync(file.path);
  expect(sql.prepare("SELECT 1 FROM entries WHERE namespace = 'consent'").all()).toEqual([]);
  sql.close();
});
