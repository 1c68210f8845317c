import type { Chat, Update, User } from 'grammy/types';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { patienceMs } from '../../eventually.ts';
import { createDelivery } from './delivery.ts';
import { createFlood, type FloodLimits, publishedLimits } from './flood.ts';
import { createMethods } from './methods.ts';
import type { Payload } from './payload.ts';
import { createTelegramPerson, type TelegramPerson } from './people.ts';
import { badRequest, Refusal } from './refusal.ts';
import { type Fault, serve } from './server.ts';
import { createSpecCheck } from './spec.ts';
import { createWorld, type Member, type Restriction, type Room, type StoredMessage } from './world.ts';

/** How a group differs from a supergroup in which the bot is a plain member. */
export interface GroupOptions {
  readonly forum?: boolean;
  /** A small group that can become a supergroup. */
  readonly basic?: boolean;
  readonly administrators?: readonly TelegramPerson[];
  /** The bot hears everything, as an administrator or with privacy mode off. */
  readonly botHearsAll?: boolean;
  readonly botIsAdministrator?: boolean;
  /** Its public name. */
  readonly username?: string;
}

/** How a person differs from one with an old client and no name of their own. */
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

const KICKED = 'bot was kicked from the supergroup chat';
const counted = /^(send(Message|Photo|Video|Document)|edit(Ephemeral)?Message\w+)$/;

