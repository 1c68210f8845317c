import { expect, test } from 'vitest';
import { createEditBudget } from '../../../../src/adapters/discord/messages/edit-budget.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const alone = (): number => 1;

test('with thousands of cards the bot stays within its request budget for edits', async () => {
  const clock = createFakeClock();
  const budget = createEditBudget(clock, alone, { perSecond: 20, perCardMs: 3_000, cards: 5_000 });
  let sent = 0;

  for (let second = 0; second < 10; second += 1) {
    for (let card = 0; card < 5_000; card += 1) if (budget.pass(`${card}`, `${second}`) === 'go') sent += 1;
    await clock.advance(1_000);
  }
  expect(sent).toBe(200);
});

test('the edit budget remembers a limited number of cards', () => {
  const budget = createEditBudget(createFakeClock(), alone, { perSecond: 1_000, perCardMs: 3_000, cards: 2 });
  for (const card of ['a', 'b', 'c']) expect(budget.pass(card, 'x')).toBe('go');
  expect(budget.pass('c', 'y')).toBe('later');
  // Forgotten to make room, so it may be drawn again.
  expect(budget.pass('a', 'y')).toBe('go');
});

test('processes that share the token have a part of its edit budget each', async () => {
  const clock = createFakeClock();
  let members = 1;
  let card = 0;
  const budget = createEditBudget(clock, () => members);
  const passed = (): number =>
    Array.from({ length: 50 }, () => budget.pass(`${card++}`, 'x')).filter((it) => it === 'go').length;

  expect(passed()).toBe(20);

  members = 4;
  await clock.advance(1_000);
  expect(passed()).toBe(5);

  members = 40;
  await clock.advance(10_000);
  expect(passed()).toBe(1);
});
