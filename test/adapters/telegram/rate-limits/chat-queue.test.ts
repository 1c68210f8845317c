import Bottleneck from 'bottleneck';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TelegramFault } from '../../../../src/adapters/telegram/api/fault.ts';
import { createBudget } from '../../../../src/adapters/telegram/rate-limits/budget.ts';
import {
  createChatQueue,
  type WaitOptions,
} from '../../../../src/adapters/telegram/rate-limits/chat-queue.ts';
import { type Clock, createSystemClock } from '../../../../src/base/clock.ts';

const group = -1005;
const other = -2000;

interface Sent {
  readonly text: string;
  readonly afterMs: number;
}

let clock: Clock;
let begun: number;
let stopping: AbortController;
let budget: ReturnType<typeof createBudget>;
let inChatQueue: ReturnType<typeof createChatQueue>;
let sent: Sent[];

// Bottleneck takes no clock: its timers and the program's clock follow the same fake time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  clock = createSystemClock(
    () => Date.now(),
    () => performance.now(),
  );
  begun = clock.now();
  stopping = new AbortController();
  budget = createBudget(clock, () => 1);
  inChatQueue = createChatQueue({ budget, clock, stop: stopping.signal });
  sent = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const send = (chat: number, text: string, waiting?: WaitOptions): Promise<void> =>
  inChatQueue(chat, async () => void sent.push({ text, afterMs: clock.now() - begun }), waiting);

const refusal = (retryAfterMs: number): TelegramFault =>
  new TelegramFault('sendMessage', 'rate-limited', '429', { retryAfterMs });

const texts = (): string[] => sent.map(({ text }) => text);

describe('where Telegram has not paused a chat', () => {
  test('messages are sent at once, without a timer, where Telegram has not paused a chat', async () => {
    await send(group, 'first');
    await send(group, 'second');
    expect(sent).toEqual([
      { text: 'first', afterMs: 0 },
      { text: 'second', afterMs: 0 },
    ]);
  });

  test('messages do not wait for those of a paused chat', async () => {
    budget.pause(group, 30_000);
    const late = send(group, 'late');
    await send(other, 'at once');

    expect(sent).toEqual([{ text: 'at once', afterMs: 0 }]);

    await pass(31_000);
    await late;
  });
});

