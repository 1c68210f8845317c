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
    { owners: 'nothing about who installed the bot', more: {}, own: true },
    { owners: 'nobody in particular', more: { authorizing_integration_owners: {} }, own: true },
    { owners: 'the server', more: { authorizing_integration_owners: { 0: guild } }, own: true },
    { owners: 'both', more: { authorizing_integration_owners: { 0: guild, 1: '5' } }, own: true },
    { owners: 'a person alone', more: { authorizing_integration_owners: { 1: '5' } }, own: false },
  ])(
    'an interaction in a server, with $owners, comes from a server that installed the bot: $more',
    ({ more, own }) => {
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
  {
    what: 'of a type that nobody knows',
    more: { content_type: 'application/octet-stream', filename: 'blob', size: 9 },
    usable: true,
  },
  {
    what: 'that moves, of which the first picture counts',
    more: { content_type: 'image/apng', size: 9 },
    usable: true,
  },
  { what: 'without size, type, width and height', more: {}, usable: true },
  { what: 'that is a text', more: { content_type: 'text/plain', size: 9 }, usable: false },
  { what: 'of a format that is not supported', more: { content_type: 'image/heic', size: 9 }, usable: false },
  { what: 'as large as may be', more: { content_type: 'image/png', size: 20 * 1024 * 1024 }, usable: true },
  {
    what: 'that says it is too large',
    more: { content_type: 'image/png', size: 20 * 1024 * 1024 + 1 },
    usable: false,
  },
])('a photo of an interaction $what may be tried: $more', ({ more, usable }) => {
  expect(readAttachment(attachment(more)) !== 'unusable').toBe(usable);
});

const server: Place = { platform: 'discord', community: 'discord:10', channel: '20', direct: false };

test.each<{ what: string; more: Partial<Card>; where: Place; address: string | undefined }>([
  { what: 'in a server', more: {}, where: server, address: 'https://discord.com/channels/10/20/30' },
  { what: 'that one person sees', more: { ephemeral: true }, where: server, address: undefined },
  {
    what: 'of which only the interaction is known',
    more: { message: undefined },
    where: server,
    address: undefined,
  },
  {
    what: 'in direct messages',
    more: {},
    where: { ...server, community: 'discord:dm:4', direct: true },
    address: undefined,
  },
])('the address of a message $what', ({ more, where, address }) => {
  const card = answerCard(interaction({ channel_id: '20' }), 0, { message: '30' });
  expect(linkOf({ ...card, ...more }, where)).toBe(address);
});
