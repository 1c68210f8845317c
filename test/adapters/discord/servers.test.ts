import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRequests } from '../../../src/adapters/discord/api/requests.ts';
import { createServers } from '../../../src/adapters/discord/api/servers.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import { refusal } from './stage.ts';

let fake: FakeDiscord;
beforeAll(async () => {
  fake = await createFakeDiscord();
});
afterAll(() => fake.stop());
const serversOf = () =>
  createServers(createRequests({ token: fake.token, apiUrl: fake.api, clock: systemClock }));
const add = (name: string, members: number): string => {
  const id = fake.world.id();
  const people = Array.from({ length: members }, (_, n) => [String(n), []] as const);
  const guild = { id, name, owner: '1', roles: new Map(), members: new Map(people), botPresent: true };
  fake.world.guilds.set(id, guild);
  return `discord:${id}`;
};
const placeIn = (community: string) => ({
  platform: 'discord' as const,
  community,
  channel: '',
  direct: false,
});

it('lists every server, however many pages there are', async () => {
  const all = Array.from({ length: 450 }, (_, n) => add(`Server ${n}`, n % 3));
  const listed = await serversOf().communities();
  expect(listed.map(({ community }) => community)).toEqual(expect.arrayContaining(all));
  expect(listed).toHaveLength(all.length + 1);
  expect(listed.find(({ community }) => community === all[2])).toEqual({
    community: all[2],
    name: 'Server 2',
    members: 2,
  });
  expect(fake.received.filter(({ path }) => path.includes('/users/@me/guilds'))).toHaveLength(3);
});

it('describes a server, and nothing else', async () => {
  const community = add('Photo club', 7);
  const { communityInfo } = serversOf();
  expect(await communityInfo(placeIn(community))).toEqual({ name: 'Photo club', members: 7 });
  expect(await communityInfo(placeIn('discord:dm:5'))).toBeUndefined();
  await expect(communityInfo(placeIn('discord:5'))).rejects.toThrow();
});

it('a list that cannot be read is no list', async () => {
  fake.fault({ path: /guilds/, ...refusal(403, 50001, 'no') });
  await expect(serversOf().communities()).rejects.toThrow();
  fake.clearFaults();
  expect(fake.world.complaints).toEqual([]);
});
