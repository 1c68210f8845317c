import type { ChatMember, ChatMemberUpdated } from 'grammy/types';
import type { Desk } from '../../../command/desk.ts';
import type { Caller, Place } from '../../../command/place.ts';
import type { AdapterOptions, Memberships } from '../../adapter.ts';
import type { Answers } from '../outgoing/answers.ts';
import { ADMIN_STATUSES, shortTitle } from './moderators.ts';
import { callerOf, placeOf } from './parse.ts';

const isThere = (member: ChatMember): boolean =>
  member.status === 'restricted' ? member.is_member : !['left', 'kicked'].includes(member.status);

/** People may add and remove the bot again and again. */
const WELCOMED_MS = 7 * 24 * 3_600_000;

/** The bot was added to a chat or taken from it; in a private chat the person has blocked it, or no longer does. */
export function createMemberships({
  memberships,
  answers,
  desk,
  state,
  words,
}: Pick<AdapterOptions, 'state' | 'words'> & {
  readonly memberships: Memberships;
  readonly answers: Pick<Answers, 'show'>;
  readonly desk: Pick<Desk, 'inLanguage'>;
}) {
  /** What the bot does, and how to make it an administrator. */
  const welcome = async (by: Caller, place: Place, { status }: ChatMember): Promise<void> => {
    const { caller } = await desk.inLanguage({ caller: by, place });
    const { welcome, makeAdministrator } = words(caller.locale).telegram;
    const lines = ADMIN_STATUSES.includes(status) ? [welcome] : [welcome, makeAdministrator];
    await answers.show({ kind: 'message', view: { tone: 'info', lines } }, { caller, place, rare: true });
  };

  return async ({ chat, from, old_chat_member: before, new_chat_member: after }: ChatMemberUpdated) => {
    // The bot does not answer in channels.
    if (chat.type === 'channel' || isThere(before) === isThere(after)) return;
    const place = placeOf(chat, from.id, undefined);
    if (!isThere(after)) return await memberships.left(place.community);
    const name = chat.type === 'private' ? {} : { name: shortTitle(chat.title) };
    const by = callerOf(from);
    const waits = (await memberships.joined({ place, by, ...name })) === 'waits';
    const key = `telegram:welcomed:${place.channel}`;
    if (place.direct || (await state.get(key)) === true) return;
    // Where an owner must approve it, the approval says it.
    if (!waits) await welcome(by, place, after);
    await state.set(key, true, WELCOMED_MS);
  };
}
