import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createByteCache } from '../../../src/base/byte-cache.ts';
import { keepLatest } from '../../../src/base/keep-latest.ts';
import { createFairBudget, type TakenUnits } from '../../../src/base/limits/fair-budget.ts';
import { createBatches, createKeyedQueue } from '../../../src/base/limits/keyed-queue.ts';

/** Takes units, and writes down in which order they were granted. */
const opened = (total: number, perPerson: number) => {
  const budget = createFairBudget({ total, perPerson });
  const granted: string[] = [];
  const take = async (name: string, units: number, signal?: AbortSignal): Promise<TakenUnits> => {
    const [person = name] = name.split('-');
    const held = await budget.take(person, units, signal);
    granted.push(name);
    return held;
  };
  return { granted, take };
};

it('one person holds no more of a budget than their share, and others do not wait behind them', async () => {
  const { granted, take } = opened(100, 40);

  const held = await Promise.all([take('ann-1', 20), take('ann-2', 20)]);
  void take('ann-3', 20);
  void take('bob-1', 40);
  await turn();

  expect(granted).toEqual(['ann-1', 'ann-2', 'bob-1']);

  held[0]?.release();
  await turn();

  expect(granted.at(-1)).toBe('ann-3');
});

it('what somebody holds of a budget cannot grow, and is given back once', async () => {
  const { granted, take } = opened(10, 10);

  const held = await take('ann', 4);
  held.shrink(8);
  void take('bob', 6);
  await turn();

  expect(granted).toEqual(['ann', 'bob']);

  held.release();
  held.release();
  void take('eve', 5);
  await turn();

  expect(granted).toEqual(['ann', 'bob']);
});

it('people take turns at a budget', async () => {
  const { granted, take } = opened(10, 10);

  const first = await take('ann-1', 10);
  const later = ['ann-2', 'ann-3', 'bob-1', 'bob-2', 'eve-1'].map((name) => take(name, 10));
  first.release();
  for (const _ of later) {
    await turn();
    const last = granted.at(-1);
    const index = ['ann-2', 'ann-3', 'bob-1', 'bob-2', 'eve-1'].indexOf(last ?? '');
    (await later[index])?.release();
  }

  expect(granted).toEqual(['ann-1', 'bob-1', 'eve-1', 'ann-2', 'bob-2', 'ann-3']);
});

it('a large request to a budget is not overtaken for ever, and one larger than the budget is granted alone', async () => {
  const { granted, take } = opened(10, 10);

  const small = await take('ann', 4);
  const large = take('bob', 50);
  void take('eve', 1);
  await turn();

  expect(granted).toEqual(['ann']);

  small.release();
  await turn();

  expect(granted).toEqual(['ann', 'bob']);

  (await large).shrink(3);
  await turn();

  expect(granted).toEqual(['ann', 'bob', 'eve']);
});

it('an aborted request to a budget stops waiting and holds nothing', async () => {
  const { granted, take } = opened(10, 10);

  const held = await take('ann', 10);
  const controller = new AbortController();
  const given = take('bob', 10, controller.signal);
  void take('eve', 10);
  controller.abort(new Error('enough'));

  await expect(given).rejects.toThrow('enough');

  held.release();
  held.release();
  await turn();

  expect(granted).toEqual(['ann', 'eve']);
});

it('of a bounded map as many entries are kept as are allowed, and these are the newest', () => {
  const kept = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  keepLatest(kept, 3);

  expect([...kept.keys()]).toEqual(['a', 'b', 'c']);

  kept.set('d', 4);
  keepLatest(kept, 3);

  expect([...kept.keys()]).toEqual(['b', 'c', 'd']);
});

const cacheOf = (most: number) => createByteCache<string>(most, (text) => text.length);

it('a bounded map drops what was not used for longest', () => {
  const cache = cacheOf(10);
  for (const key of ['a', 'b', 'c']) cache.set(key, key.repeat(3));

  expect(cache.get('a')).toBe('aaa');

  cache.set('d', 'dddd');

  expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['aaa', undefined, 'ccc', 'dddd']);
});

it('a bounded cache counts a value that is replaced once', () => {
  const cache = cacheOf(10);

  for (let n = 0; n < 5; n += 1) cache.set('a', 'aaaaaa');
  cache.set('b', 'bbbb');

  expect(cache.get('a')).toBe('aaaaaa');
});

it('a bounded cache does not keep a value that is larger than itself', () => {
  const cache = cacheOf(10);
  cache.set('a', 'a'.repeat(11));

  expect(cache.get('a')).toBeUndefined();

  // The value does not count either.
  cache.set('b', 'b'.repeat(10));

  expect(cache.get('b')).toBeDefined();
});

it('tasks of one key run one after the other, also after one that failed', async () => {
  const inTurn = createKeyedQueue();
  const ran: string[] = [];

  const first = inTurn('key', async () => {
    await turn();
    ran.push('first');
    throw new Error('broken');
  });
  const second = inTurn('key', async () => ran.push('second'));

  await expect(first).rejects.toThrow('broken');

  await second;

  expect(ran).toEqual(['first', 'second']);
});

it('everybody who waits for a batch learns that it failed, and later batches are written', async () => {
  let isBroken = true;
  const double = createBatches<number, number>(
    async (numbers) => {
      if (isBroken) throw new Error('broken');
      return numbers.map((number) => 2 * number);
    },
    2,
    turn,
  );

  const failed = await Promise.allSettled([double(1), double(2), double(3)]);

  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);

  isBroken = false;
  expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6]);
});
