import type { Adapter, Drawn, ShareOf } from '../../adapters/adapter.ts';
import type { Platform } from '../../adapters/profiles.ts';
import { type Caller, type CardRef, type Place, personKey } from '../../command/place.ts';
import type { View } from '../../command/view.ts';
import type { Language } from '../../words/words.ts';

/** Calls to whichever adapter a card or person belongs to. */
export interface Outgoing {
  draw(card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn>;
  removeMessage(card: CardRef): Promise<void>;
  find(answer: CardRef, job: string): Promise<CardRef | undefined>;
  /** Whether both are the same message; true if the platform cannot tell. */
  isSame(a: CardRef, b: CardRef): boolean;
  say(
    to: { readonly place: Place } | { readonly caller: Caller },
    view: View,
    share?: ShareOf,
  ): Promise<Drawn>;
  adapter(platform: Platform): Adapter | undefined;
}

export function createOutgoing(adapters: ReadonlyMap<Platform, Adapter>): Outgoing {
  const adapter = (platform: Platform): Adapter | undefined => adapters.get(platform);
  return {
    adapter,
    // Messages of a platform that was switched off count as gone.
    draw: async (card, view, importance) =>
      (await adapter(card.platform)?.draw(card, view, importance)) ?? { state: 'gone' },
    removeMessage: async (card) => adapter(card.platform)?.removeMessage(card),
    find: async (answer, job) => adapter(answer.platform)?.find?.(answer, job),
    isSame: (a, b) => a.platform === b.platform && (adapter(a.platform)?.isSame?.(a, b) ?? true),
    say: async (to, view, share) => {
      const { platform } = 'place' in to ? to.place : to.caller;
      return (await adapter(platform)?.say(to, view, share)) ?? { state: 'gone' };
    },
  };
}

/** An entry of `OWNERS` as a person who can get messages. */
export function ownerAsCaller(
  owner: { readonly platform: Platform; readonly id: string },
  locale: Language,
): Caller {
  return { ...owner, name: personKey(owner), locale };
}
