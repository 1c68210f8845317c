import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Place } from '../../../src/command/place.ts';
import {
  passing,
  publicReply,
  refusal,
  room,
  stage,
  until,
  useStage,
  view,
} from '../../fakes/discord/stage.ts';
import { createGuild } from '../../fakes/discord/world.ts';

const MANAGE_GUILD = 0x20n;
const ADMINISTRATOR = 0x8n;
useStage();

const heard = () =>
  until(() => {
    const last = stage.desk.heard.at(-1);
    if (last === undefined) throw new Error('not yet');
    return last;
  });

const who = (id: string) => ({ platform: 'discord', id, name: 'x', locale: 'en' }) as const;

const here = (): Place => {
  const { guild, channel } = stage.fake;
  return { platform: 'discord', community: `discord:${guild.id}`, channel, direct: false };
};

const lookUps = () => stage.fake.received.filter((each) => each.path.startsWith('/guilds/'));

test('a server that did not install the bot is the person’s own place, whatever they may do there', async () => {
  const ann = stage.fake.user('ann');
  const away = ann.at({ channel: '900000000000000001', guild: '900000000000000002', guildInstalled: false });

  away.permissions = ADMINISTRATOR;
  away.types('/alias list');
  const { caller, place } = await heard();

  expect(place).toMatchObject({ community: `discord:dm:${ann.user.id}`, direct: false });
  expect(await stage.adapter.isModerator(caller, place)).toBe(false);
});

test.each([
  { bits: MANAGE_GUILD, may: true },
  { bits: ADMINISTRATOR, may: true },
  { bits: 0x10n | 0x4n, may: false },
])(
  'while a command is handled, the permissions that came with it count ($bits: $may)',
  async ({ bits, may }) => {
    const ann = stage.fake.user('ann');

    ann.permissions = bits;
    const asked: boolean[] = [];
    stage.desk.replies(async ({ caller, place }) => {
      asked.push(await stage.adapter.isModerator(caller, place));
      return publicReply('ok');
    });
    await ann.types('/alias list').answered();

    expect(asked).toEqual([may]);
    expect(lookUps()).toEqual([]);
  },
);

test('the permissions of a slow command count for it, too, when a later one of the same person is done', async () => {
  const ann = stage.fake.user('ann');

  ann.permissions = MANAGE_GUILD;
  const later = Promise.withResolvers<void>();
  let verdict: boolean | undefined;
  stage.desk.replies(async ({ caller, place }) => {
    await later.promise;
    verdict = await stage.adapter.isModerator(caller, place);
    return publicReply('slow');
  }, publicReply('quick'));
  const slow = ann.types('/alias list');
  await until(() => expect(stage.desk.heard).toHaveLength(1));
  await ann.types('/alias list').answered();
  // The answer of the quick command is sent before its permissions are forgotten.
  await setTimeout(50);
  later.resolve();
  await slow.answered();
  await until(() => expect(verdict).toBe(true));

  expect(lookUps()).toEqual([]);
});

