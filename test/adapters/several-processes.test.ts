/** Two instances over one store stand for two processes. */
import { expect, it, onTestFinished } from 'vitest';
import { createQuestions } from '../../src/adapters/telegram/outgoing/questions.ts';
import { telegramRecords } from '../../src/adapters/telegram/records.ts';
import { webRecords } from '../../src/adapters/web/records.ts';
import { createSessions } from '../../src/adapters/web/visitors/sessions.ts';
import type { Records } from '../../src/base/keyv/records.ts';
import { createDrafts, draftRecords } from '../../src/command/desk/parts/draft-store.ts';
import type { Draft } from '../../src/command/draft.ts';
import { openStore } from '../../src/store/sqlite/store.ts';
import type { RecordRules } from '../../src/store/tables/entries.ts';
import { ann, room } from '../fakes/call.ts';
import { interleaved } from '../fakes/records.ts';

const seeds = Array.from({ length: 10 }, (_, index) => index + 1);

const twice = async <T>(
  rules: RecordRules,
  seed: number,
  create: (records: Records) => T,
): Promise<[T, T]> => {
  const store = await openStore({ path: ':memory:', keys: [] });
  onTestFinished(() => store.close());
  const records = store.keyv('test', rules);
  return [create(interleaved(records, seed)), create(interleaved(records, seed + 100))];
};

it.each(seeds)('questions that processes ask and close at the same time are all kept (%i)', async (seed) => {
  const [one, two] = await twice(telegramRecords, seed, createQuestions);
  const asked = (draft: string) => ({ draft, question: { chat: 1, message: 1 } }) as never;
  for (const draft of ['a', 'b']) await one.open(ann, asked(draft));
  await Promise.all([
    one.open(ann, asked('c')),
    two.open(ann, asked('d')),
    one.close(ann, 'a'),
    two.close(ann, 'b'),
  ]);
  const found = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (draft) => (await two.find(ann, (each) => each.draft === draft))?.draft),
  );

  expect(found).toEqual([undefined, undefined, 'c', 'd']);
});

it.each(seeds)('a draft that is complete does not hide another one that waits (%i)', async (seed) => {
  const [one, two] = await twice(draftRecords, seed, createDrafts);
  const draft = (id: string): Draft => ({
    id,
    command: 'test',
    given: {},
    caller: ann,
    place: room,
    event: id,
  });

  await one.save({ ...draft('a'), awaits: 'text' });

  expect((await two.awaiting(ann, room))?.id).toBe('a');

  await Promise.all([one.save(draft('a')), two.save({ ...draft('b'), awaits: 'text' })]);
  expect((await one.awaiting(ann, room))?.id).toBe('b');

  await one.save(draft('b'));
  expect(await two.awaiting(ann, room)).toBeUndefined();
});

it.each(seeds)('a session is known to every process, also one from the first moment (%i)', async (seed) => {
  const all = await twice(webRecords, seed, (records) => createSessions(records, { hasOwner: false }));
  const [one, two] = all;
  await Promise.all(all.map((sessions) => sessions.load()));

  // Signed by one, recognised by the other.
  expect((await two.find(one.issue()))?.person.id).toBe('ann');
  expect((await one.find(two.issue()))?.person.id).toBe('ann');

  const cookies = await Promise.all([one.open('10.0.0.1'), two.open('10.0.0.2'), two.open('10.0.0.3')]);
  for (const sessions of all) for (const cookie of cookies) expect(await sessions.find(cookie)).toBeDefined();

  const session = await one.find(cookies[0]);
  if (session === undefined) throw new Error('the session is gone');
  await Promise.all([
    one.change(session, { locale: 'de' }, '10.0.0.1'),
    two.change(session, { person: { ...session.person, id: 'bob' } }, '10.0.0.1'),
  ]);
  expect(await one.find(cookies[0])).toMatchObject({ person: { id: 'bob' }, locale: 'de' });
});
