import { createOncePer } from '../../../base/cache/once-per.ts';
import type { Clock } from '../../../base/clock.ts';

/** How many events of one person, and of one chat, are handled at once. */
export interface EventLimits {
  readonly perPerson: number;
  readonly perChat: number;
  /** Above `perChat` and up to this, people with no event in progress may have one. Omitted: nobody. */
  readonly perCrowd?: number;
}

type Bound = 'perPerson' | 'perChat';

/** `tell`: show the refusal; at most once a minute, because refusals would flood the chat, too. */
export type Admission = { readonly leave: () => void } | { readonly refused: Bound; readonly tell: boolean };

const TOLD_FOR_MS = 60_000;

function createCounter() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add(key: string, change: 1 | -1): void {
      const now = (counts.get(key) ?? 0) + change;
      if (now > 0) counts.set(key, now);
      else counts.delete(key);
    },
  };
}

/**
 * Limits events per person and per chat, so that a burst is refused where it happens and delays nobody else. `tellPer`:
 * whether a refusal is shown once per person or once per chat, where everybody reads it.
 */
export function createEventLimiter(
  clock: Pick<Clock, 'now'>,
  limits: EventLimits,
  tellPer: 'person' | 'chat',
) {
  const people = createCounter();
  const chats = createCounter();
  const isNews = createOncePer(clock, TOLD_FOR_MS);

  /** Nobody takes more than half of what a chat has left, so that a few people cannot block it. */
  const whyNot = (own: number, inChat: number): Bound | undefined => {
    if (own >= limits.perPerson) return 'perPerson';
    if (own === 0 && inChat < (limits.perCrowd ?? 0)) return undefined;
    return own >= (limits.perChat - inChat) / 2 ? 'perChat' : undefined;
  };

  return {
    /** `unbounded`: events accepted before a restart are counted but never refused. */
    enter(who: { readonly person: string; readonly chat: string }, unbounded = false): Admission {
      const refused = whyNot(people.of(who.person), chats.of(who.chat));
      if (refused !== undefined && !unbounded) return { refused, tell: isNews(who[tellPer]) };
      people.add(who.person, 1);
      chats.add(who.chat, 1);
      let left = false;
      return {
        leave() {
          if (left) return;
          left = true;
          people.add(who.person, -1);
          chats.add(who.chat, -1);
        },
      };
    },
  };
}
