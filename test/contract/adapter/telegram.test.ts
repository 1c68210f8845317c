import type { Chat } from 'grammy/types';
import { connect } from '../../../src/adapters/telegram/adapter.ts';
import type { Place } from '../../../src/command/place.ts';
import type { TelegramPerson } from '../../fakes/telegram/people.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { testCommands } from '../../fakes/telegram/test-commands.ts';
import { fileIn, type StoredMessage } from '../../fakes/telegram/world.ts';
import type { Person, Seen, Spot } from './driver.ts';
import { createProcesses } from './processes.ts';
import { adapterSuite } from './suite.ts';

const linking = new Set(['url', 'email', 'hashtag', 'cashtag', 'bot_command']);
const naming = new Set(['mention', 'text_mention']);
/** Telegram shows it as a command that can be tapped. */
const ownCommand = /^\/(?:help|settings)$/;

const see = (fake: FakeTelegram, message: StoredMessage): Seen => {
  const raw = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  const effects = (types: ReadonlySet<string>): string[] =>
    entities
      .filter((entity) => types.has(entity.type))
      .map(({ offset, length }) => raw.slice(offset, offset + length))
      .filter((text) => !ownCommand.test(text));
  const file = fileIn(message);
  const buttons = message.reply_markup?.inline_keyboard?.flat().map((button) => button.text) ?? [];
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
    links: [
      ...effects(linking),
      ...entities.flatMap((each) => (each.type === 'text_link' ? [each.url] : [])),
    ],
    mentions: effects(naming),
  };
};

const createPerson = (fake: FakeTelegram, own: TelegramPerson, group: Chat, topic: number): Person => {
  const notes: Seen[] = [];
  let latest = 0;
  /** Does something, and remembers the update that it caused. */
  const act = <T>(action: () => T): T => {
    const result = action();
    latest = fake.delivery.pending.at(-1)?.update_id ?? latest;
    return result;
  };
  const { id, first_name: name, language_code: locale = 'en' } = own.user;
  const find = (seen: Seen): StoredMessage => {
    const found = [group, own.chat]
      .flatMap((chat) => fake.fromBot(chat))
      .find((each) => String(each.message_id) === seen.id && see(fake, each).text === seen.text);
    if (found === undefined) throw new Error('the message has gone');
    return found;
  };
  /** The answer to a press appears beside the messages, as a note. */
  const note = (press: string): void => {
    fake
      .until(() => fake.pressAnswer(press))
      .then(({ text }) => {
        if (text !== undefined)
          notes.push({ id: press, text, buttons: [], tiles: [], links: [], mentions: [] });
      })
      .catch(() => undefined);
  };
  const chatAt = (spot: Spot): Chat => (spot === 'direct' ? own.chat : group);
  const personAt = (spot: Spot): Person => ({
    caller: { platform: 'telegram', id: String(id), name, locale },
    async types({ command, given = {}, photos = {} }) {
      const words = Object.entries(given).map(([option, value]) => `${option}="${value}"`);
      const [photo] = Object.values(photos);
      const more = { ...(photo && { photo }), ...(spot === 'thread' ? { thread: topic } : {}) };
      act(() => own.types(chatAt(spot), [`/${command}`, ...words].join(' '), more));
    },
    completes: async () => [],
    presses: async (seen, label) => note(act(() => own.presses(find(seen), label))),
    forges: async (seen, action) => note(act(() => own.forges(find(seen), action))),
    async answers(question, answer) {
      const isText = typeof answer === 'string';
      act(() => own.replies(find(question), isText ? answer : '', isText ? {} : { photo: answer }));
    },
    async blunders() {
      const document = { bytes: new Uint8Array(8), name: 'me.jpg', mime: 'image/jpeg' };
      own.types(group, '/faceswap', { document, size: 30_000_000 });
    },
    repeats: async () => fake.delivery.again(latest),
    takesDown: async (seen) => own.takesDown(find(seen)),
    async sees() {
      const thread = spot === 'thread' ? topic : undefined;
      const messages = fake
        .fromBot(chatAt(spot))
        .filter((each) => spot === 'direct' || each.message_thread_id === thread);
      return [...messages.map((message) => see(fake, message)), ...(spot === 'room' ? notes : [])];
    },
    at: personAt,
  });
  return personAt('room');
};

adapterSuite({
  name: 'telegram',
  lacks: {
    'refusals beforehand': 'a late answer can be for one person, too',
    roles: 'Telegram has none',
    completions: 'Telegram has none',
    'messages for one': 'in groups only new apps have them, which these people have not',
    'alternative texts': 'Telegram has none',
    'hidden attachments': 'a document of Telegram has no spoiler',
    'repeats of what was confirmed': 'Telegram delivers nothing again that a poll has confirmed',
    'one answer after a crash': 'Telegram has no key by which a repeat is recognised',
    'one message when shared again': 'Telegram has no key by which a repeat is recognised',
    sharesOnce: 'Telegram has no key by which a repeat is recognised',
    find: 'a bot cannot look up its messages',
    communities: 'a bot cannot list its groups',
    keepsChat: 'Telegram keeps the chat',
    standsBy: 'another process polls: this one still handles what it finds in the inbox',
  },
  async open(desk) {
    // Telegram's limits by the second have tests of their own; here they would refuse what a fast machine sends.
    const fake = await createFakeTelegram({ flood: 'off' });
    const group = fake.group('Photo club', { forum: true });
    const topic = fake.topic(group);
    const join = (name: string, language = 'en'): TelegramPerson =>
      fake.person(name, { language, username: `${name}_1` });
    const people = { ann: join('Ann'), bob: join('Bob'), mod: join('Mod'), eva: join('Eva', 'de') };
    // Somebody who never wrote to a bot cannot be written to: these have, long ago.
    fake.openPrivate(...Object.values(people));
    fake.promote(group, people.mod);
    const processes = await createProcesses(desk, (parts) =>
      connect({ token: fake.token, apiUrl: fake.url }, { ...parts, commands: testCommands }),
    );
    const placeOf = (id: number): Place => ({
      platform: 'telegram',
      community: `telegram:${id}`,
      channel: String(id),
      direct: false,
    });
    const { user: stranger } = join('Stranger');
    const personOf = (name: keyof typeof people): Person => createPerson(fake, people[name], group, topic);
    return {
      get adapter() {
        return processes.adapter;
      },
      place: placeOf(group.id),
      nowhere: placeOf(-1_009_999_999_999),
      stranger: { platform: 'telegram', id: String(stranger.id), name: 'Stranger', locale: 'en' },
      ann: personOf('ann'),
      bob: personOf('bob'),
      mod: personOf('mod'),
      eva: personOf('eva'),
      crash: processes.crash,
      async outage(work) {
        fake.fault({ method: '*', kind: 'reset', times: Number.POSITIVE_INFINITY });
        return work().finally(fake.clearFaults);
      },
      losePhotos: async () => fake.loseFiles(),
      stored: processes.stored,
      complaints: () => fake.complaints,
      async end() {
        await processes.stop();
        await fake.stop();
      },
    };
  },
});
