import { expect, test } from 'vitest';
import { isSameCard } from '../../../src/adapters/telegram/api/refs.ts';

const card = (chat: number, message: number) => ({ chat, message, media: false });

test('two messages of one chat are two cards; a message of the migrated group is the same card', () => {
  expect(isSameCard(card(-5, 7), card(-5, 7))).toBe(true);
  expect(isSameCard(card(-5, 7), card(-5, 8))).toBe(false);
  expect(isSameCard(card(-5, 7), card(-1_000_000_000_005, 3))).toBe(true);
});
