import { connect } from '../../../src/adapters/discord/adapter.ts';
import { eventually } from '../../eventually.ts';
import { buttonsOf, filesOf, menuOf, partsOf, type SeenFile } from '../../fakes/discord/components.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import { openEndpoint } from '../../fakes/discord/endpoint.ts';
import type { Posted } from '../../fakes/discord/http-delivery.ts';
import { display } from '../../fakes/discord/markdown.ts';
import type { DiscordPerson } from '../../fakes/discord/people.ts';
import { faceswap } from '../../fakes/discord/stage.ts';
import { LOADING, type Message } from '../../fakes/discord/world.ts';
import type { AdapterDriver, Lacks, Person, Seen, Spot } from './driver.ts';
import { createProcesses } from './processes.ts';
import { adapterSuite } from './suite.ts';

const MANAGE_GUILD = 0x20n;
const MANAGERS = '77';

const kindOf = ({ type, isFile }: SeenFile): NonNullable<Seen['media']>['kind'] => {
  if (isFile) return 'file';
  return type.startsWith('image/') ? 'image' : 'video';
};

/** Entries of a menu are tiles if they have a number before their name. */
const isTile = (label: string): boolean => label.includes(' · ');

const see = (message: Message): Seen => {
  const { text, links, mentions } = display(message.content);
  const [file] = filesOf(message);
  const entries = (menuOf(message)?.options ?? []).map(({ label }) => label);
  return {
    id: message.id,
    text,
    links,
    mentions,
    buttons: [...entries.filter((label) => !isTile(label)), ...buttonsOf(message)],
    tiles: entries.filter(isTile).map((label) => label.split(' · ')[0] ?? ''),
    ...(file === undefined
      ? {}
      : {
          media: { kind: kindOf(file), bytes: file.bytes, spoiler: file.spoiler, alt: file.description },
        }),
  };
};

const photoOf = (bytes: Uint8Array) => ({ name: 'me.jpg', type: 'image/jpeg', bytes });

const createPerson = (
  fake: FakeDiscord,
  at: Readonly<Record<Spot, DiscordPerson>>,
  channels: Readonly<Record<Spot, string>>,
): Person => {
  const { user, locale } = at.room;
  let latest: { readonly posted: Posted | undefined; readonly event: unknown };
  /** Does something, and remembers the interaction that it caused. */
  const act = <T>(action: () => T): T => {
    const result = action();
    latest = { posted: fake.http.posted.at(-1), event: fake.lastEvent('INTERACTION_CREATE') };
    return result;
  };
  const messageOf = (seen: Seen): Message => {
    const message = fake.world.messages.get(seen.id);
    if (message === undefined) throw new Error('the message has gone');
    return message;
  };
  const personAt = (spot: Spot): Person => ({
    caller: { platform: 'discord', id: user.id, name: user.name, locale },
    async types({ command, given = {}, photos = {} }) {
      const { private: hidden, ...rest } = given;
      const attached = Object.entries(photos).map(([name, bytes]) => [name, photoOf(bytes)] as const);
      const values = {
        ...rest,
        ...(hidden === undefined ? {} : { private: hidden === 'yes' }),
        ...Object.fromEntries(attached),
      };
      act(() => at[spot].types(`/${command}`, values));
    },
    async completes(command, option, typed) {
      const { data } = await at[spot].completes(command, option, typed).answered();
      return (data as { readonly choices: readonly { readonly name: string }[] }).choices.map(
        ({ name }) => name,
      );
    },
    async presses(seen, label) {
      const message = messageOf(seen);
      const entry = menuOf(message)?.options.find(
        (each) => each.label === label || each.label.startsWith(`${label} · `),
      );
      const person = at[spot];
      act(() =>
        entry === undefined ? person.presses(message, label) : person.chooses(message, entry.label),
      );
    },
    async forges(seen, action) {
      const forged = {
        type: 1,
        components: [{ type: 2, style: 2, label: 'Forged', custom_id: `a:${action}` }],
      };
      act(() => at[spot].presses({ ...messageOf(seen), components: [forged] }, 'Forged'));
    },
    async answers(question, answer) {
      const message = messageOf(question);
      const opens = partsOf(message).find(({ custom_id: id }) => String(id).startsWith('w:'));
      const opened = at[spot].presses(message, String(opens?.label));
      const { data } = await opened.answered();
      const form = data as { components: readonly { component: { custom_id: string } }[] };
      const field = form.components[0]?.component.custom_id ?? '';
      act(() => at[spot].submits(opened, { [field]: typeof answer === 'string' ? answer : photoOf(answer) }));
    },
    blunders: async () =>
      void at[spot].types('/faceswap', {
        photo: { name: 'me.txt', type: 'text/plain', bytes: new Uint8Array(8) },
      }),
    async repeats() {
      const { http, world, gateway } = fake;
      if (latest.posted === undefined) return gateway.dispatch('INTERACTION_CREATE', latest.event);
      const payload = JSON.parse(latest.posted.body) as { readonly token: string };
      const interaction = world.interactions.get(payload.token);
      if (interaction === undefined) throw new Error('nothing was posted');
      const before = http.statuses.length;
      http.deliver(interaction, payload);
      await eventually(() => http.statuses.length > before);
    },
    takesDown: async ({ id }) => void fake.world.messages.delete(id),
    async sees() {
      const messages = fake.messages(channels[spot], at[spot]);
      return messages
        .filter((each) => each.author === fake.world.bot.id && (each.flags & LOADING) === 0)
        .map(see);
    },
    at: personAt,
  });
  return personAt('room');
};

