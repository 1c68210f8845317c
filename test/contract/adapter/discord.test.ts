import { createDiscordAdapter } from '../../../src/adapters/discord/adapter.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { soleMember } from '../../../src/base/members/sole-member.ts';
import { createLog } from '../../../src/log/log.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { buttonsOf, filesOf, menuOf } from '../../fakes/discord/components.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import { openEndpoint } from '../../fakes/discord/endpoint.ts';
import { display } from '../../fakes/discord/markdown.ts';
import type { Person as DiscordPerson } from '../../fakes/discord/people.ts';
import { LOADING, type Message } from '../../fakes/discord/world.ts';
import { createRecords } from '../../fakes/records.ts';
import type { AdapterDriver, Person, Seen } from './driver.ts';
import { adapterSuite } from './suite.ts';

const MANAGE_GUILD = 0x20n;

const see = (message: Message): Seen => {
  const { text, links, mentions } = display(message.content);
  const [file] = filesOf(message);
  return {
    id: message.id,
    text,
    links,
    mentions,
    buttons: buttonsOf(message),
    tiles: (menuOf(message)?.options ?? []).map(({ label }) => label.split(' · ')[0] ?? ''),
    ...(file === undefined
      ? {}
      : {
          media: {
            kind: file.type.startsWith('image/')
              ? 'image'
              : file.type.startsWith('video/')
                ? 'video'
                : 'file',
            bytes: file.bytes,
            spoiler: file.spoiler,
          },
        }),
  };
};

const personIn = (fake: FakeDiscord, person: DiscordPerson): Person => {
  const messageOf = (seen: Seen): Message => {
    const message = fake.world.messages.get(seen.id);
    if (message === undefined) throw new Error('the message has gone');
    return message;
  };
  const visible = (messages: readonly Message[]): Seen[] =>
    messages.filter((each) => each.author === fake.world.bot.id && (each.flags & LOADING) === 0).map(see);
  return {
    caller: { platform: 'discord', id: person.user.id, name: person.user.name, locale: person.locale },
    async type(command, options = {}, photo) {
      const { private: hidden, ...rest } = options;
      person.slash(command, {
        ...rest,
        ...(hidden === undefined ? {} : { private: hidden === 'yes' }),
        ...(photo === undefined ? {} : { photo: { name: 'me.jpg', type: 'image/jpeg', bytes: photo } }),
      });
    },
    async press(message, label) {
      await person.press(messageOf(message), label).answered();
    },
    async choose(message, tile) {
      const entry = menuOf(messageOf(message))?.options.find(({ label }) => label.startsWith(`${tile} · `));
      await person.choose(messageOf(message), entry?.label ?? tile).answered();
    },
    async write(question, text) {
      const opened = person.press(messageOf(question), 'Write…');
      const answer = await opened.answered();
      const form = answer.data as { components: readonly { component: { custom_id: string } }[] };
      const field = form.components[0]?.component.custom_id ?? '';
      person.submit(opened, { [field]: text });
    },
    async takeDown(message) {
      fake.world.messages.delete(message.id);
    },
    room: async () => visible(fake.messages(fake.channel, person)),
    inbox: async () => visible(fake.direct(person)),
  };
};

const driver = (transport: 'gateway' | 'HTTP'): AdapterDriver => ({
  name: `discord, interactions by ${transport}`,
  async start(desk) {
    const fake = await createFakeDiscord();
    const byHttp = transport === 'HTTP';
    const adapter = createDiscordAdapter({
      members: soleMember,
      token: fake.token,
      apiUrl: fake.api,
      cdnHosts: [fake.cdnHost],
      commands: [],
      desk,
      state: createRecords(),
      clock: systemClock,
      log: createLog({ level: 'silent', secrets: [fake.token] }),
      words: wordsFor,
      ...(byHttp ? { publicKey: fake.http.publicKey } : {}),
    });
    const endpoint = byHttp ? await openEndpoint(fake, adapter) : undefined;
    await adapter.start();
    const mod = fake.user('mod');
    mod.permissions = MANAGE_GUILD;
    fake.guild.roles.set('77', MANAGE_GUILD);
    fake.guild.members.set(mod.user.id, ['77']);
    return {
      adapter,
      place: {
        platform: 'discord',
        community: `discord:${fake.guild.id}`,
        channel: fake.channel,
        direct: false,
      },
      ann: personIn(fake, fake.user('ann')),
      bob: personIn(fake, fake.user('bob')),
      mod: personIn(fake, mod),
      complaints: () => fake.world.complaints,
      async stop() {
        await adapter.stop();
        await endpoint?.close();
        await fake.stop();
      },
    };
  },
});

adapterSuite(driver('gateway'));
adapterSuite(driver('HTTP'));
