import { expect, test } from 'vitest';
import { isSameCard } from '../../../../src/adapters/telegram/api/refs.ts';

const card = (chat: number, message: number) => ({ chat, message, media: false });

test('one of two messages in a chat is the card; after a migration it has another id', () => {
  expect(isSameCard(card(-5, 7), card(-5, 7))).toBe(true);
  expect(isSameCard(card(-5, 7), card(-5, 8))).toBe(false);
  expect(isSameCard(card(-5, 7), card(-1_000_000_000_005, 3))).toBe(true);
});
