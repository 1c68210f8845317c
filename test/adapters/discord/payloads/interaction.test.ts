import type { APIAttachment, APIInteraction } from 'discord.js';
import { describe, expect, test } from 'vitest';
import {
  answerCard,
  type Card,
  linkOf,
  liveToken,
} from '../../../../src/adapters/discord/payloads/card-ref.ts';
import {
  isInstalledByServer,
  readAttachment,
  readCaller,
  readPlace,
  readRoles,
} from '../../../../src/adapters/discord/payloads/interaction.ts';
import type { Place } from '../../../../src/command/place.ts';

const guild = '900000000000000002';
const parsed = (value: object) => JSON.parse(JSON.stringify(value));

/** Only what an interaction cannot do without; the rest is added where a test is about it. */
const interaction = (more: object = {}): APIInteraction =>
  parsed({ id: '1', application_id: '2', type: 2, token: 't', user: { id: '5' }, channel_id: '3', ...more });

const attachment = (more: object): APIAttachment =>
  parsed({ id: '1', filename: 'a.jpg', url: 'https://cdn.discordapp.com/a.jpg', ...more });

describe('an interaction with few fields', () => {
  test('an interaction without a server is a direct message, in English', () => {
    expect(readPlace(interaction())).toMatchObject({ community: 'discord:dm:5', channel: '3', direct: true });
    expect(readCaller(interaction()).locale).toBe('en');
    expect(isInstalledByServer(interaction())).toBe(true);
  });

  test.each([
    ['nothing about who installed the bot', {}, true],
    ['nobody in particular', { authorizing_integration_owners: {} }, true],
    ['the server', { authorizing_integration_owners: { 0: guild } }, true],
    ['both', { authorizing_integration_owners: { 0: guild, 1: '5' } }, true],
    ['a person alone', { authorizing_integration_owners: { 1: '5' } }, false],
  ])(
    'an interaction in a server, with %s, comes from a server that installed the bot: %s',
    (_, more, own) => {
      const said = interaction({ guild_id: guild, ...more });
      expect(isInstalledByServer(said)).toBe(own);
      expect(readPlace(said)).toMatchObject({
        community: own ? `discord:${guild}` : 'discord:dm:5',
        direct: false,
      });
    },
  );

  test('the roles of an interaction are those of a server that installed the bot', () => {
    const member = { user: { id: '5', username: 'ann' }, roles: ['7'], permissions: '0' };
    const rolesWith = (owners: object) =>
      readRoles(interaction({ guild_id: guild, member, authorizing_integration_owners: owners }));

    expect(rolesWith({ 0: guild })).toEqual(['7']);
    expect(rolesWith({ 1: '5' })).toEqual([]);
  });

  test('the token of an interaction expires relative to its arrival, whatever its id says', () => {
    const now = Date.UTC(2026, 10, 15);
    const card = answerCard(interaction(), now, { message: '7', ephemeral: true });
    expect(liveToken(card, now + 14 * 60_000)).toBe('t');
    expect(liveToken(card, now + 15 * 60_000)).toBeUndefined();
  });
});

test.each([
  [
    'of a type that nobody knows',
    { content_type: 'application/octet-stream', filename: 'blob', size: 9 },
    true,
  ],
  ['that moves, of which the first picture counts', { content_type: 'image/apng', size: 9 }, true],
  ['without size, type, width and height', {}, true],
  ['that is a text', { content_type: 'text/plain', size: 9 }, false],
  ['of a format that is not supported', { content_type: 'image/heic', size: 9 }, false],
  ['as large as may be', { content_type: 'image/png', size: 20 * 1024 * 1024 }, true],
  ['that says it is too large', { content_type: 'image/png', size: 20 * 1024 * 1024 + 1 }, false],
])('a photo of an interaction %s may be tried: %s', (_, more, usable) => {
  expect(readAttachment(attachment(more)) !== 'unusable').toBe(usable);
});

const server: Place = { platform: 'discord', community: 'discord:10', channel: '20', direct: false };

test.each<[name: string, more: Partial<Card>, where: Place, address: string | undefined]>([
  ['in a server', {}, server, 'https://discord.com/channels/10/20/30'],
  ['that one person sees', { ephemeral: true }, server, undefined],
  ['of which only the interaction is known', { message: undefined }, server, undefined],
  ['in direct messages', {}, { ...server, community: 'discord:dm:4', direct: true }, undefined],
])('the address of a message %s', (_, more, where, address) => {
  const card = answerCard(interaction({ channel_id: '20' }), 0, { message: '30' });
  expect(linkOf({ ...card, ...more }, where)).toBe(address);
});
