import type { Adapter, Drawn, ShareOf } from '../../adapters/adapter.ts';
import type { Platform } from '../../adapters/profiles.ts';
import { type Caller, type CardRef, type Place, personKey } from '../../command/place.ts';
import type { View } from '../../command/view.ts';
import type { Language } from '../../words/words.ts';

export type Outgoing = ReturnType<typeof createOutgoing>;

/** Calls to whichever adapter a card or person belongs to. */
export function createOutgoing(adapters: ReadonlyMap<Platform, Adapter>) {
  const adapter = (platform: Platform): Adapter | undefined => adapters.get(platform);
  return {
    adapter,
    // Messages of a platform that was switched off count as gone.
    draw: async (card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn> =>
      (await adapter(card.platform)?.draw(card, view, importance)) ?? { state: 'gone' },
    removeMessage: async (card: CardRef): Promise<void> => adapter(card.platform)?.removeMessage(card),
    say: async (
      to: { readonly place: Place } | { readonly caller: Caller },
      view: View,
      share?: ShareOf,
    ): Promise<Drawn> => {
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
