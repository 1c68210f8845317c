import { expect, test } from 'vitest';
import { isSameCard } from '../../../../src/adapters/telegram/api/refs.ts';

const card = (chat: number, message: number) => ({ chat, message, media: false });

test('of two messages in one chat only one is the card; in the supergroup that a group became it has another number', () => {
  expect(isSameCard(card(-5, 7), card(-5, 7))).toBe(true);
  expect(isSameCard(card(-5, 7), card(-5, 8))).toBe(false);
  expect(isSameCard(card(-5, 7), card(-1_000_000_000_005, 3))).toBe(true);
});
