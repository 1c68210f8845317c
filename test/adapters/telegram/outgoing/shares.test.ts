import { describe, expect, test } from 'vitest';
import { createBudget } from '../../../../src/adapters/telegram/outgoing/budget.ts';
import { createChatQueue, createShares } from '../../../../src/adapters/telegram/outgoing/chat-queue.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import type { FakePerson } from '../../../fakes/telegram/people.ts';
import { line, passUntil, setTimedStage, stage } from '../stage.ts';

const group = -1005;

describe('shares of a group’s messages per minute', () => {
  const spend = (shares: ReturnType<typeof createShares>, person: string): number => {
    for (let count = 0; ; count += 1) {
      if (shares.waitMs(group, person) > 0) return count;
      shares.record(group, person);
    }
  };

  test('one person gets fifteen, each next one half of the rest, at least one', () => {
    const shares = createShares(createFakeClock());
    expect(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((person) => spend(shares, person))).toEqual([
      15, 3, 1, 1, 1, 1, 1,
    ]);
  });

  test('a share is available again after a minute', async () => {
    const clock = createFakeClock();
    const shares = createShares(clock);
    spend(shares, 'a');
    expect(shares.waitMs(group, 'a')).toBe(60_000);
    await clock.advance(60_000);
    expect(spend(shares, 'a')).toBe(15);
  });

  test('nothing is counted in a private chat', () => {
    const shares = createShares(createFakeClock());
    for (let count = 0; count < 100; count += 1) shares.record(42, 'a');
    expect(shares.waitMs(42, 'a')).toBe(0);
  });
});

test('people who wait for Telegram take turns', async () => {
  const clock = createFakeClock();
  const budget = createBudget(clock, () => 1);
  const patiently = createChatQueue({ budget, clock, stop: new AbortController().signal });
  budget.pause(group, 30_000);
  const sent: string[] = [];
  const wishes = ['ann', 'ann', 'ann', 'bob', 'bob', 'cid'].map((person) =>
    patiently(group, async () => void sent.push(person), { person }),
  );
  await clock.advance(31_000);
  await Promise.all(wishes);
  expect(sent).toEqual(['ann', 'bob', 'cid', 'ann', 'bob', 'ann']);
});

describe('somebody who keeps sending in a group', () => {
  const answer = (heard: { readonly caller: { readonly name: string } }): Reply => ({
    kind: 'message',
    view: line(`for ${heard.caller.name}`),
  });

  /** Flooders with 40 commands each, so many milliseconds apart, and then one of Bob's: how long he waits. */
  const flood = async (flooders: number, apartMs: number) => {
    const { clock } = await setTimedStage();
    stage.desk.replies(...Array.from({ length: 500 }, () => answer));
    const club = stage.fake.group('Club');
    const people: FakePerson[] = Array.from({ length: flooders }, (_, index) =>
      stage.fake.person(`Flooder ${index}`),
    );
    for (let count = 0; count < 40; count += 1) {
      const next = clock.now() + apartMs;
      for (const each of people) each.says(club, '/help');
      await passUntil(clock, 100, () => clock.now() >= next);
    }
    const bob = stage.fake.person('Bob');
    const asked = clock.now();
    bob.says(club, '/help');
    const said = () => stage.fake.fromBot(club).map(({ text }) => text ?? '');
    await passUntil(clock, 100, () => said().some((text) => text.includes('for Bob')), 120_000);
    const waitedMs = clock.now() - asked;
    return { clock, said, waitedMs };
  };

  test('(three people, twice a second) does not delay the next person', async () => {
    const { clock, said, waitedMs } = await flood(3, 500);
    expect(waitedMs).toBeLessThanOrEqual(2_000);
    await clock.advance(300_000);
    const told = said().filter((text) => text.includes(wordsFor('en').busy.perPerson));
    expect(told.length).toBeLessThanOrEqual(2);
  });
});