describe('a permission override of a channel', () => {
  /** Whether Ann counts as a moderator while a command of hers is handled. */
  const judged = async (where?: { readonly channel: string }): Promise<boolean | undefined> => {
    const ann = stage.fake.user('ann');
    const person = where
      ? ann.at({ channel: where.channel, guild: stage.fake.guild.id, guildInstalled: true })
      : ann;
    person.permissions = MANAGE_GUILD;
    let verdict: boolean | undefined;
    stage.desk.replies(async ({ caller, place }) => {
      verdict = await stage.adapter.isModerator(caller, place);
      // Asked twice while the same command is handled, Discord is not.
      expect(await stage.adapter.isModerator(caller, place)).toBe(verdict);
      return publicReply('ok');
    });
    await person.types('/alias list').answered();
    return verdict;
  };

  const channelHere = () => {
    const channel = stage.fake.world.channels.get(stage.fake.channel);
    if (channel === undefined) throw new Error('no channel');
    return channel;
  };

  const annId = () => stage.fake.user('ann').user.id;

  test.each([
    {
      what: 'for the person makes no moderator',
      id: () => annId(),
      allow: MANAGE_GUILD,
      ofRole: 0n,
      isModerator: false,
      asked: 1,
    },
    {
      what: 'for everyone makes no moderator',
      id: () => stage.fake.guild.id,
      allow: ADMINISTRATOR,
      ofRole: 0n,
      isModerator: false,
      asked: 1,
    },
    {
      what: 'for a role of the person’s makes no moderator',
      id: () => '55',
      allow: MANAGE_GUILD,
      ofRole: 0n,
      isModerator: false,
      asked: 1,
    },
    {
      what: 'does not remove server moderators',
      id: () => annId(),
      allow: MANAGE_GUILD,
      ofRole: MANAGE_GUILD,
      isModerator: true,
      asked: 1,
    },
    {
      what: 'of other people is ignored',
      id: () => '900000000000000077',
      allow: ADMINISTRATOR,
      ofRole: 0n,
      isModerator: true,
      asked: 0,
    },
    {
      what: 'of other permissions is ignored',
      id: () => annId(),
      allow: 0x10n,
      ofRole: 0n,
      isModerator: true,
      asked: 0,
    },
  ])('a permission override of a channel $what', async ({ id, allow, ofRole, isModerator, asked }) => {
    stage.fake.guild.roles.set('55', ofRole);
    stage.fake.guild.members.set(annId(), ['55']);

    channelHere().overwrites = [{ id: id(), allow }];
    expect(await judged()).toBe(isModerator);
    expect(lookUps()).toHaveLength(asked);
  });

  const threadOf = (parent: string): string => {
    const thread = '900000000000000031';
    stage.fake.world.channels.set(thread, { id: thread, guild: stage.fake.guild.id, parent });
    return thread;
  };

  test('a permission override of a channel makes nobody a moderator in the threads of the channel', async () => {
    stage.fake.guild.members.set(annId(), []);
    channelHere().overwrites = [{ id: annId(), allow: MANAGE_GUILD }];
    expect(await judged({ channel: threadOf(stage.fake.channel) })).toBe(false);
  });

  test.each([
    { position: 'in that channel', where: (channel: string) => channel },
    { position: 'in a thread of it', where: threadOf },
  ])(
    'a permission override that Discord hides from the bot makes no moderator $position, and the server’s roles decide',
    async ({ where }) => {
      const moderator = MANAGE_GUILD;
      const nobody = 0n;
      const channel = channelHere();
      stage.fake.guild.members.set(annId(), ['55']);

      channel.overwrites = [{ id: annId(), allow: MANAGE_GUILD }];
      channel.isHidden = true;
      stage.fake.guild.roles.set('55', nobody);

      expect(await judged({ channel: where(channel.id) })).toBe(false);

      stage.fake.guild.roles.set('55', moderator);
      expect(await judged({ channel: where(channel.id) })).toBe(true);
    },
  );

  test('unreadable overrides are replaced by the server’s roles, or by the interaction’s permissions in trouble', async () => {
    stage.fake.guild.members.set(annId(), []);
    channelHere().botError = 50001;
    expect(await judged()).toBe(false);

    // A server without roles is not believed.
    stage.fake.guild.roles.clear();
    expect(await judged()).toBe(true);

    stage.fake.guild.botPresent = false;
    expect(await judged()).toBe(false);
  });

  test('a permission override that cannot be read because of rate limits gives no permission', async () => {
    stage.fake.guild.members.set(annId(), []);

    channelHere().botError = 50001;
    const headers = { 'Retry-After': '5' };
    stage.fake.fault({ path: /^\/guilds\/\d+$/, kind: 'status', status: 429, headers });

    expect(await judged()).toBe(false);
  });

  test('no permission override is assumed when Discord sends no list of overrides', async () => {
    const body = { id: stage.fake.channel };
    stage.fake.fault({ path: /^\/channels\/\d+$/, kind: 'status', status: 200, body });
    expect(await judged()).toBe(true);
    expect(lookUps()).toEqual([]);
  });
});

test('after the interaction Discord is asked again, and the current roles count', async () => {
  const ann = stage.fake.user('ann');

  ann.permissions = MANAGE_GUILD;
  await ann.types('/help').answered();
  const { caller, place } = await heard();
  await stage.adapter.stop();

  expect(await stage.adapter.isModerator(caller, place)).toBe(false);

  stage.fake.guild.roles.set('55', MANAGE_GUILD);
  stage.fake.guild.members.set(ann.user.id, ['55']);
  expect(await stage.adapter.isModerator(caller, place)).toBe(true);

  stage.fake.guild.roles.set(stage.fake.guild.id, ADMINISTRATOR);
  stage.fake.guild.members.set(ann.user.id, []);
  expect(await stage.adapter.isModerator(caller, place)).toBe(true);
});

test('the owner of a server is a moderator, a stranger is not, and nobody in an unreachable server', async () => {
  const place = here();
  stage.fake.guild.members.set(stage.fake.guild.owner, []);
  expect(await stage.adapter.isModerator(who(stage.fake.guild.owner), place)).toBe(true);
  expect(await stage.adapter.isModerator(who('900000000000000003'), place)).toBe(false);

  stage.fake.guild.botPresent = false;
  expect(await stage.adapter.isModerator(who(stage.fake.guild.owner), place)).toBe(false);
});

