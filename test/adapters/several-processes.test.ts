/** Two instances over one store stand for two processes. */
import { expect, it, onTestFinished } from 'vitest';
import { createQuestions } from '../../src/adapters/telegram/outgoing/questions.ts';
import { telegramRecordRules } from '../../src/adapters/telegram/records.ts';
import { webRecordRules } from '../../src/adapters/web/records.ts';
import { createSessions } from '../../src/adapters/web/visitors/sessions.ts';
import type { Records } from '../../src/base/keyv/records.ts';
import { createDrafts, draftRecordRules } from '../../src/command/desk/parts/draft-store.ts';
import type { Draft } from '../../src/command/draft.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { RecordRules } from '../../src/store/tables/entries.ts';
import { ann, room } from '../fakes/call.ts';
import { interleaved } from '../fakes/records.ts';

const seeds = Array.from({ length: 10 }, (_, index) => index + 1);

/** The same part of two processes, whose steps at the store mix in an order that the seed decides. */
const inTwoProcesses = async <T>(rules: RecordRules, seed: number, create: (records: Records) => T) => {
  const store = await openSqliteStore({ path: ':memory:', keys: [] });
  onTestFinished(() => store.close());
  const records = store.keyv('test', rules);
  const one = create(interleaved(records, seed));
  const two = create(interleaved(records, seed + 100));
  return { one, two };
};

it.each(seeds)('questions that processes ask and close at the same time are all kept (%i)', async (seed) => {
  const { one, two } = await inTwoProcesses(telegramRecordRules, seed, createQuestions);
  const asked = (draft: string) => ({ draft, question: { chat: 1, message: 1 } }) as never;
  await one.open(ann, asked('a'));
  await one.open(ann, asked('b'));

  await Promise.all([
    one.open(ann, asked('c')),
    two.open(ann, asked('d')),
    one.close(ann, 'a'),
    two.close(ann, 'b'),
  ]);

  const find = (draft: string) => two.find(ann, (each) => each.draft === draft);
  expect(await find('a')).toBeUndefined();
  expect(await find('b')).toBeUndefined();
  expect(await find('c')).toMatchObject({ draft: 'c' });
  expect(await find('d')).toMatchObject({ draft: 'd' });
});

it.each(seeds)('a draft that is complete does not hide another one that waits (%i)', async (seed) => {
  const { one, two } = await inTwoProcesses(draftRecordRules, seed, createDrafts);
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

const sessionsInTwoProcesses = async (seed: number) => {
  const both = await inTwoProcesses(webRecordRules, seed, (records) =>
    createSessions(records, { hasOwner: false }),
  );
  await Promise.all([both.one.load(), both.two.load()]);
  return both;
};

it.each(seeds)('a session that one process has only signed is known to the other (%i)', async (seed) => {
  const { one, two } = await sessionsInTwoProcesses(seed);

  const ofOne = one.issue();
  const ofTwo = two.issue();

  expect((await two.find(ofOne))?.person.id).toBe('ann');
  expect((await one.find(ofTwo))?.person.id).toBe('ann');
});

it.each(seeds)('sessions that processes open at the same time are known to both (%i)', async (seed) => {
  const { one, two } = await sessionsInTwoProcesses(seed);

  const cookies = await Promise.all([one.open('10.0.0.1'), two.open('10.0.0.2'), two.open('10.0.0.3')]);

  for (const cookie of cookies) {
    expect(await one.find(cookie), cookie).toBeDefined();
    expect(await two.find(cookie), cookie).toBeDefined();
  }
});

it.each(seeds)(
  'two changes of one session, made by two processes at the same time, are both kept (%i)',
  async (seed) => {
    const { one, two } = await sessionsInTwoProcesses(seed);
    const cookie = await one.open('10.0.0.1');
    const session = (await one.find(cookie)) ?? expect.fail('the session is gone');

    await Promise.all([
      one.change(session, { locale: 'de' }, '10.0.0.1'),
      two.change(session, { person: { ...session.person, id: 'bob' } }, '10.0.0.1'),
    ]);

    expect(await one.find(cookie)).toMatchObject({ person: { id: 'bob' }, locale: 'de' });
  },
);
