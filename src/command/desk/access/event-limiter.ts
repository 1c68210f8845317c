import { addTo } from '../../../base/add-to.ts';
import type { Clock } from '../../../base/clock.ts';
import { createOncePer } from '../../../base/once-per.ts';

/** How many events of one person, and of one chat, are handled at once. */
export interface EventLimits {
  readonly perPerson: number;
  readonly perChat: number;
  /** Above `perChat` and up to this, people with no event in progress may have one. Omitted: none may. */
  readonly perCrowd?: number;
}

type Bound = 'perPerson' | 'perChat';

interface Who {
  readonly person: string;
  /** The people who share the person's limit (`turnKey`); omitted: it is not shared. */
  readonly turn?: string;
  readonly chat: string;
}

/** `tell`: show the refusal; at most once a minute, because refusals would flood the chat, too. */
export type Admission = { readonly leave: () => void } | { readonly refused: Bound; readonly tell: boolean };

const NOTICE_EVERY_MS = 60_000;

/**
 * Limits events per person and per chat, so that a burst is refused where it happens and delays no others. `tellPer`:
 * whether a refusal is shown once per person or once per chat, where everybody reads it.
 */
export function createEventLimiter(
  clock: Pick<Clock, 'now'>,
  limits: EventLimits,
  tellPer: 'person' | 'chat',
) {
  const people = new Map<string, number>();
  const turns = new Map<string, number>();
  const chats = new Map<string, number>();
  const isFirst = createOncePer(clock, NOTICE_EVERY_MS);

  /** A person gets at most half of what a chat has left, so that a few people cannot block it. */
  const whyNot = ({ person, turn = person, chat }: Who): Bound | undefined => {
    const [own = 0, ofTurn = 0, inChat = 0] = [people.get(person), turns.get(turn), chats.get(chat)];
    // A person's first event is accepted, even if others of the same turn have used the limit.
    if (own > 0 && ofTurn >= limits.perPerson) return 'perPerson';
    if (own === 0 && inChat < (limits.perCrowd ?? 0)) return undefined;
    return own >= (limits.perChat - inChat) / 2 ? 'perChat' : undefined;
  };

  return {
    /** `unbounded`: events accepted before a restart are counted but never refused. */
    enter(who: Who, unbounded = false): Admission {
      const refused = whyNot(who);
      if (refused !== undefined && !unbounded) return { refused, tell: isFirst(who[tellPer]) };
      const count = (change: 1 | -1): void => {
        addTo(people, who.person, change);
        addTo(turns, who.turn ?? who.person, change);
        addTo(chats, who.chat, change);
      };
      count(1);
      let left = false;
      return {
        leave() {
          if (left) return;
          left = true;
          count(-1);
        },
      };
    },
  };
}