/** Telegram's Bot API as far as this project can tell it from the real one, on a free port of this machine. */
export const createFakeTelegram = async (
  options: { readonly clock?: Clock; readonly flood?: FloodLimits | 'off' } = {},
) => {
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
    const wrong = check?.(method, payload);
    if (wrong !== undefined) {
      complaints.push(wrong);
      throw badRequest(wrong);
    }
    const run = methods[method] ?? more[method];
    if (run === undefined) throw new Refusal(404, 'Not Found: method not found');
    if (counted.test(method)) flood(Number(payload.values.chat_id));
    return run(payload);
  };

  const served = await serve({
    token,
    world,
    delivery,
    answer,
    broke: (error) => complaints.push(`the fake broke: ${String(error)}`),
  });

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

  const tellOfBot = (chat: Chat, by: TelegramPerson, before: string, after: string): void => {
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

  const messages = (chat: Chat): StoredMessage[] => [...roomOf(chat).messages.values()];
  const fromBot = (chat: Chat): StoredMessage[] =>
    messages(chat).filter((message) => message.from?.id === bot.id);
  const rank = (chat: Chat, { user }: TelegramPerson, status: string, more: Partial<Member> = {}): void =>
    void roomOf(chat).members.set(user.id, { status, is_anonymous: false, ...more });
  const promote = (chat: Chat, person: TelegramPerson, anonymous = false): void =>
    rank(chat, person, 'administrator', { is_anonymous: anonymous });
  const until = <T>(find: () => T | undefined | false, what = 'it'): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined || found === false) return;
        end();
        resolve(found);
      };
      const end = (): void => {
        unhook();
        clearInterval(glance);
        clearTimeout(timer);
      };
      const unhook = world.onChange(look);
      // Some changes that tests wait for come without a call to this server.
      const glance = setInterval(look, 10);
      const timer = setTimeout(() => {
        end();
        reject(new Error(`waited in vain for ${what}`));
      }, patienceMs);
      look();
    });

  return {
    url: served.url,
    token,
    botName: bot.username,
    person(name: string, { language = 'en', username, client = 'old' }: PersonOptions = {}): TelegramPerson {
      const named = {
        ...(username === undefined ? {} : { username }),
        // Telegram does not tell everybody's.
        ...(language === '' ? {} : { language_code: language }),
      };
      const user: User = { id: nextUser, is_bot: false, first_name: name, ...named };
      nextUser += 1;
      if (client === 'new') newClients.add(user.id);
      return createTelegramPerson({ world, delivery, user, hears, isEphemeral: isEphemeralFor(user) });
    },
    /** These people began a private chat with the bot some time ago. */
    openPrivate(...people: readonly TelegramPerson[]): void {
      for (const { user } of people) world.started.add(user.id);
    },
    group(title: string, options: GroupOptions = {}): Chat {
      const { forum = false, basic = false, administrators = [], username } = options;
      const chat: Chat = basic
        ? { id: -nextGroup, type: 'group', title }
        : {
            id: -1_000_000_000_000 - nextGroup,
            type: 'supergroup',
            title,
            ...(forum ? { is_forum: true } : {}),
            ...(username === undefined ? {} : { username }),
          };
      nextGroup += 1;
      world.open(chat).botIsAdministrator = options.botIsAdministrator ?? false;
      for (const person of administrators) promote(chat, person);
      if (options.botHearsAll) hearsAll.add(chat.id);
      return chat;
    },
    topic(chat: Chat): number {
      const room = roomOf(chat);
      const thread = room.nextMessage;
      room.nextMessage += 1;
      room.topics.add(thread);
      return thread;
    },
    promote,
    demote: (chat: Chat, person: TelegramPerson): void => rank(chat, person, 'member'),
    /** The bot becomes an administrator; it is told. */
    promoteBot(chat: Chat, by: TelegramPerson): void {
      roomOf(chat).botIsAdministrator = true;
      tellOfBot(chat, by, 'member', 'administrator');
    },
    /** Restricts a member, as an administrator does who mutes somebody. */
    restrict: (chat: Chat, person: TelegramPerson, restricted: Restriction): void =>
      rank(chat, person, 'restricted', { restricted }),
    /** Makes a basic group a supergroup; messages stay behind, as with Telegram. */
    migrate(chat: Chat): Chat {
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
    /** The bot is thrown out, or the chat deleted. */
    close(chat: Chat, words = KICKED): void {
      roomOf(chat).closed = words;
    },
    /** Somebody adds the bot to a group, or takes it away; the bot is told. */
    membership(chat: Chat, by: TelegramPerson, isThere: boolean): void {
      const room = roomOf(chat);
      if (isThere) delete room.closed;
      else room.closed = KICKED;
      if (isThere) tellOfBot(chat, by, 'left', 'member');
      else tellOfBot(chat, by, 'member', 'kicked');
    },
    /** Everything in a chat, oldest first. */
    messages,
    /** The bot's messages in a chat, oldest first. */
    fromBot,
    /** The bot's messages there to this person alone, as their client shows them, oldest first. */
    alone: (chat: Chat, { user }: TelegramPerson): StoredMessage[] =>
      [...roomOf(chat).ephemerals.values()]
        .map(({ message }) => message)
        .filter((message) => newClients.has(user.id) && (message.receiver_user as User).id === user.id),
    /** Makes this an old Bot API server, which shows to everybody what is for one person. */
    ignoreEphemerals(): void {
      world.knowsEphemerals = false;
    },
    /** Clients and servers have forgotten what one person saw. */
    expire: (chat: Chat): void => roomOf(chat).ephemerals.clear(),
    file(id: string): Uint8Array {
      const found = world.files.get(id);
      if (found === undefined) throw new Error(`no file ${id}`);
      return found.bytes;
    },
    /** The files of today no longer exist. */
    loseFiles(): void {
      for (const id of world.files.keys()) world.lost.add(id);
    },
    /** The answer that the presser of a button got; undefined until the bot answered. */
    pressAnswer: (press: string) => answered.get(press),
    /** Menus by scope and language, e.g. `all_group_chats:de`. */
    menus,
    calls: served.calls,
    /** Told of every call before it is answered. */
    onCall: served.onCall,
    fault: ({ times = 1, ...fault }: Omit<Fault, 'times'> & { readonly times?: number }): void =>
      served.fault({ ...fault, times }),
    clearFaults: served.clearFaults,
    /** Requests that the official description forbids. */
    complaints,
    delivery,
    /** Waits until the bot has said this in a chat. */
    says: (chat: Chat, text: string): Promise<StoredMessage> =>
      until(() => fromBot(chat).find((each) => each.text?.includes(text)), `"${text}"`),
    /** Waits until the check finds something. */
    until,
    async stop(): Promise<void> {
      delivery.stop();
      await served.close();
    },
  };
};

/** The fake Telegram: its people, its chats, and the address under which a program finds it. */
export type FakeTelegram = Awaited<ReturnType<typeof createFakeTelegram>>;
