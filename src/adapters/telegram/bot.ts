import { type Bot, BotError } from 'grammy';
import type { Update } from 'grammy/types';
import type { Memberships } from '../adapter.ts';
import type { Migrations } from './api/chat-migrations.ts';
import type { TelegramDependencies } from './api/options.ts';
import { createAlbums } from './handlers/albums.ts';
import { createCallbackQueries } from './handlers/callback-queries.ts';
import { type BotContext, isOfAlbum, isPress, setCallerAndPlace } from './handlers/context.ts';
import { createGroupMoves } from './handlers/group-moves.ts';
import { createMessages } from './handlers/messages.ts';
import { createMemberships } from './handlers/my-chat-member.ts';
import type { People } from './handlers/people.ts';
import { imagesNeededBy, readMessages } from './handlers/read-message.ts';
import { createRetry } from './handlers/retry-until-done.ts';
import { createSenderNotes } from './handlers/sender-notes.ts';
import { type Claimed, Stopped } from './incoming/update-inbox.ts';
import type { Answers } from './outgoing/answers.ts';
import type { Ephemerals } from './outgoing/ephemerals.ts';
import type { Questions } from './outgoing/questions.ts';
import type { Ways } from './outgoing/ways.ts';

/** Installs the handlers of the bot: this page shows in order what becomes of each kind of update. */
export function installHandlers(
  bot: Bot<BotContext>,
  options: TelegramDependencies & {
    readonly answers: Answers;
    readonly ephemerals: Ephemerals;
    readonly memberships: Memberships;
    readonly migrations: Migrations;
    readonly people: People;
    readonly questions: Questions;
    readonly ways: Ways;
    /** Claims updates that other processes have stored meanwhile. */
    readonly look: () => Promise<void>;
  },
) {
  const imagesNeeded = imagesNeededBy(options.commands);
  const retryUntilDone = createRetry(options);
  const parts = { ...options, imagesNeeded, retryUntilDone, notes: createSenderNotes(options) };
  const groupMoves = createGroupMoves(options.migrations, retryUntilDone);
  const memberships = createMemberships(parts);
  const callbackQueries = createCallbackQueries(parts);
  const messages = createMessages(parts);
  const albums = createAlbums({ ...parts, ...messages });
  /** The claim of each update in progress, because `bot.handleUpdate` passes on nothing but the update. */
  const claims = new WeakMap<Update, Claimed>();

  bot.use(async (ctx, next) => {
    Object.assign(ctx, { claim: claims.get(ctx.update) });
    await next();
  });

  // A group became a supergroup, and its other updates wait until its records have been moved.
  bot.on(['message:migrate_to_chat_id', 'message:migrate_from_chat_id'], groupMoves.follow);
  bot.use(groupMoves.awaitMove);

  // Presses of buttons come next; a press without its message or data is too old.
  bot.on('callback_query', callbackQueries.limit);
  bot.on('callback_query').drop(isPress, callbackQueries.tellTooOld);

  // This middleware sets caller and place, so every handler after it has them.
  bot.use(setCallerAndPlace);
  bot.on('callback_query').filter(isPress, callbackQueries.press);

  // The bot was added to a chat or removed from it.
  bot.on('my_chat_member', memberships);

  // Commands, answers to questions, and photos, in groups and in private chats.
  bot.on('message').filter(isOfAlbum, albums.add);
  bot.on('message', messages.answer);

  return {
    /** Whether the update may be for the bot; only such updates are stored. */
    concerns({ message, callback_query: query, my_chat_member: member }: Update): boolean {
      if (message === undefined) return (query ?? member) !== undefined;
      const { media_group_id: group, migrate_to_chat_id: to, migrate_from_chat_id: from, chat } = message;
      if (chat.type === 'private' || (group ?? to ?? from) !== undefined) return true;
      return readMessages([message], bot.botInfo, imagesNeeded) !== undefined;
    },
    /**
     * Handles an update of the inbox; resolves when it was answered or needs no answer, and throws the error of its handler.
     */
    async handle(update: Update, claim: Claimed): Promise<void> {
      claims.set(update, claim);
      try {
        await bot.handleUpdate(update);
      } catch (error) {
        // The `BotError` is unwrapped, because the token can be reached from its context, and because the inbox must
        // recognise `Stopped`.
        throw error instanceof BotError ? error.error : error;
      }
    },
    abandon: (): void => albums.abandon(new Stopped()),
  };
}
