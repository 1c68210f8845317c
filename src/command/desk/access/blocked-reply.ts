import { createOncePer } from '../../../base/once-per.ts';
import type { Incoming } from '../../desk.ts';
import { personKey } from '../../place.ts';
import type { Reply } from '../../reply.ts';
import type { DeskParts } from '../parts/desk-parts.ts';

/** A blocked person is told so once in this time. */
const TOLD_FOR_MS = 6 * 3_600_000;
/** Commands that blocked people may use are answered once in this time, to prevent flooding. */
const OPEN_FOR_MS = 10 * 60_000;

export type BlockedReply = ReturnType<typeof createBlockedReply>;

/**
 * The reply for a blocked person; undefined if they are not blocked, or use something that is open to them. `known` if
 * they were told before: then only a press that needs an answer, seen by them alone, gets it again.
 */
export function createBlockedReply({ gate, clock, words }: DeskParts) {
  const isNews = createOncePer(clock, TOLD_FOR_MS);
  const isOpen = createOncePer(clock, OPEN_FOR_MS);
  return async (
    { caller, place }: Pick<Incoming, 'caller' | 'place'>,
    open?: string,
  ): Promise<Reply | undefined> => {
    if (!(await gate.blocked(caller, place))) return undefined;
    const who = `${place.community} ${personKey(caller)}`;
    if (open !== undefined && isOpen(`${who} ${open}`)) return undefined;
    const text = words(caller.locale).gate.blocked;
    return isNews(who) ? { kind: 'note', text } : { kind: 'note', text, known: true };
  };
}
