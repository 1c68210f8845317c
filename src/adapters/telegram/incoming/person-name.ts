import type { Adapter } from '../../adapter.ts';
import type { Calls } from '../api/api.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import { nameOf } from './parse.ts';

const patienceMs = 3_000;

/** Telegram knows its people by number; what they are called here is asked for. */
export const createPersonName = (options: {
  readonly call: Calls;
  readonly migrations: Migrations;
}): NonNullable<Adapter['personName']> => {
  const { call, migrations } = options;
  return async (id, place) => {
    const chat = Number(place.channel);
    if (!/^\d{1,16}$/.test(id) || !Number.isSafeInteger(chat)) return undefined;
    const member = await migrations.follow(chat, (now) =>
      call(
        'getChatMember',
        (raw, signal) => raw.getChatMember({ chat_id: now, user_id: Number(id) }, signal),
        { timeoutMs: patienceMs },
      ),
    );
    return nameOf(member.user);
  };
};
