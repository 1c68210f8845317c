import { createTelegramAdapter } from '../../../src/adapters/telegram/adapter.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { soleMember } from '../../../src/base/members/sole-member.ts';
import { createLog } from '../../../src/log/log.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { createRecords } from '../../fakes/records.ts';
import type { FakePerson } from '../../fakes/telegram/people.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { testCommands } from '../../fakes/telegram/test-commands.ts';
import type { StoredMessage } from '../../fakes/telegram/world.ts';
import type { Person, Seen } from './driver.ts';
import { adapterSuite } from './suite.ts';

const linking = new Set(['url', 'text_link', 'email', 'hashtag', 'cashtag', 'bot_command']);
const naming = new Set(['mention', 'text_mention']);

const fileIn = (message: StoredMessage): { file_id: string } | undefined => {
  const photos = message.photo as { file_id: string }[] | undefined;
  return photos?.at(-1) ?? ((message.video ?? message.document) as { file_id: string } | undefined);
};

const see = (fake: FakeTelegram, message: StoredMessage): Seen => {
  const raw = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  const effects = (types: ReadonlySet<string>): string[] =>
    entities
      .filter((entity) => types.has(entity.type))
      .map(({ offset, length }) => raw.slice(offset, offset + length));
  const file = fileIn(message);
  const buttons = message.reply_markup?.inline_keyboard.flat().map((button) => button.text) ?? [];
  const kind = 'photo' in message ? 'image' : 'video' in message ? 'video' : 'file';
  return {
    id: String(message.message_id),
    // The joiner that keeps text inert has no width: nobody sees it.
    text: raw.replaceAll('\u2060', ''),
    buttons,
    tiles: buttons.filter((label) => /^(?:\d+|[A-Z])$/.test(label)),
    ...(file === undefined
      ? {}
      : { media: { kind, bytes: fake.file(file.file_id), spoiler: message.has_media_spoiler === true } }),
    links: effects(linking),
    mentions: effects(naming),
  };
};

adapterSuite({
  name: 'telegram',
  async start(desk) {
    const fake = await createFakeTelegram();
    const group = fake.group('Photo club');
    const adapter = createTelegramAdapter({
      token: fake.token,
      apiUrl: fake.url,
      commands: testCommands,
      desk,
      state: createRecords(),
      members: soleMember,
      clock: systemClock,
      log: createLog({ level: 'silent', secrets: [] }),
      words: wordsFor,
    });
    await adapter.start();

    const join = async (name: string): Promise<{ fakePerson: FakePerson; person: Person }> => {
      const fakePerson = fake.person(name);
      const notes: Seen[] = [];
      const find = (seen: Seen): StoredMessage => {
        const found = fake.messages(group).find((each) => String(each.message_id) === seen.id);
        if (found === undefined) throw new Error('the message has gone');
        return found;
      };
      const person: Person = {
        caller: { platform: 'telegram', id: String(fakePerson.user.id), name, locale: 'en' },
        async type(command, options = {}, photo) {
          const words = Object.entries(options).map(([key, value]) => `${key}="${value}"`);
          fakePerson.says(group, [command, ...words].join(' '), photo ? { photo } : {});
        },
        async press(seen, label) {
          const press = fakePerson.presses(find(seen), label);
          const answer = await fake.until(() => fake.pressAnswer(press), 'the answer to a press');
          if (answer.text !== undefined)
            notes.push({ id: press, text: answer.text, buttons: [], tiles: [], links: [], mentions: [] });
        },
        choose: (seen, tile) => person.press(seen, tile),
        write: async (question, text) => void fakePerson.replies(find(question), text),
        takeDown: async (seen) => fakePerson.deletes(find(seen)),
        room: async () => [...fake.fromBot(group).map((message) => see(fake, message)), ...notes],
        inbox: async () => fake.fromBot(fakePerson.chat).map((message) => see(fake, message)),
      };
      return { fakePerson, person };
    };
    const ann = await join('Ann');
    const bob = await join('Bob');
    const mod = await join('Mod');
    fake.promote(group, mod.fakePerson);
    // Somebody who never wrote to a bot cannot be written to: these have, long ago.
    fake.openPrivate(ann.fakePerson, bob.fakePerson, mod.fakePerson);
    return {
      adapter,
      place: {
        platform: 'telegram',
        community: `telegram:${group.id}`,
        channel: String(group.id),
        direct: false,
      },
      ann: ann.person,
      bob: bob.person,
      mod: mod.person,
      complaints: () => fake.complaints,
      async stop() {
        await adapter.stop();
        await fake.stop();
      },
    };
  },
});
