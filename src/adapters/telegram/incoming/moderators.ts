import type { ChatMember } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import type { Adapter } from '../../adapter.ts';
import type { Calls } from '../api/api.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import { isFault } from '../api/fault.ts';
import { retryLater } from '../api/retry-later.ts';
import { anonymousId } from './parse.ts';

/** A person waits for the answer. */
const MOST_PAUSE_MS = 10_000;
const MEMBER_TIMEOUT_MS = 5_000;
export const ADMIN_STATUSES: readonly string[] = ['creator', 'administrator'];

/** A person's membership in a chat, asked once. */
export function memberOf(call: Calls, chat: number, user: number, timeoutMs: number): Promise<ChatMember> {
  return call('getChatMember', { chat_id: chat, user_id: user }, { timeoutMs });
}

export function createModeratorCheck(options: {
  readonly call: Calls;
  readonly clock: Clock;
  readonly migrations: Migrations;
}): Adapter['isModerator'] {
  const { call, clock, migrations } = options;

  const isAdministrator = async (chat: number, user: number): Promise<boolean> => {
    try {
      const { status } = await memberOf(call, chat, user, MEMBER_TIMEOUT_MS);
      return ADMIN_STATUSES.includes(status);
    } catch (error) {
      // getChatMember is only guaranteed to work for other people if the bot is an administrator.
      if (!isFault(error, 'refused', 'gone')) throw error;
      const all = await call('getChatAdministrators', { chat_id: chat });
      return all.some((member) => member.user.id === user);
    }
  };

  return async (caller, place) => {
    const chat = Number(/^telegram:(-?\d+)$/.exec(place.community)?.[1] ?? Number.NaN);
    if (caller.platform !== 'telegram' || place.direct || !Number.isSafeInteger(chat)) return false;
    // Telegram marked the message as an anonymous administrator's; the id belongs to no person.
    if (caller.id === anonymousId(chat)) return true;
    const user = /^\d+$/.test(caller.id) ? Number(caller.id) : Number.NaN;
    if (!Number.isSafeInteger(user)) return false;
    try {
      const ask = (): Promise<boolean> => migrations.follow(chat, (now) => isAdministrator(now, user));
      return await retryLater(ask, clock, { mostMs: MOST_PAUSE_MS });
    } catch (error) {
      if (isFault(error, 'gone', 'refused')) return false;
      throw error;
    }
  };
}
