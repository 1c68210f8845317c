/**
 * The adapter for Telegram, on grammY. `createTelegram` composes its parts: updates arrive in `incoming/`, which stores them
 * before they are confirmed; `bot.ts` routes them to `handlers/`; `outgoing/` shows answers and cards; `api/` and
 * `rate-limits/` are between those and Telegram.
 */

import { waitAtMost } from '../../base/clock.ts';
import { wordsFor } from '../../words/words.ts';
import type { Adapter, AdapterDependencies, Connected } from '../adapter.ts';
import { createChatMembers } from './api/chat-members.ts';
import { createMigrations } from './api/chat-migrations.ts';
import { createBot } from './api/create-bot.ts';
import { isFault, TelegramFault } from './api/fault.ts';
import type { TelegramConfig, TelegramDependencies, TelegramOptions } from './api/options.ts';
import { createFetchPhoto } from './api/photos.ts';
import { rootOf } from './api/post.ts';
import { createReadLink } from './api/public-links.ts';
import { destinationOf, isSameCard, linkOf, readCard } from './api/refs.ts';
import { retryLater } from './api/retry-later.ts';
import { forApi } from './api/signals.ts';
import { installHandlers } from './bot.ts';
import type { BotContext } from './handlers/context.ts';
import { createPeople } from './handlers/people.ts';
import { createConnection } from './incoming/connection.ts';
import { createUpdateInbox, type UpdateInbox } from './incoming/update-inbox.ts';
import { createWebhook } from './incoming/webhook.ts';
import { createAnswers } from './outgoing/answers.ts';
import { createChat, drawOutcomeFrom } from './outgoing/chat.ts';
import { menus, registerMenus } from './outgoing/commands.ts';
import { createEphemerals } from './outgoing/ephemerals.ts';
import { createQuestions } from './outgoing/questions.ts';
import { createWays } from './outgoing/ways.ts';
import { telegramRecordRules } from './records.ts';

/** `say` gives up after this time, and its caller retries later. */
const SAID_WITHIN_MS = 20_000;

/** `stop` waits this long for updates in progress; the others stay in the inbox for the next process. */
const LONGEST_STOP_MS = 8_000;

/** Makes the adapter from its configuration and the parts of the program; nothing connects before `start`. */
export function createTelegram(options: TelegramOptions): Connected {
  const { clock, members, state } = options;
  const log = options.log.child({ platform: 'telegram' });
  const stopping = new AbortController();
  const stop = forApi(stopping.signal);
  const bot = createBot<BotContext>(options);
  const base: TelegramDependencies = { ...options, log, api: bot.api, stop };
  const migrations = createMigrations(base);
  const ephemerals = createEphemerals(clock, state, rootOf(options));
  const parts = { ...base, migrations, ephemerals };
  const chat = createChat(parts);
  const questions = createQuestions(state);
  const people = createPeople(clock, state);
  const ways = createWays({ ...parts, chat, questions, botName: () => bot.botInfo.username });
  const answers = createAnswers({ ...parts, chat, questions, ways });
  const look = (): Promise<void> => updateInbox.look();
  const handlers = installHandlers(bot, { ...parts, answers, ways, look, people, questions });
  const updateInbox: UpdateInbox = createUpdateInbox({ ...parts, ...handlers });
  // A process that lost its membership drops its albums, because other processes gather them again.
  const unwatch = members.watch({ lost: handlers.abandon });
  const connection = createConnection({
    ...parts,
    bot,
    updateInbox,
    conflicted: () => options.tellOwners('telegram-conflict'),
    connected: (id) => {
      const register = () => registerMenus(menus(options.commands), { ...parts, bot: id });
      void members.hold('telegram-menus', register, stop);
    },
  });

  const adapter: Adapter = {
    platform: 'telegram',
    start: connection.start,
    async stop() {
      stopping.abort();
      handlers.abandon();
      unwatch();
      await waitAtMost(clock, LONGEST_STOP_MS, Promise.all([updateInbox.idle(), connection.ended()]));
    },
    draw: (card, view, importance) => chat.draw(readCard(card), view, importance),
    // `mostMs` is 0, because `chat.remove` already waits for the pauses that Telegram asks for.
    removeMessage: (card) =>
      retryLater(() => chat.remove(readCard(card), wordsFor('en').telegram.removed), clock, {
        signal: stop,
        mostMs: 0,
      }),
    async say(to, view, share) {
      const destination = 'place' in to ? destinationOf(to.place) : { chat: Number(to.caller.id) };
      if (!Number.isSafeInteger(destination.chat)) return { state: 'gone' };
      try {
        const sharing = share === undefined ? {} : { person: share.caller.id };
        return drawOutcomeFrom(
          await chat.send(destination, view, { ...sharing, mostWaitMs: SAID_WITHIN_MS }),
        );
      } catch (error) {
        if (isFault(error, 'gone')) return { state: 'gone' };
        const isPassing = isFault(error, 'rate-limited', 'unreachable');
        if (!isPassing && (share === undefined || !(error instanceof TelegramFault))) throw error;
        const unsent = error.kind !== 'unreachable' || error.unsent ? ({ unsent: true } as const) : {};
        return { state: 'later', afterMs: Math.max(error.retryAfterMs, 2_000), ...unsent };
      }
    },
    async forget(caller) {
      // The inbox comes first: a handler in progress that writes after that deletes what it has written (`handlers/sender-notes.ts`).
      await updateInbox.forget(Number(caller.id));
      await people.forget(Number(caller.id));
      await questions.forget(caller);
      await ephemerals.forget(caller);
    },
    photo: createFetchPhoto(parts),
    limits: (card) => chat.limits(card && readCard(card)),
    ...createChatMembers(parts),
    isSame: (a, b) => isSameCard(readCard(a), readCard(b)),
    link: (card) => linkOf(readCard(card)),
    readLink: createReadLink(parts),
    trouble: connection.trouble,
  };
  if (options.webhook === undefined) return { adapter };
  const { url, secret } = options.webhook;
  const closed = () => stop.aborted || !bot.isInited();
  return {
    adapter,
    webhook: { path: new URL(url).pathname, handle: createWebhook({ secret, updateInbox, closed }) },
  };
}

/** Opens the adapter with its records. */
export const connect = async (config: TelegramConfig, parts: AdapterDependencies): Promise<Connected> =>
  createTelegram({ ...config, ...parts, state: parts.state(telegramRecordRules) });
