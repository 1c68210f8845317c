import type { Chat, Update, User } from 'grammy/types';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { patienceMs } from '../../eventually.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { createFlood, type FloodLimits, publishedLimits } from './flood.ts';
import { createMethods } from './methods.ts';
import type { Payload } from './payload.ts';
import { createPerson, type FakePerson } from './people.ts';
import { badRequest, Refusal } from './refusal.ts';
import { type Call, type Fault, serve } from './server.ts';
import { createSpecCheck } from './spec.ts';
import { createWorld, type Restriction, type Room, type StoredMessage } from './world.ts';

export interface GroupOptions {
  readonly forum?: boolean;
  /** A small group that can become a supergroup. */
  readonly basic?: boolean;
  readonly administrators?: readonly FakePerson[];
  /** The bot hears everything, as an administrator or with privacy mode off. */
  readonly botHearsAll?: boolean;
  readonly botIsAdministrator?: boolean;
}

export interface PersonOptions {
  readonly language?: string;
  readonly username?: string;
  /** `new`: sends commands ephemerally that are declared so, and shows ephemeral messages. */
  readonly client?: 'old' | 'new';
}

interface MenuEntry {
  readonly command: string;
  readonly description: string;
  readonly is_ephemeral?: boolean;
}

/** Telegram's Bot API as far as this project can tell it from the real one, on a free port of this machine. */
export interface FakeTelegram {
  readonly url: string;
  readonly token: string;
  readonly botName: string;
  person(name: string, options?: PersonOptions): FakePerson;
  /** These people began a private chat with the bot some time ago. */
  openPrivate(...people: readonly FakePerson[]): void;
  group(title: string, options?: GroupOptions): Chat;
  topic(chat: Chat): number;
  promote(chat: Chat, person: FakePerson, anonymous?: boolean): void;
  demote(chat: Chat, person: FakePerson): void;
  /** The bot becomes an administrator, or no longer is one; it is told. */
  promoteBot(chat: Chat, by: FakePerson, isAdministrator?: boolean): void;
  /** As an administrator does who mutes somebody. */
  restrict(chat: Chat, person: FakePerson, rights: Restriction): void;
  /** Makes a basic group a supergroup; messages stay behind, as with Telegram. */
  migrate(chat: Chat): Chat;
  /** The bot is thrown out, or the chat deleted. */
  close(chat: Chat, words?: string): void;
  /** Somebody adds the bot to a group, or takes it away; the bot is told. */
  membership(chat: Chat, by: FakePerson, isThere: boolean): void;
  /** Everything in a chat, oldest first. */
  messages(chat: Chat): StoredMessage[];
  /** What the bot wrote in a chat, oldest first. */
  fromBot(chat: Chat): StoredMessage[];
  /** What the bot wrote there to this person alone, as their client shows it, oldest first. */
  alone(chat: Chat, person: FakePerson): StoredMessage[];
  /** Clients and servers have forgotten what one person saw. */
  expire(chat: Chat): void;
  file(id: string): Uint8Array;
  /** The files of today no longer exist. */
  loseFiles(): void;
  /** What the presser of a button was told; undefined until the bot answered. */
  pressAnswer(press: string): { readonly text?: string; readonly show_alert?: boolean } | undefined;
  /** Menus by scope and language, e.g. `all_group_chats:de`. */
  readonly menus: ReadonlyMap<string, readonly MenuEntry[]>;
  readonly calls: readonly Call[];
  /** Told of every call before it is answered. */
  onCall(listener: (call: Call) => void): void;
  fault(fault: Omit<Fault, 'times'> & { readonly times?: number }): void;
  clearFaults(): void;
  /** Requests that the official description forbids. */
  readonly complaints: readonly string[];
  readonly delivery: Delivery;
  /** Waits until the check finds something. */
  until<T>(check: () => T | undefined | false, what?: string): Promise<T>;
  /** Waits until the bot has said this in a chat. */
  says(chat: Chat, text: string): Promise<StoredMessage>;
  stop(): Promise<void>;
}

const counted = /^(send(Message|Photo|Video|Document)|edit(Ephemeral)?Message\w+)$/;

