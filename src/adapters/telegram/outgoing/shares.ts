import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import { isGroup } from '../api/refs.ts';

/** Telegram allows about this many messages a minute in a group, and as many edits. */
const MOST_IN_MINUTE = 20;
/** A person alone in a group, such as a moderator setting it up, gets more; the rest is for the next person. */
const MOST_ALONE = 15;
const MINUTE_MS = 60_000;
const MOST_GROUPS = 10_000;
/** Everybody may send one, so there can be more than Telegram allows. */
const MOST_COUNTED = 200;

interface Taken {
  readonly person: string;
  readonly at: number;
}

/**
 * One person gets at most half of what the others left of a group's messages in a minute. So a person who keeps sending
 * waits, and the next person is answered at once.
 */
export function createShares(clock: Pick<Clock, 'now'>) {
  const groups = new Map<number, readonly Taken[]>();
  const recent = (chat: number): readonly Taken[] =>
    (groups.get(chat) ?? []).filter(({ at }) => at > clock.now() - MINUTE_MS);

  return {
    /** Until the person may have another message. */
    waitMs(chat: number, person: string): number {
      const taken = recent(chat);
      const own = taken.filter((each) => each.person === person);
      const others = taken.length - own.length;
      const share = others === 0 ? MOST_ALONE : Math.max(1, Math.ceil((MOST_IN_MINUTE - others) / 2));
      const oldest = own.at(-share);
      return oldest === undefined ? 0 : oldest.at + MINUTE_MS - clock.now();
    },
    record(chat: number, person: string): void {
      if (!isGroup(chat)) return;
      const taken = [...recent(chat), { person, at: clock.now() }].slice(-MOST_COUNTED);
      groups.delete(chat);
      groups.set(chat, taken);
      keepLatest(groups, MOST_GROUPS);
    },
  };
}

export type Shares = ReturnType<typeof createShares>;
