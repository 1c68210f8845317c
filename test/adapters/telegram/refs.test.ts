import { expect, test } from 'vitest';
import { isSameCard, linkOf } from '../../../src/adapters/telegram/api/refs.ts';

test.each([
  ['a supergroup', { chat: -1001234567890 }, 'https://t.me/c/1234567890/7'],
  ['a topic', { chat: -1001234567890, thread: 5 }, 'https://t.me/c/1234567890/5/7'],
  ['a small group', { chat: -4711 }, undefined],
  ['a private chat', { chat: 42 }, undefined],
])('the link of a message in %s', (_, where, address) => {
  expect(linkOf({ message: 7, ...where })).toBe(address);
});

test('two messages of one chat are two cards, and a message of the migrated group is the same card', () => {
  const isSame = (chat: number, message: number): boolean =>
    isSameCard({ chat: -5, message: 7, media: false }, { chat, message, media: false });

  expect(isSame(-5, 7)).toBe(true);
  expect(isSame(-5, 8)).toBe(false);
  expect(isSame(-1_000_000_000_005, 3)).toBe(true);
});
