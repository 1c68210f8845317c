import type { Adapter, Drawn, ShareOf } from '../../adapters/adapter.ts';
import type { Caller, CardRef, Place } from '../../command/place.ts';
import type { View } from '../../command/view.ts';
import type { Platform } from '../../platforms/platforms.ts';

export type PlatformRegistry = ReturnType<typeof createPlatformRegistry>;

/**
 * The adapters of the platforms that are on, and calls to whichever of them a message or person belongs to. Everything that sends
 * messages is made with the registry; the adapters, which answer through the desk, are added when that exists.
 */
export function createPlatformRegistry(known: readonly Adapter[] = []) {
  const adapters = new Map(known.map((adapter) => [adapter.platform, adapter]));
  const of = (platform: Platform): Adapter | undefined => adapters.get(platform);
  return {
    add: (adapter: Adapter): void => void adapters.set(adapter.platform, adapter),
    all: (): readonly Adapter[] => [...adapters.values()],
    of,
    // Messages of a platform that was switched off count as gone.
    draw: async (card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn> =>
      (await of(card.platform)?.draw(card, view, importance)) ?? { state: 'gone' },
    removeMessage: async (card: CardRef): Promise<void> => of(card.platform)?.removeMessage(card),
    say: async (
      to: { readonly place: Place } | { readonly caller: Caller },
      view: View,
      share?: ShareOf,
    ): Promise<Drawn> => {
      const { platform } = 'place' in to ? to.place : to.caller;
      return (await of(platform)?.say(to, view, share)) ?? { state: 'gone' };
    },
  };
}
