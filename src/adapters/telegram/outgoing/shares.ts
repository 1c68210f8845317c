import { type Clock, MINUTE_MS } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import { isGroup } from '../api/refs.ts';

/** Telegram allows about this many messages a minute in a group, and as many edits. */
export const MOST_IN_MINUTE = 20;
/** A person alone in a group, such as a moderator setting it up, gets more; the rest is for the next person. */
const MOST_ALONE = 15;
const MOST_GROUPS = 10_000;
/** Everybody may send one, so there can be more than Telegram allows. */
const MOST_COUNTED = 200;

interface Taken {
  /** undefined: a card's, which is nobody's share. */
  readonly person: string | undefined;
  readonly at: number;
}

/**
 * One person gets at most half of what the others left of a group's messages in a minute. So a person who keeps sending
 * waits, and the next person is answered at once. `most`: of all together.
 */
export function createShares(clock: Pick<Clock, 'now'>, most = Number.POSITIVE_INFINITY) {
  const groups = new Map<number, readonly Taken[]>();
  const recent = (chat: number): readonly Taken[] =>
    (groups.get(chat) ?? []).filter(({ at }) => at > clock.now() - MINUTE_MS);
  const untilFewer = (taken: readonly Taken[], than: number): number => {
    const oldest = taken.at(-than);
    return oldest === undefined ? 0 : oldest.at + MINUTE_MS - clock.now();
  };

  return {
    /** Until there are fewer than this many within a minute. */
    fewerMs: (chat: number, than: number): number => untilFewer(recent(chat), than),
    /** Until the person may have another message. */
    waitMs(chat: number, person: string): number {
      const taken = recent(chat);
      const own = taken.filter((each) => each.person === person);
      const others = taken.filter((each) => each.person !== undefined).length - own.length;
      const share = others === 0 ? MOST_ALONE : Math.max(1, Math.ceil((MOST_IN_MINUTE - others) / 2));
      return Math.max(untilFewer(own, share), untilFewer(taken, most));
    },
    record(chat: number, person?: string, at = clock.now()): void {
      if (!isGroup(chat)) return;
      const taken = [...recent(chat), { person, at }].slice(-MOST_COUNTED);
      groups.delete(chat);
      groups.set(chat, taken);
      keepLatest(groups, MOST_GROUPS);
    },
  };
}

export type Shares = ReturnType<typeof createShares>;
