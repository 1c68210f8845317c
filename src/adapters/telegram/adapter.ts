import { type Clock, waitAtMost } from '../../base/clock.ts';
import type { KeyValue } from '../../base/key-value.ts';
import type { Command } from '../../command/command.ts';
import type { Desk } from '../../command/desk.ts';
import type { Log } from '../../log/log.ts';
import { languages, type Words } from '../../words/words.ts';
import type { Adapter } from '../adapter.ts';
import { createCalls } from './api/api.ts';
import { createMigrations } from './api/chat-migrations.ts';
import { isFault } from './api/fault.ts';
import { cardRef, destinationOf, isSameCard, linkOf, readCard } from './api/refs.ts';
import { createRelocation } from './api/relocation.ts';
import { retryLater } from './api/retry-later.ts';
import { createSizeLimits } from './api/size-limits.ts';
import { createUpdateLedger } from './api/update-ledger.ts';
import { createConnection } from './incoming/connection.ts';
import { createDispatch } from './incoming/dispatch.ts';
import { createIntake } from './incoming/intake.ts';
import { createModeratorCheck } from './incoming/moderators.ts';
import { createPeople } from './incoming/people.ts';
import { createPersonName } from './incoming/person-name.ts';
import { createPhotoFetch } from './incoming/photos.ts';
import { createWebhook } from './incoming/webhook.ts';
import { createAnswers } from './outgoing/answers.ts';
import { createChat } from './outgoing/chat.ts';
import { menus } from './outgoing/commands.ts';
import { registerMenus } from './outgoing/menu.ts';
import { createQuestions } from './outgoing/questions.ts';

export interface TelegramOptions {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  /** Without it, updates come by long polling. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  readonly commands: readonly Command[];
  readonly desk: Desk;
  readonly state: KeyValue;
  readonly clock: Clock;
  readonly log: Log;
  readonly words: (locale: string) => Words;
  /** A community's id changed: records under the old one must follow. */
  readonly migrated?: (from: string, to: string) => Promise<void> | void;
}

export interface TelegramAdapter extends Adapter {
  /** Handles POST requests to the webhook URL; absent with long polling. */
  readonly webhook?: (request: Request) => Promise<Response>;
}

/** After this, the caller of `say` retries. */
const saidWithinMs = 20_000;

/** Updates that are not handled by then are handled after the next start. */
const longestStopMs = 8_000;

export const createTelegramAdapter = (options: TelegramOptions): TelegramAdapter => {
  const { clock, state, desk, words } = options;
  const log = options.log.child({ platform: 'telegram' });
  const stopping = new AbortController();
  const stop = stopping.signal;
  const call = createCalls(options);
  const migrations = createMigrations({ state, log, migrated: options.migrated });
  const sizes = createSizeLimits();
  const relocation = createRelocation({ state, migrations });
  const chat = createChat({ call, clock, migrations, relocation, sizes, stop });
  const questions = createQuestions(state);
  const people = createPeople();
  const answers = createAnswers({ chat, desk, questions, words, botName: () => connection.me().username });
  const dispatch = createDispatch({
    ...options,
    me: () => connection.me(),
    call,
    answers,
    migrations,
    questions,
    people,
    log,
    stop,
  });
  const ledger = createUpdateLedger(state, clock);
  const intake = createIntake({ ledger, log, handle: dispatch.handle });
  const connection = createConnection({
    call,
    clock,
    log,
    intake,
    stop,
    webhook: options.webhook,
    connected: (bot) =>
      void registerMenus(menus(options.commands, languages), { bot, call, clock, state, log, stop }),
  });
  const isModerator = createModeratorCheck({ call, clock, migrations });

  return {
    platform: 'telegram',
    start: () => connection.start(),
    async stop() {
      stopping.abort();
      dispatch.abandon();
      await waitAtMost(clock, longestStopMs, Promise.all([intake.idle(), connection.ended()]));
    },
    draw: (card, view, importance) => chat.draw(readCard(card), view, importance),
    removeMessage: (card) =>
      retryLater(() => chat.remove(readCard(card), words('en').telegram.removed), clock, {
        signal: stop,
        // `chat.remove` has already waited for the pauses that Telegram asks for.
        mostMs: 0,
      }),
    async say(to, view) {
      const destination = 'place' in to ? destinationOf(to.place) : { chat: Number(to.caller.id) };
      if (!Number.isSafeInteger(destination.chat)) return { state: 'gone' };
      try {
        const sent = await chat.send(destination, view, { mostWaitMs: saidWithinMs });
        const result = sent.result === undefined ? {} : { result: sent.result };
        return { state: 'drawn', card: cardRef(sent.card), ...result };
      } catch (error) {
        if (isFault(error, 'gone')) return { state: 'gone' };
        if (isFault(error, 'rate-limited', 'unreachable'))
          return { state: 'later', afterMs: Math.max(error.retryAfterMs, 2_000) };
        throw error;
      }
    },
    async forget(caller) {
      people.forget(Number(caller.id));
      await questions.forget(caller);
      await ledger.forget(Number(caller.id));
    },
    photo: createPhotoFetch({ token: options.token, apiUrl: options.apiUrl, call, clock }),
    limits: (card) => sizes.of(readCard(card)),
    isModerator,
    personName: createPersonName({ call, migrations }),
    isSame: (a, b) => isSameCard(readCard(a), readCard(b)),
    link: (card) => linkOf(readCard(card)),
    trouble: () => connection.trouble() ?? intake.overload(),
    ...(options.webhook === undefined
      ? {}
      : {
          webhook: createWebhook({
            secret: options.webhook.secret,
            intake,
            clock,
            closed: () => stop.aborted || !connection.ready(),
          }),
        }),
  };
};
