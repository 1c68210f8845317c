import { expect, test } from 'vitest';
import {
  createEventLimiter,
  type EventLimits,
} from '../../../../../src/command/desk/access/event-limiter.ts';

const limits: EventLimits = { perPerson: 10, perChat: 100, perCrowd: 500 };
const clock = { now: () => 0 };

/** A limiter with these limits, by which a person enters a chat. */
const opened = (bounds: EventLimits) => {
  const limiter = createEventLimiter(clock, bounds, 'person');
  return (person: string, chat = 'chat') => limiter.enter({ person, chat });
};

const isTaken = (admission: object): boolean => 'leave' in admission;

test('many people get one slot each, up to a limit, and a second slot is refused', () => {
  const enter = opened(limits);
  const first = Array.from({ length: 510 }, (_, index) => isTaken(enter(`p${index}`)));
  expect(first.filter(Boolean)).toHaveLength(500);
  expect(enter('p0')).toEqual({ refused: 'perChat', tell: true });
  expect(isTaken(enter('elsewhere', 'other chat'))).toBe(true);
});

test('a few heavy users leave slots for others', () => {
  const enter = opened(limits);

  for (let count = 0; count < 20; count += 1) for (let one = 0; one < 40; one += 1) enter(`greedy ${one}`);
  const calm = Array.from({ length: 150 }, (_, index) => isTaken(enter(`calm ${index}`)));

  expect(calm.every(Boolean)).toBe(true);
});

test('people who share a limit have it together, and each of them one slot', () => {
  const limiter = createEventLimiter(clock, limits, 'person');
  const enter = (chat: number) =>
    isTaken(limiter.enter({ person: `of ${chat}`, turn: 'all', chat: `${chat}` }));

  const flood = Array.from({ length: 60 }, (_, chat) => [enter(chat), enter(chat), enter(chat)]);

  // They get ten slots together, and then one each.
  expect(flood.flat().filter(Boolean)).toHaveLength(10 + 56);
  expect(isTaken(limiter.enter({ person: 'calm', chat: '1' }))).toBe(true);
});

test('a slot that is given back twice is free once', () => {
  const enter = opened({ perPerson: 2, perChat: 100 });
  const first = enter('ann');
  enter('ann');
  expect(enter('ann')).toMatchObject({ refused: 'perPerson' });

  if (!('leave' in first)) return expect.fail('the first slot was refused');
  first.leave();
  first.leave();

  expect(isTaken(enter('ann'))).toBe(true);
  expect(enter('ann')).toMatchObject({ refused: 'perPerson' });
});

test('without a crowd limit, the chat’s limit applies', () => {
  const enter = opened({ perPerson: 10, perChat: 100 });
  const taken = Array.from({ length: 150 }, (_, index) => isTaken(enter(`p${index}`)));
  expect(taken.filter(Boolean)).toHaveLength(100);
});
