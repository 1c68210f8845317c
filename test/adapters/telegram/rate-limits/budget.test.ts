import { beforeEach, describe, expect, test } from 'vitest';
import { createChat } from '../../../../src/adapters/telegram/outgoing/chat.ts';
import { createBudget, type Passage } from '../../../../src/adapters/telegram/rate-limits/budget.ts';
import { createChatQueue } from '../../../../src/adapters/telegram/rate-limits/chat-queue.ts';
import { createShares } from '../../../../src/adapters/telegram/rate-limits/shares.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';

const group = -1005;
let clock: FakeClock;
let budget: ReturnType<typeof createBudget>;

beforeEach(() => {
  clock = createFakeClock();
  budget = createBudget(clock, () => 1);
});

describe('rate limits', () => {
  test('cosmetic edits of a group become rare and leave room for results', async () => {
    let cosmetic = 0;
    for (let second = 0; second < 60; second += 1) {
      if ((await budget.pass(group, 'cosmetic')) === 'go') cosmetic += 1;
      await clock.advance(1000);
    }
    expect(cosmetic).toBeGreaterThan(5);
    expect(cosmetic).toBeLessThanOrEqual(20);
    expect(await budget.pass(group, 'final')).toBe('go');
  });

  test('a group gets at most 20 messages a minute', async () => {
    const sent: number[] = [];

    const results = Array.from({ length: 60 }, async () => {
      for (;;) {
        const passage: Passage = await budget.pass(group, 'final');
        if (passage === 'go') return void sent.push(clock.now());
        if (passage === 'drop') throw new Error('a result was dropped');
        await new Promise<void>((resolve) => clock.after(passage.laterMs, resolve));
      }
    });
    await clock.advance(600_000);
    await Promise.all(results);

    expect(sent).toHaveLength(60);
    for (const at of sent)
      expect(sent.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(20);
  });

  test('results are not delayed by many answers or progress edits', async () => {
    for (let second = 0; second < 30; second += 1) {
      await budget.pass(group, 'cosmetic');
      await clock.advance(1_000);
    }
    for (let count = 0; count < 20; count += 1) budget.takeFirst(group);
    expect(await budget.pass(group, 'cosmetic')).toBe('drop');

    await clock.advance(3_000);
    for (let count = 0; count < 12; count += 1) expect(await budget.pass(group, 'final')).toBe('go');
  });

  test('first answers to a crowd leave no room for progress edits', async () => {
    for (let count = 0; count < 200; count += 1) budget.takeFirst(1000 + count);
    expect(await budget.pass(1, 'cosmetic')).toBe('drop');
  });

  test('the share that first answers have borrowed is paid back within two minutes, however many they were', async () => {
    for (let count = 0; count < 200; count += 1) budget.takeFirst(group);
    await clock.advance(120_000);
    expect(await budget.pass(group, 'cosmetic')).toBe('go');
  });

  test('retry_after applies to its chat only', async () => {
    budget.pause(group, 30_000);
    expect(await budget.pass(group, 'cosmetic')).toBe('drop');
    expect(await budget.pass(group, 'final')).toEqual({ laterMs: 30_000 });
    expect(await budget.pass(-2000, 'cosmetic')).toBe('go');

    await clock.advance(30_000);
    expect(budget.pausedMs(group)).toBe(0);
  });

  test('all chats together stay below 30 messages a second', async () => {
    const sent: number[] = [];

    const results = Array.from({ length: 200 }, async (_, chat) => {
      expect(await budget.pass(chat + 1, 'final')).toBe('go');
      sent.push(clock.now());
    });
    await clock.advance(20_000);
    await Promise.all(results);

    expect(sent).toHaveLength(200);
    for (const at of sent)
      expect(sent.filter((other) => other > at && other <= at + 1000).length).toBeLessThanOrEqual(30);
  });

  test('processes that share the token keep to the limits together, and follow those who come and go', async () => {
    let members = 4;
    const budgets = Array.from({ length: 4 }, () => createBudget(clock, () => members));
    const passed = async (chat: number): Promise<number> => {
      let count = 0;
      for (let second = 0; second < 60; second += 1) {
        for (const budget of budgets.slice(0, members))
          if ((await budget.pass(chat, 'cosmetic')) === 'go') count += 1;
        await clock.advance(1_000);
      }
      return count;
    };

    const four = await passed(group);
    expect(four).toBeGreaterThanOrEqual(4);
    expect(four).toBeLessThanOrEqual(8);
    expect(await passed(7)).toBeLessThanOrEqual(60 + 4);

    members = 1;
    await clock.advance(120_000);
    expect(await passed(group)).toBe(8);
  });
});

describe('shares of a group’s messages per minute', () => {
  const spend = (shares: ReturnType<typeof createShares>, person: string): number => {
    for (let count = 0; ; count += 1) {
      if (shares.waitMs(group, person) > 0) return count;
      shares.record(group, person);
    }
  };

  test('one person gets fifteen of a group’s messages per minute, each next one half of the rest, at least one', () => {
    const shares = createShares(clock);
    expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((person) => spend(shares, person))).toEqual([
      15, 3, 1, 1, 1, 1, 1,
    ]);
  });

  test('a share of a group’s messages is available again after a minute', async () => {
    const shares = createShares(clock);
    spend(shares, 'a');
    expect(shares.waitMs(group, 'a')).toBe(60_000);

    await clock.advance(60_000);
    expect(spend(shares, 'a')).toBe(15);
  });

  test('shares are not counted in a private chat', () => {
    const shares = createShares(clock);
    for (let count = 0; count < 100; count += 1) shares.record(42, 'a');
    expect(shares.waitMs(42, 'a')).toBe(0);
  });
});

test('answers in the place of questions and results are edits of one window', async () => {
  const patiently = createChatQueue({ budget, clock, stop: new AbortController().signal });
  const answered: number[] = [];
  const answer = (person: string): Promise<unknown> =>
    patiently(group, async () => answered.push(clock.now()), { person, isEdit: true });

  for (const person of ['ann', 'bob', 'cid', 'dan', 'eve']) await answer(person);
  for (let count = 0; count < 15; count += 1) {
    expect(await budget.pass(group, 'final')).toBe('go');
    await clock.advance(1_000);
  }

  expect(await budget.pass(group, 'final')).toEqual({ laterMs: 45_000 });

  const late = answer('fay');
  await clock.advance(44_000);
  expect(answered).toHaveLength(5);

  await clock.advance(1_000);
  await late;
});

test('people’s presses leave edits to progress and results, also with two processes', async () => {
  budget = createBudget(clock, () => 2);
  for (const person of Array.from({ length: 99 }, (_, index) => `p${index % 10}`))
    if (budget.edits.waitMs(group, person) === 0) budget.edits.record(group, person);
  for (const passed of ['go', 'go', 'drop']) expect(await budget.pass(group, 'cosmetic')).toBe(passed);
  for (let count = 0; count < 4; count += 1) expect(await budget.pass(group, 'final')).toBe('go');
});

test('a result does not wait for its turn after a stop', async () => {
  const card = { chat: 1, message: 1, media: false };
  const stop = { stop: AbortSignal.abort(), migrations: { followCard: async () => ({ card }) } };
  const chat = createChat({ ...stop, clock, members: { count: () => 1 } } as never);
  const draw = () => chat.draw(card, { tone: 'info', lines: ['done'] }, 'final');

  for (let count = 0; count < 4; count += 1) expect((await draw()).state).toBe('drawn');
  expect((await draw()).state).toBe('later');
});
