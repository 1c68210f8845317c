import { expect, test } from 'vitest';
import { type Card, linkOf } from '../../../src/adapters/discord/api/card-ref.ts';
import type { Place } from '../../../src/command/place.ts';

const card: Card = {
  app: '1',
  channel: '20',
  message: '30',
  user: '4',
  locale: 'en',
  at: 0,
  ephemeral: false,
  member: true,
  limit: 1,
  spoiler: false,
};
const place: Place = { platform: 'discord', community: 'discord:10', channel: '20', direct: false };

test('a message in a server has an address', () => {
  expect(linkOf(card, place)).toBe('https://discord.com/channels/10/20/30');
});

test.each([
  ['that one person sees', { ...card, ephemeral: true }, place],
  ['of which only the interaction is known', { ...card, message: undefined }, place],
  ['in direct messages', card, { ...place, community: 'discord:dm:4', direct: true }],
])('a message %s has none', (_, value, where) => {
  expect(linkOf(value, where)).toBeUndefined();
});
