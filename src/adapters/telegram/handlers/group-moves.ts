import type { Filter, MiddlewareFn } from 'grammy';
import type { Migrations } from '../api/chat-migrations.ts';
import type { BotContext } from './context.ts';
import type { RetryUntilDone } from './retry-until-done.ts';

/** A group that becomes a supergroup gets a new id, and its records follow it. */
export function createGroupMoves(migrations: Pick<Migrations, 'record'>, retryUntilDone: RetryUntilDone) {
  /** Groups whose records are being moved, by their new id. */
  const moves = new Map<number, Promise<void>>();

  return {
    /** Telegram announces it in both chats. */
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
    /** Before its records are there the group would be a stranger's: without its approval, blocks and settings. */
    awaitMove: (async (ctx, next) => {
      const move = moves.get(ctx.chatId ?? 0);
      if (move !== undefined) await move.catch(() => undefined);
      await next();
    }) satisfies MiddlewareFn<BotContext>,
  };
}
