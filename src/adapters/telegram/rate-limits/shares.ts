import { type Clock, MINUTE_MS } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import { isGroup } from '../api/refs.ts';

/** About how many messages a minute Telegram allows in a group, and as many edits. */
export const MOST_IN_MINUTE = 20;
/**
 * The part of the limit for a person who is alone in a group, such as a moderator at its setup; the rest is for the next
 * person.
 */
const PART_ALONE = 3 / 4;
const MOST_GROUPS = 10_000;
/** How many messages of a minute are remembered: more than Telegram allows, because every person may have one. */
const MOST_COUNTED = 200;

interface Taken {
  /** undefined for the edit of a card, which counts to nobody's share. */
  readonly person: string | undefined;
  readonly at: number;
}

/**
 * Divides a group's messages, or edits, of a minute among people: each gets at most half of what the others left, so that a
 * person who keeps sending waits, and the next person is answered at once. `limits`: the most for people, and for people and
 * cards together.
 */
export function createShares(
  clock: Pick<Clock, 'now'>,
  limits?: { readonly people: number; readonly all: number },
) {
  const groups = new Map<number, readonly Taken[]>();
  const recent = (chat: number): readonly Taken[] =>
    (groups.get(chat) ?? []).filter(({ at }) => at > clock.now() - MINUTE_MS);
  const untilFewer = (taken: readonly Taken[], than: number): number => {
    const oldest = taken.at(-than);
    return oldest === undefined ? 0 : oldest.at + MINUTE_MS - clock.now();
  };

  return {
    /** How long until fewer than this many lie within a minute. */
    fewerMs: (chat: number, than: number): number => untilFewer(recent(chat), than),
    /** How long until fewer than this many edits of cards lie within a minute. */
    fewerOfCardsMs: (chat: number, than: number): number =>
      untilFewer(
        recent(chat).filter((each) => each.person === undefined),
        than,
      ),
    /** How long until the person may have another message. */
    waitMs(chat: number, person: string): number {
      const taken = recent(chat);
      const people = taken.filter((each) => each.person !== undefined);
      const own = people.filter((each) => each.person === person);
      const others = people.length - own.length;
      const most = limits?.people ?? MOST_IN_MINUTE;
      const share = others === 0 ? Math.floor(most * PART_ALONE) : Math.ceil((most - others) / 2);
      const ownMs = untilFewer(own, Math.max(1, share));
      if (limits === undefined) return ownMs;
      return Math.max(ownMs, untilFewer(people, most), untilFewer(taken, limits.all));
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
