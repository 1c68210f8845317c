import type { ChatMember, ChatMemberUpdated } from 'grammy/types';
import { shorten } from '../../../command/shorten.ts';
import type { Adapter, Membership, Memberships } from '../../adapter.ts';
import type { BotCalls } from '../api/api.ts';
import type { Migrations } from '../api/chat-migrations.ts';
import { callerOf, placeOf } from './parse.ts';

const TIMEOUT_MS = 5_000;
const LONGEST_TITLE = 128;

function isThere(member: ChatMember): boolean {
  return member.status === 'restricted' ? member.is_member : !['left', 'kicked'].includes(member.status);
}

/**
 * The bot was added to a chat or taken from it; in a private chat the person has blocked it, or no longer does. Returns the
 * group that it was added to.
 */
export function createMemberships({ joined, left }: Memberships) {
  return async ({
    chat,
    from,
    old_chat_member: before,
    new_chat_member: after,
  }: ChatMemberUpdated): Promise<(Membership & { readonly waits: boolean }) | undefined> => {
    // The bot does not answer in channels.
    if (chat.type === 'channel' || isThere(before) === isThere(after)) return undefined;
    const place = placeOf(chat, from.id, undefined);
    if (!isThere(after)) return void (await left(place.community));
    const name = chat.type === 'private' ? {} : { name: shorten(chat.title, LONGEST_TITLE) };
    const membership = { place, by: callerOf(from), ...name };
    const waits = (await joined(membership)) === 'waits';
    return place.direct ? undefined : { ...membership, waits };
  };
}

export function createCommunityInfo(options: {
  readonly call: BotCalls;
  readonly migrations: Migrations;
}): NonNullable<Adapter['communityInfo']> {
  const { call, migrations } = options;
  return async ({ channel }) => {
    const [chat, limits] = [Number(channel), { timeoutMs: TIMEOUT_MS }];
    if (!Number.isSafeInteger(chat)) return undefined;
    return migrations.follow(chat, async (chat_id) => {
      const { title } = await call('getChat', { chat_id }, limits);
      const members = await call('getChatMemberCount', { chat_id }, limits).catch(() => undefined);
      return {
        ...(title === undefined ? {} : { name: shorten(title, LONGEST_TITLE) }),
        ...(members === undefined ? {} : { members }),
      };
    });
  };
}
