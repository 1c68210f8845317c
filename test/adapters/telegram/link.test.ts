import { expect, test } from 'vitest';
import { linkOf } from '../../../src/adapters/telegram/api/refs.ts';

test.each([
  ['a supergroup', { chat: -1001234567890 }, 'https://t.me/c/1234567890/7'],
  ['a topic', { chat: -1001234567890, thread: 5 }, 'https://t.me/c/1234567890/5/7'],
  ['a small group', { chat: -4711 }, undefined],
  ['a private chat', { chat: 42 }, undefined],
])('a message in %s', (_, where, address) => {
  expect(linkOf({ message: 7, ...where })).toBe(address);
});