export const createFakeTelegram = async (
  options: { readonly clock?: Clock; readonly flood?: FloodLimits | 'off' } = {},
): Promise<FakeTelegram> => {
  const clock = options.clock ?? systemClock;
  const token = '123456789:AAfake-token-of-nobody-0123456789abcd';
  const bot = { id: 123_456_789, is_bot: true, first_name: 'Darkroom', username: 'darkroom_test_bot' };
  const world = createWorld(clock, bot);
  const delivery = createDelivery(clock);
  const methods = createMethods(world);
  const check = createSpecCheck();
  const flood =
    options.flood === 'off' ? () => undefined : createFlood(options.flood ?? publishedLimits, clock);
  const complaints: string[] = [];
  const menus = new Map<string, MenuEntry[]>();
  const answered = new Map<string, { text?: string; show_alert?: boolean }>();
  const hearsAll = new Set<number>();
  const newClients = new Set<number>();
  let nextUser = 1001;
  let nextGroup = 5001;

  const more: Readonly<Record<string, (payload: Payload) => unknown>> = {
    setWebhook: delivery.setWebhook,
    deleteWebhook: delivery.deleteWebhook,
    getWebhookInfo: delivery.getWebhookInfo,
    setMyCommands({ values }) {
      const scope = (values.scope as { type: string } | undefined)?.type ?? 'default';
      menus.set(`${scope}:${values.language_code ?? ''}`, values.commands as []);
      return true;
    },
    answerCallbackQuery({ values }) {
      const id = String(values.callback_query_id);
      if (String(values.text ?? '').length > 200) throw badRequest('MESSAGE_TOO_LONG');
      if (answered.has(id))
        throw badRequest('query is too old and response timeout expired or query ID is invalid');
      // Whether an answered press still opens the window is not documented.
      world.presses.delete(id);
      const { text, show_alert } = values as { text?: string; show_alert?: boolean };
      answered.set(id, { ...(text === undefined ? {} : { text }), ...(show_alert ? { show_alert } : {}) });
      return true;
    },
  };

  const answer = (method: string, payload: Payload): unknown => {
    const wrong = check(method, payload);
    if (wrong !== undefined) {
      complaints.push(wrong);
      throw badRequest(wrong);
    }
    const run = methods[method] ?? more[method];
    if (run === undefined) throw new Refusal(404, 'Not Found: method not found');
    if (counted.test(method)) flood(Number(payload.values.chat_id));
    return run(payload);
  };

  const served = await serve({ token, world, delivery, answer });

  /** Privacy mode: a bot hears commands and answers to itself. */
  const hears = (room: Room, message: StoredMessage): boolean => {
    if (room.chat.type === 'private' || hearsAll.has(room.chat.id)) return true;
    const answeredTo = message.reply_to_message as StoredMessage | undefined;
    return /^\//.test(message.text ?? message.caption ?? '') || answeredTo?.from?.id === bot.id;
  };

  const roomOf = (chat: Chat): Room => {
    const room = world.room(chat.id);
    if (room === undefined) throw new Error(`no chat ${chat.id}`);
    return room;
  };

  /** A client looks a command up in the menu that it shows. */
  const isEphemeralFor =
    ({ id, language_code: language = '' }: User) =>
    (room: Room, command: string): boolean => {
      if (!newClients.has(id)) return false;
      const isAdministrator = room.members.get(id)?.status === 'administrator';
      const scopes = [...(isAdministrator ? ['all_chat_administrators'] : []), 'all_group_chats', 'default'];
      const menu = scopes
        .flatMap((scope) => [`${scope}:${language}`, `${scope}:`])
        .map((key) => menus.get(key))
        .find((found) => found !== undefined);
      return menu?.some((each) => each.command === command && each.is_ephemeral === true) ?? false;
    };

  const tellOfBot = (chat: Chat, by: FakePerson, before: string, after: string): void => {
    const member = (status: string) => ({
      user: bot,
      status,
      ...(status === 'kicked' ? { until_date: 0 } : {}),
    });
    const told = {
      chat,
      from: by.user,
      date: Math.floor(clock.now() / 1000),
      old_chat_member: member(before),
      new_chat_member: member(after),
    };
    if (delivery.isWanted('my_chat_member')) delivery.push({ my_chat_member: told } as unknown as Update);
  };

  const fake: FakeTelegram = {
    url: served.url,
    token,
    botName: bot.username,
    person(name, { language = 'en', username, client = 'old' } = {}) {
      const named = {
        ...(username === undefined ? {} : { username }),
        // Telegram does not tell everybody's.
        ...(language === '' ? {} : { language_code: language }),
      };
      const user: User = { id: nextUser, is_bot: false, first_name: name, ...named };
      nextUser += 1;
      if (client === 'new') newClients.add(user.id);
      return createPerson({ world, delivery, user, hears, isEphemeral: isEphemeralFor(user) });
    },
    openPrivate(...people) {
      for (const { user } of people) world.started.add(user.id);
    },
    group(title, { forum = false, basic = false, administrators = [], ...more } = {}) {
      const chat: Chat = basic
        ? { id: -nextGroup, type: 'group', title }
        : {
            id: -1_000_000_000_000 - nextGroup,
            type: 'supergroup',
            title,
            ...(forum ? { is_forum: true } : {}),
          };
      nextGroup += 1;
      world.open(chat).botIsAdministrator = more.botIsAdministrator ?? false;
      for (const person of administrators) fake.promote(chat, person);
      if (more.botHearsAll) hearsAll.add(chat.id);
      return chat;
    },
    topic(chat) {
      const room = roomOf(chat);
      const thread = room.nextMessage;
      room.nextMessage += 1;
      room.topics.add(thread);
      return thread;
    },
    promote: (chat, person, anonymous = false) =>
      void roomOf(chat).members.set(person.user.id, { status: 'administrator', is_anonymous: anonymous }),
    demote: (chat, person) =>
      void roomOf(chat).members.set(person.user.id, { status: 'member', is_anonymous: false }),
    promoteBot(chat, by, isAdministrator = true) {
      roomOf(chat).botIsAdministrator = isAdministrator;
      const [before, after] = isAdministrator ? ['member', 'administrator'] : ['administrator', 'member'];
      tellOfBot(chat, by, before, after);
    },
    restrict: (chat, person, restricted) =>
      void roomOf(chat).members.set(person.user.id, {
        status: 'restricted',
        is_anonymous: false,
        restricted,
      }),
    migrate(chat) {
      const room = roomOf(chat);
      const id = -1_000_000_000_000 - nextGroup;
      nextGroup += 1;
      const title = 'title' in chat ? (chat.title ?? '') : '';
      const next = world.open({ id, type: 'supergroup', title });
      for (const [user, member] of room.members) next.members.set(user, member);
      const message = world.write(room, { migrate_to_chat_id: id });
      room.migratedTo = id;
      delivery.push({ message } as unknown as Update);
      return next.chat;
    },
    close(chat, words = 'bot was kicked from the supergroup chat') {
      roomOf(chat).closed = words;
    },
    membership(chat, by, isThere) {
      const room = roomOf(chat);
      if (isThere) delete room.closed;
      else room.closed = 'bot was kicked from the supergroup chat';
      if (isThere) tellOfBot(chat, by, 'left', 'member');
      else tellOfBot(chat, by, 'member', 'kicked');
    },
    messages: (chat) => [...roomOf(chat).messages.values()],
    fromBot: (chat) => fake.messages(chat).filter((message) => message.from?.id === bot.id),
    alone: (chat, { user }) =>
      [...roomOf(chat).ephemerals.values()]
        .map(({ message }) => message)
        .filter((message) => newClients.has(user.id) && (message.receiver_user as User).id === user.id),
    expire: (chat) => roomOf(chat).ephemerals.clear(),
    file(id) {
      const found = world.files.get(id);
      if (found === undefined) throw new Error(`no file ${id}`);
      return found.bytes;
    },
    loseFiles() {
      for (const id of world.files.keys()) world.lost.add(id);
    },
    pressAnswer: (press) => answered.get(press),
    menus,
    calls: served.calls,
    onCall: served.onCall,
    fault: ({ times = 1, ...fault }) => served.fault({ ...fault, times }),
    clearFaults: served.clearFaults,
    complaints,
    delivery,
    says: (chat, text) =>
      fake.until(() => fake.fromBot(chat).find((each) => each.text?.includes(text)), `"${text}"`),
    until: (find, what = 'it') =>
      new Promise((resolve, reject) => {
        const look = (): boolean => {
          const found = find();
          if (found === undefined || found === false) return false;
          end();
          resolve(found as Exclude<typeof found, false>);
          return true;
        };
        const end = (): void => {
          unhook();
          clearInterval(glance);
          clearTimeout(timer);
        };
        const unhook = world.onChange(look);
        // Not everything that is waited for comes with a call to this server.
        const glance = setInterval(look, 10);
        const timer = setTimeout(() => {
          end();
          reject(new Error(`waited in vain for ${what}`));
        }, patienceMs);
        look();
      }),
    async stop() {
      delivery.stop();
      await served.close();
    },
  };
  return fake;
};