const LACKS: Lacks = {
  silence: 'every interaction waits for an answer',
  'notes on removal': 'the removal is the answer',
  sharesOnce: 'Discord recognises a repeat for a few minutes only',
  keepsChat: 'Discord keeps the chat',
  personName: 'Discord shows names itself',
  isSame: 'no card is sent twice',
  readLink: 'links to messages name their server and channel by numbers',
};

const driver = (transport: 'gateway' | 'HTTP'): AdapterDriver => ({
  name: `discord, interactions by ${transport}`,
  lacks: {
    ...LACKS,
    'slow answers after a crash':
      'Discord says once what happened; owed-answers.test.ts tells what becomes of it',
    ...(transport === 'gateway' ? {} : { 'events after a crash': 'Discord posts an interaction once' }),
  },
  async open(desk) {
    const fake = await createFakeDiscord();
    const { world, guild } = fake;
    world.guilds.set(guild.id, { ...guild, name: 'Photo club' });
    guild.roles.set(MANAGERS, MANAGE_GUILD);
    const { token, api: apiUrl, cdnHost, http, channel: room } = fake;
    const publicKey = transport === 'HTTP' ? { publicKey: http.publicKey } : {};
    const processes = await createProcesses(desk, (parts) =>
      connect({ token, apiUrl, cdnHosts: [cdnHost], ...publicKey }, { ...parts, commands: [faceswap] }),
    );
    const handle = async (request: Request): Promise<Response> =>
      (await processes.connected.webhook?.handle(request)) ?? new Response(null, { status: 503 });
    const endpoint = transport === 'HTTP' ? await openEndpoint(fake, handle) : undefined;
    const thread = world.id();
    world.channels.set(thread, { id: thread, guild: guild.id, parent: room });
    const join = (name: string, locale = 'en-US', roles: readonly string[] = []): Person => {
      const person = fake.newcomer(name);
      const { id } = person.user;
      guild.members.set(id, roles);
      const direct = world.id();
      world.channels.set(direct, { id: direct, recipient: id });
      const inServer = { guild: guild.id, guildInstalled: true };
      const at = {
        room: person.at({ channel: room, ...inServer }),
        thread: person.at({ channel: thread, ...inServer }),
        direct: person.at({ channel: direct, guildInstalled: true }),
      };
      for (const each of Object.values(at)) {
        each.locale = locale;
        each.permissions = roles.length > 0 ? MANAGE_GUILD : 0n;
      }
      return createPerson(fake, at, { room, thread, direct });
    };
    const community = `discord:${guild.id}`;
    const place = { platform: 'discord', community, channel: room, direct: false } as const;
    return {
      get adapter() {
        return processes.adapter;
      },
      place,
      nowhere: { ...place, channel: world.id() },
      stranger: { platform: 'discord', id: world.id(), name: 'Stranger', locale: 'en-US' },
      ann: join('ann'),
      bob: join('bob'),
      mod: join('mod', 'en-US', [MANAGERS]),
      eva: join('eva', 'de'),
      crash: processes.crash,
      async outage(work) {
        fake.fault({ path: /./, kind: 'reset' });
        return work().finally(fake.clearFaults);
      },
      losePhotos: async () => world.files.clear(),
      stored: processes.stored,
      complaints: () => world.complaints,
      async end() {
        await processes.stop();
        await endpoint?.close();
        await fake.stop();
      },
    };
  },
});

adapterSuite(driver('gateway'));
adapterSuite(driver('HTTP'), ['text', 'image inline']);