describe('in a chat that Telegram has paused', () => {
  test('messages of a paused chat begin when the pause is over, one after the other', async () => {
    budget.pause(group, 30_000);
    let underWay = 0;
    let mostUnderWay = 0;
    const slow = async (): Promise<void> => {
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      await new Promise<void>((resolve) => clock.after(100, resolve));
      underWay -= 1;
      sent.push({ text: 'slow', afterMs: clock.now() - begun });
    };

    const all = Promise.all(Array.from({ length: 5 }, () => inChatQueue(group, slow)));
    await pass(29_999);

    expect(underWay).toBe(0);

    await pass(1_000);
    await all;
    expect(mostUnderWay).toBe(1);
    // Bottleneck takes a few milliseconds between two of them.
    expect(sent.at(-1)?.afterMs).toBeLessThan(30_000 + 5 * 110);
  });

  test('people take turns in a paused chat', async () => {
    budget.pause(group, 30_000);
    const all = ['ann', 'ann', 'ann', 'bob', 'bob', 'cid'].map((person) => send(group, person, { person }));
    await pass(31_000);
    await Promise.all(all);

    expect(texts()).toEqual(['ann', 'bob', 'cid', 'ann', 'bob', 'ann']);
  });

  test('in a paused chat the next person is next, however many messages of one person wait', async () => {
    budget.pause(group, 30_000);
    const all = Array.from({ length: 15 }, () => send(group, 'ann', { person: 'ann' }));
    await pass(29_000);
    all.push(send(group, 'bob', { person: 'bob' }));
    await pass(2_000);
    await Promise.all(all);

    expect(texts().indexOf('bob')).toBe(1);
  });

  test('a person who sends to a paused chat after each message does not keep the others back', async () => {
    budget.pause(group, 30_000);
    const all = [send(group, 'ann 1', { person: 'ann' }), send(group, 'ann 2', { person: 'ann' })];
    const insist = async (): Promise<void> => {
      for (const text of ['bob 1', 'bob 2', 'bob 3']) await send(group, text, { person: 'bob' });
    };

    all.push(insist());
    await pass(31_000);
    await Promise.all(all);

    expect(texts().indexOf('ann 2')).toBeLessThan(texts().indexOf('bob 2'));
  });

  test('a message of a paused chat is sent again when the time that Telegram asks for is over', async () => {
    const pauses = [5_000, 20_000];
    const refusedTwice = async (): Promise<void> => {
      const retryAfterMs = pauses.shift();
      sent.push({ text: retryAfterMs === undefined ? 'shown' : 'refused', afterMs: clock.now() - begun });
      if (retryAfterMs !== undefined) throw refusal(retryAfterMs);
    };

    const done = inChatQueue(group, refusedTwice);

    await pass(26_000);
    await done;

    expect(texts()).toEqual(['refused', 'refused', 'shown']);
    expect(sent[1]?.afterMs).toBeGreaterThanOrEqual(5_000);
    expect(sent[1]?.afterMs).toBeLessThan(5_100);
    expect(sent[2]?.afterMs).toBeGreaterThanOrEqual(25_000);
    expect(sent[2]?.afterMs).toBeLessThan(25_200);
  });

  test('a message of a paused chat that is refused again and again fails after a few attempts', async () => {
    let attempts = 0;
    const never = inChatQueue(group, async () => {
      attempts += 1;
      throw refusal(1_000);
    });
    const failed = expect(never).rejects.toMatchObject({ kind: 'rate-limited', retryAfterMs: 1_000 });

    await pass(60_000);
    await failed;

    expect(attempts).toBe(6);

    await send(group, 'the next one');
    expect(texts()).toEqual(['the next one']);
  });

  test('a message of a paused chat that fails for another reason does not wait', async () => {
    budget.pause(group, 10_000);
    const failed = expect(inChatQueue(group, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const after = send(group, 'after it');
    await pass(10_100);
    await Promise.all([failed, after]);

    expect(texts()).toEqual(['after it']);
  });

  test('a message of a paused chat that would come too late fails at once', async () => {
    budget.pause(group, 30_000);
    await expect(send(group, 'late', { mostWaitMs: 20_000 })).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 30_000,
    });
  });

  test('a message of a paused chat fails when its time is over before its turn, and is not sent later', async () => {
    budget.pause(group, 10_000);
    let refusals = 1;
    const first = inChatQueue(group, async () => {
      if (refusals === 0) return;
      refusals -= 1;
      throw refusal(30_000);
    });
    const second = expect(send(group, 'second', { mostWaitMs: 20_000 })).rejects.toMatchObject({
      kind: 'rate-limited',
    });
    await pass(20_100);
    await second;
    await pass(60_000);
    await first;

    expect(sent).toEqual([]);
  });

  test('a stop ends the messages that wait for a paused chat, and leaves no timer behind', async () => {
    budget.pause(group, 3_600_000);
    const all = ['ann', 'bob', 'cid'].map((person) => send(group, person, { person }));
    const refused = Promise.all(all.map((each) => expect(each).rejects.toThrow('the program ends')));
    await pass(1_000);
    stopping.abort(new Error('the program ends'));
    await pass(100);
    await refused;

    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('the machine’s clock may be set back while messages wait for a paused chat', async () => {
    budget.pause(group, 30_000);
    const all = ['ann', 'bob', 'cid'].map((person) => send(group, person, { person }));
    await pass(10_000);
    vi.setSystemTime(Date.now() - 3_600_000);
    await pass(21_000);
    await Promise.all(all);

    expect(texts()).toEqual(['ann', 'bob', 'cid']);
  });
});

test('a chat in which nothing waits any more keeps no limiter', async () => {
  const key = vi.spyOn(Bottleneck.Group.prototype, 'key');

  for (const chat of [group, other]) budget.pause(chat, 30_000);
  const all = [send(group, 'one'), send(group, 'two'), send(other, 'three')];
  const [limiters] = key.mock.contexts.filter((each) => each instanceof Bottleneck.Group);

  expect(limiters?.keys()).toEqual([String(group), String(other)]);

  await pass(31_000);
  await Promise.all(all);
  expect(limiters?.keys()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
