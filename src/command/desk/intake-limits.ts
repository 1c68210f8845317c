import type { Clock } from '../../base/clock.ts';
import { createOnceIn } from '../../base/once-per.ts';

/** How many events of one person, and of one chat, are worked on at once. */
export interface InHandLimits {
  readonly perPerson: number;
  readonly perChat: number;
  /** Beyond `perChat`, and up to this, people who have nothing in hand may have one; left out: nobody. */
  readonly perCrowd?: number;
}

type Bound = 'perPerson' | 'perChat';

/** `tell`: whoever is refused has not been told within the last minute. Telling everybody would be a flood of its own. */
export type Admission = { readonly leave: () => void } | { readonly refused: Bound; readonly tell: boolean };

export interface InHand {
  /** `unbounded`: what was taken before a restart is never refused; it is counted all the same. */
  enter(who: { readonly person: string; readonly chat: string }, unbounded?: boolean): Admission;
}

const toldForMs = 60_000;

const createCounter = () => {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add(key: string, change: 1 | -1): void {
      const now = (counts.get(key) ?? 0) + change;
      if (now > 0) counts.set(key, now);
      else counts.delete(key);
    },
  };
};

/**
 * Bounds what one person or one chat keeps busy, so that a burst there is refused there and holds nobody else up.
 * `tellPer`: whether a refusal is told once to each person, or once in each chat, where everybody reads it.
 */
export const createInHand = (
  clock: Pick<Clock, 'now'>,
  limits: InHandLimits,
  tellPer: 'person' | 'chat',
): InHand => {
  const people = createCounter();
  const chats = createCounter();
  const isNews = createOnceIn(clock, toldForMs);

  /** Of what a chat has left nobody takes more than half: a few people do not shut it for everybody else. */
  const whyNot = (own: number, inChat: number): Bound | undefined => {
    if (own >= limits.perPerson) return 'perPerson';
    if (own === 0 && inChat < (limits.perCrowd ?? 0)) return undefined;
    return own >= (limits.perChat - inChat) / 2 ? 'perChat' : undefined;
  };

  return {
    enter(who, unbounded = false) {
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
};