test('a thread or forum post is a place of its own, with its parent, until it is locked', async () => {
  const thread = '900000000000000031';
  const { guild, channel: parent } = stage.fake;
  stage.fake.world.channels.set(thread, { id: thread, guild: guild.id, parent });
  stage.fake.user('ann').at({ channel: thread, guild: guild.id, guildInstalled: true }).types('/help');

  const { place } = await heard();
  expect(place).toMatchObject({ community: `discord:${guild.id}`, channel: thread, parent, direct: false });

  stage.fake.fault({ method: 'POST', path: /messages$/, ...refusal(400, 50083, 'Thread is archived') });
  expect(await stage.adapter.say({ place }, view('A line of the log'))).toEqual({ state: 'gone' });
});

test('the bot asks Discord whether somebody is a member of a server', async () => {
  const { guild } = stage.fake;
  const place = here();
  const ann = who('900000000000000005');
  const isMember = async (where: Place = place) => stage.adapter.isMember?.(ann, where);

  expect(await isMember()).toBe(false);

  guild.members.set(ann.id, []);
  expect(await isMember()).toBe(true);

  // Discord lets nobody who was timed out press anything there.
  guild.timeouts = new Map([[ann.id, new Date(stage.clock.now() + 1_000).toISOString()]]);
  expect(await isMember()).toBe(false);

  await stage.clock.advance(2_000);
  expect(await isMember()).toBe(true);
  expect(await isMember({ ...place, community: `discord:dm:${ann.id}` })).toBe(false);

  // A bot that is no longer there may not write there either, and that is what it then says.
  guild.botPresent = false;
  expect(await isMember()).toBe(true);
});

test.each([
  { answer: 'missing permissions', fault: refusal(403, 50013), state: 'gone', unsent: undefined },
  { answer: 'an invalid form', fault: refusal(400, 50035), state: 'later', unsent: true },
  { answer: 'too large a file', fault: refusal(413, 40005), state: 'later', unsent: true },
  { answer: 'a lost answer', fault: { kind: 'reset', after: true }, state: 'later', unsent: undefined },
] as const)(
  'a result that is shared in Discord and answered with $answer',
  async ({ fault, state, unsent }) => {
    const by = { caller: who('900000000000000005'), job: 'job-1' };
    const share = () => stage.adapter.say({ place: here() }, view('Look'), by);
    stage.fake.fault({ method: 'POST', path: /messages$/, ...fault });
    let said: Awaited<ReturnType<typeof share>> | undefined;

    void share().then((outcome) => (said = outcome));
    await passing(stage.clock, 1_000, () => expect(said?.state).toBe(state));

    expect(said !== undefined && 'unsent' in said ? said.unsent : undefined).toBe(unsent);

    stage.fake.clearFaults();
    // Sent again a moment later, it is the same message.
    expect((await share()).state).toBe('drawn');
    expect(room()).toHaveLength(1);
  },
);

test('every server is listed, however many pages there are, and a list that cannot be read is none', async () => {
  const { world, received } = stage.fake;
  const ids = Array.from({ length: 450 }, (_, n) => {
    const id = world.id();
    const people = Array.from({ length: n % 3 }, (_each, at) => [String(at), []] as const);
    const members = new Map<string, readonly string[]>(people);
    world.guilds.set(id, createGuild(id, { name: `Server ${n}`, members }));
    return `discord:${id}`;
  });

  const listed = (await stage.adapter.communities?.()) ?? [];
  expect(listed.map(({ community }) => community).toSorted()).toEqual(
    [...ids, `discord:${stage.fake.guild.id}`].toSorted(),
  );

  const [third = ''] = ids.slice(2);
  const described = { name: 'Server 2', members: 2 };
  expect(listed).toContainEqual({ community: third, ...described });
  expect(received.filter(({ path }) => path.includes('/users/@me/guilds'))).toHaveLength(3);

  const infoOf = async (community: string) =>
    stage.adapter.communityInfo?.({ platform: 'discord', community, channel: '', direct: false });

  expect(await infoOf(third)).toEqual(described);
  expect(await infoOf('discord:dm:5')).toBeUndefined();
  await expect(infoOf('discord:5')).rejects.toThrow();

  stage.fake.fault({ path: /guilds/, ...refusal(403, 50001, 'no') });
  await expect(stage.adapter.communities?.()).rejects.toThrow();
});
