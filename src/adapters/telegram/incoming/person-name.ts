import type { Adapter } from '../../adapter.ts';
import type { Calls } from '../api/api.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import { memberOf } from './moderators.ts';
import { nameOf } from './parse.ts';

const TIMEOUT_MS = 3_000;

/** Records hold ids only: the current name is asked of Telegram. */
export function createPersonName(options: {
  readonly call: Calls;
  readonly migrations: Migrations;
}): NonNullable<Adapter['personName']> {
  const { call, migrations } = options;
  return async (id, place) => {
    const chat = Number(place.channel);
    if (!/^\d{1,16}$/.test(id) || !Number.isSafeInteger(chat)) return undefined;
    const member = await migrations.follow(chat, (now) => memberOf(call, now, Number(id), TIMEOUT_MS));
    return nameOf(member.user);
  };
}
