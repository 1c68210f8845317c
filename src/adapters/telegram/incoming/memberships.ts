import type { ChatMember, ChatMemberUpdated } from 'grammy/types';
import type { AdapterOptions, Membership, Memberships } from '../../adapter.ts';
import type { Answers } from '../outgoing/answers.ts';
import { ADMIN_STATUSES, shortTitle } from './moderators.ts';
import { callerOf, placeOf } from './parse.ts';

function isThere(member: ChatMember): boolean {
  return member.status === 'restricted' ? member.is_member : !['left', 'kicked'].includes(member.status);
}

/** A group that the bot was added to. */
interface Added extends Membership {
  readonly waits: boolean;
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
  }: ChatMemberUpdated): Promise<Added | undefined> => {
    // The bot does not answer in channels.
    if (chat.type === 'channel' || isThere(before) === isThere(after)) return undefined;
    const place = placeOf(chat, from.id, undefined);
    if (!isThere(after)) return void (await left(place.community));
    const name = chat.type === 'private' ? {} : { name: shortTitle(chat.title) };
    const membership = { place, by: callerOf(from), ...name };
    const waits = (await joined(membership)) === 'waits';
    return place.direct ? undefined : { ...membership, waits };
  };
}

/** People may add and remove the bot again and again. */
const WELCOMED_MS = 7 * 24 * 3_600_000;

/** Says in a new group what the bot does, and how to make it an administrator; where an owner must approve it, the approval does. */
export function createWelcome({
  answers,
  desk,
  state,
  words,
}: Pick<AdapterOptions, 'desk' | 'state' | 'words'> & { readonly answers: Answers }) {
  return async ({ place, by, waits }: Added, { status }: ChatMember): Promise<void> => {
    const key = `telegram:welcomed:${place.channel}`;
    if ((await state.get(key)) === true) return;
    if (!waits) {
      const { caller } = await desk.inLanguage({ caller: by, place });
      const { welcome, makeAdministrator } = words(caller.locale).telegram;
      const lines = ADMIN_STATUSES.includes(status) ? [welcome] : [welcome, makeAdministrator];
      await answers.show({ kind: 'message', view: { tone: 'info', lines } }, { caller, place, rare: true });
    }
    await state.set(key, true, WELCOMED_MS);
  };
}
