import type { ChatMember } from 'grammy/types';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import type { Desk } from '../../../command/desk.ts';
import type { Caller, Place } from '../../../command/place.ts';
import { wordsFor } from '../../../words/words.ts';
import type { AdapterOptions, Memberships } from '../../adapter.ts';
import { ADMIN_STATUSES, shortTitle } from '../api/chat-members.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { Ephemerals } from '../outgoing/ephemerals.ts';
import type { MembershipContext } from './context.ts';
import type { RetryUntilDone } from './retry-until-done.ts';

const isThere = (member: ChatMember): boolean =>
  member.status === 'restricted' ? member.is_member : !['left', 'kicked'].includes(member.status);

/** How long a group gets no second welcome, because people may add and remove the bot again and again. */
const WELCOMED_MS = 7 * 24 * 3_600_000;

/**
 * Handles `my_chat_member`: the bot was added to or removed from a chat; in a private chat, the person blocked or unblocked
 * the bot.
 */
export function createMemberships({
  memberships,
  answers,
  desk,
  ephemerals,
  retryUntilDone,
  state,
}: Pick<AdapterOptions, 'state'> & {
  readonly memberships: Memberships;
  readonly answers: Pick<Answers, 'show'>;
  readonly desk: Pick<Desk, 'inLanguage'>;
  readonly ephemerals: Pick<Ephemerals, 'tryAgainIn'>;
  readonly retryUntilDone: RetryUntilDone;
}) {
  const serially = createKeyedQueue();

  /** Sends the welcome: what the bot does, and how to make it an administrator. */
  const welcome = async (by: Caller, place: Place, { status }: ChatMember): Promise<void> => {
    const { caller } = await desk.inLanguage({ caller: by, place });
    const { welcome, makeAdministrator } = wordsFor(caller.locale).telegram;
    const lines = ADMIN_STATUSES.includes(status) ? [welcome] : [welcome, makeAdministrator];
    await answers.show(
      { kind: 'message', audience: 'everyone', view: { tone: 'info', lines } },
      { caller, place, rare: true },
    );
  };

  const follow = async ({ myChatMember, caller, place }: MembershipContext): Promise<void> => {
    const { chat, old_chat_member: before, new_chat_member: after } = myChatMember;
    // Channels are ignored, because the bot does not answer there.
    if (chat.type === 'channel' || isThere(before) === isThere(after)) return;
    if (!isThere(after)) return await memberships.left(place.community);
    const name = chat.type === 'private' ? {} : { name: shortTitle(chat.title) };
    const waits = (await memberships.joined({ place, by: caller, ...name })) === 'waits';
    const key = `telegram:welcomed:${place.channel}`;
    if (place.direct || (await state.get(key)) === true) return;
    // If an owner must approve the group, the welcome comes with the approval.
    if (!waits) await welcome(caller, place, after);
    await state.set(key, true, WELCOMED_MS);
  };

  return (ctx: MembershipContext): Promise<void> => {
    ephemerals.tryAgainIn(ctx.chat.id);
    return serially(String(ctx.chat.id), () => retryUntilDone(() => follow(ctx)));
  };
}
