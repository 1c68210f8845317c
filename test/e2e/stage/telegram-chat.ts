import type { Chat } from 'grammy/types';
import type { TelegramPerson } from '../../fakes/telegram/people.ts';
import type { FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { fileIn, type StoredMessage } from '../../fakes/telegram/world.ts';
import { createOutcome, type Line, type Outcome, type Person, type Platform, type Seen } from './chat.ts';

const idOf = (message: StoredMessage): string => `${message.chat.id}/${message.message_id}`;

/** A message as people see it. */
const see = (fake: FakeTelegram, message: StoredMessage): Seen => {
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  // The picture over numbers to choose from is no result.
  const isSheet = buttons.some((each) => 'callback_data' in each && /^(pick|use):/.test(each.callback_data));
  const file = isSheet ? undefined : fileIn(message);
  const kind = 'photo' in message ? 'image' : 'video' in message ? 'video' : 'file';
  return {
    id: idOf(message),
    // The joiner that keeps text inert has no width: nobody sees it.
    text: (message.text ?? message.caption ?? '').replaceAll('\u2060', ''),
    buttons: buttons.map((button) => button.text),
    ...(file === undefined ? {} : { media: { kind, bytes: fake.file(file.file_id) } }),
    private: message.chat.type === 'private',
  };
};

const lineOf = ({ command, given = {} }: Line): string =>
  [`/${command}`, ...Object.entries(given).map(([name, text]) => `${name}="${text}"`)].join(' ');

/** `room`: the group where the person belongs; `chat`: where they are. */
const createPerson = (fake: FakeTelegram, person: TelegramPerson, room: Chat, chat = room): Person => {
  const find = (id: string): StoredMessage | undefined => {
    const [where] = id.split('/');
    const place = Number(where) === chat.id ? chat : person.chat;
    return fake.messages(place).find((message) => idOf(message) === id);
  };
  const known = ({ id }: Seen): StoredMessage => {
    const message = find(id);
    if (message === undefined) throw new Error('the message has gone');
    return message;
  };

  /** The bot's new messages, but for those that answer to somebody else. */
  const watch = (): ((answersTo: StoredMessage | undefined) => readonly Seen[]) => {
    const places = chat.id === person.chat.id ? [chat] : [chat, person.chat];
    const before = new Set(places.flatMap((place) => fake.fromBot(place).map(idOf)));
    return (asked) =>
      places.flatMap((place) =>
        fake
          .fromBot(place)
          .filter((message) => {
            const answered = message.reply_to_message as StoredMessage | undefined;
            const elsewhere = answered !== undefined && answered.message_id !== asked?.message_id;
            return !before.has(idOf(message)) && !(elsewhere && place.id !== person.chat.id);
          })
          .map((message) => see(fake, message)),
      );
  };

  const pressed = (message: StoredMessage, press: () => string): Outcome => {
    const news = watch();
    const id = press();
    return createOutcome(() => {
      const answer = fake.pressAnswer(id);
      const note: Seen[] =
        answer?.text === undefined ? [] : [{ id: '', text: answer.text, buttons: [], private: true }];
      const itself = find(idOf(message));
      const asked = message.reply_to_message as StoredMessage | undefined;
      return [...note, ...news(asked), ...(itself === undefined ? [] : [see(fake, itself)])];
    });
  };

  return {
    key: `telegram:${person.user.id}`,
    types(line) {
      const news = watch();
      const photos = Object.values(line.photos ?? {});
      const [only] = photos;
      const asked =
        photos.length > 1
          ? person.sendsAlbum(chat, photos, lineOf(line))[0]
          : person.types(chat, lineOf(line), only === undefined ? {} : { photo: only });
      return createOutcome(() => news(asked));
    },
    presses: (message, label) => {
      const target = known(message);
      return pressed(target, () => person.presses(target, label));
    },
    async answers(question, text) {
      const asked = await question.says('next message');
      const news = watch();
      const target = known(asked);
      const written =
        target.chat.type === 'private' ? person.types(target.chat, text) : person.replies(target, text);
      return createOutcome(() => news(written));
    },
    forges: (message, action) => {
      const target = known(message);
      return pressed(target, () => person.forges(target, action));
    },
    actionOf: (message, label) => {
      const found = known(message)
        .reply_markup?.inline_keyboard.flat()
        .find((button) => button.text === label);
      return found !== undefined && 'callback_data' in found ? found.callback_data : '';
    },
    again: ({ id }) => {
      const message = find(id);
      return message && see(fake, message);
    },
    takesDown: (message) => person.takesDown(known(message)),
    seenByAll: () => fake.fromBot(chat).map((message) => see(fake, message)),
    sees: () => fake.fromBot(chat).map((message) => see(fake, message)),
    moderates: (yes) => (yes ? fake.promote(chat, person) : fake.demote(chat, person)),
    at: (spot) => createPerson(fake, person, room, spot === 'room' ? room : person.chat),
  };
};

/** Telegram as a platform with rooms and people, for tests that tell one story on each platform. */
export const telegramChat = (fake: FakeTelegram): Platform => ({
  name: 'telegram',
  room({ hearsAll = false, name = 'Photo club' } = {}) {
    const chat = fake.group(name, { botHearsAll: hearsAll });
    const people = new Map<string, TelegramPerson>();
    return {
      community: `telegram:${chat.id}`,
      person(name, { language = 'en' } = {}) {
        const person = people.get(name) ?? fake.person(name, { language });
        people.set(name, person);
        fake.openPrivate(person);
        return createPerson(fake, person, chat);
      },
    };
  },
});
