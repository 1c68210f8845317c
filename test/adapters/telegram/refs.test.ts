import { expect, test } from 'vitest';
import { isSameCard, linkOf } from '../../../src/adapters/telegram/api/refs.ts';

test.each([
  { place: 'a supergroup', where: { chat: -1001234567890 }, address: 'https://t.me/c/1234567890/7' },
  { place: 'a topic', where: { chat: -1001234567890, thread: 5 }, address: 'https://t.me/c/1234567890/5/7' },
  { place: 'a small group', where: { chat: -4711 }, address: undefined },
  { place: 'a private chat', where: { chat: 42 }, address: undefined },
])('the link of a message in $place', ({ where, address }) => {
  expect(linkOf({ message: 7, ...where })).toBe(address);
});

test('two messages of one chat are two cards, and a message of the migrated group is the same card', () => {
  const isSame = (chat: number, message: number): boolean =>
    isSameCard({ chat: -5, message: 7, media: false }, { chat, message, media: false });

  expect(isSame(-5, 7)).toBe(true);
  expect(isSame(-5, 8)).toBe(false);
  expect(isSame(-1_000_000_000_005, 3)).toBe(true);
});
