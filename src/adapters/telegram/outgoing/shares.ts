import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import { isGroup } from '../api/refs.ts';

/** Telegram lets about this many messages a minute into a group, and as many edits. */
const mostInMinute = 20;
/** Somebody alone, a moderator who sets the group up perhaps, gets more: the rest is for whoever comes next. */
const mostAlone = 15;
const minuteMs = 60_000;
const mostGroups = 10_000;
/** Everybody may have one, so there can be more than Telegram allows; older ones are not worth counting. */
const mostCounted = 200;

/**
 * Of the messages that a group gets in a minute one person causes at most half of what the others left; whoever keeps
 * sending waits for their own share, and the next person is answered at once.
 */
export interface Shares {
  /** How long until the group has another one for this person. */
  waitMs(chat: number, person: string): number;
  took(chat: number, person: string): void;
}

interface Taken {
  readonly person: string;
  readonly at: number;
}

export const createShares = (clock: Pick<Clock, 'now'>): Shares => {
  const groups = new Map<number, readonly Taken[]>();
  const recent = (chat: number): readonly Taken[] =>
    (groups.get(chat) ?? []).filter(({ at }) => at > clock.now() - minuteMs);

  return {
    waitMs(chat, person) {
      const taken = recent(chat);
      const own = taken.filter((each) => each.person === person);
      const others = taken.length - own.length;
      const share = others === 0 ? mostAlone : Math.max(1, Math.ceil((mostInMinute - others) / 2));
      const oldest = own.at(-share);
      return oldest === undefined ? 0 : oldest.at + minuteMs - clock.now();
    },
    took(chat, person) {
      if (!isGroup(chat)) return;
      const taken = [...recent(chat), { person, at: clock.now() }].slice(-mostCounted);
      groups.delete(chat);
      groups.set(chat, taken);
      keepLatest(groups, mostGroups);
    },
  };
};
