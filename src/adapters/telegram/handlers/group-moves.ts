import type { Filter, MiddlewareFn } from 'grammy';
import type { Migrations } from '../api/chat-migrations.ts';
import type { BotContext } from './context.ts';
import type { RetryUntilDone } from './retry-until-done.ts';

/** Handles the update that announces that a group became a supergroup, whose records must be moved to its new id. */
export function createGroupMoves(migrations: Pick<Migrations, 'record'>, retryUntilDone: RetryUntilDone) {
  /** Groups whose records are being moved, by their new id. */
  const moves = new Map<number, Promise<void>>();

  return {
    /** Moves the records of a group. Telegram announces the migration in both chats. */
    async follow({
      chat,
      message: { migrate_to_chat_id: to = chat.id, migrate_from_chat_id: from = chat.id },
    }: Filter<BotContext, 'message:migrate_to_chat_id' | 'message:migrate_from_chat_id'>): Promise<void> {
      const done = retryUntilDone(() => migrations.record(from, to)).finally(() => {
        if (moves.get(to) === done) moves.delete(to);
      });
      moves.set(to, done);
      await done;
    },
    /**
     * Middleware that delays updates of a group until its records were moved: before that it would have no approval, blocks
     * and settings.
     */
    awaitMove: (async (ctx, next) => {
      const move = moves.get(ctx.chatId ?? 0);
      if (move !== undefined) await move.catch(() => undefined);
      await next();
    }) satisfies MiddlewareFn<BotContext>,
  };
}
