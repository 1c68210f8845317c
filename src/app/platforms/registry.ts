import type { Adapter, DeletionOutcome, SharedResult } from '../../adapters/adapter.ts';
import type { Caller, CardRef, Place } from '../../command/place.ts';
import type { DrawOutcome } from '../../command/reply.ts';
import type { View } from '../../command/view.ts';
import type { Platform } from '../../platforms/platforms.ts';

export type PlatformRegistry = ReturnType<typeof createPlatformRegistry>;

/**
 * The adapters of the platforms that are on, and calls to whichever of them a message or person belongs to. Adapters bring events to the
 * desk, and what the desk does with one sends messages through here: so the registry is made first, and `connect` gives it the adapters,
 * once. Before that no platform is on.
 */
export function createPlatformRegistry(known: readonly Adapter[] = []) {
  let adapters = known;
  const of = (platform: Platform): Adapter | undefined =>
    adapters.find((adapter) => adapter.platform === platform);
  return {
    connect(made: readonly Adapter[]): void {
      if (adapters.length > 0) throw new Error('The platforms are connected already.');
      adapters = made;
    },
    start: async (): Promise<void> => void (await Promise.all(adapters.map((adapter) => adapter.start()))),
    stop: async (): Promise<void> => void (await Promise.all(adapters.map((adapter) => adapter.stop()))),
    all: (): readonly Adapter[] => adapters,
    of,
    // Messages of a platform that was switched off count as gone.
    draw: async (card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<DrawOutcome> =>
      (await of(card.platform)?.draw(card, view, importance)) ?? { state: 'gone' },
    /** Undefined: its platform is switched off. */
    removeMessage: async (card: CardRef): Promise<DeletionOutcome | undefined> =>
      of(card.platform)?.removeMessage(card),
    /** A link to a message that a person copied, with the id of its chat instead of a public name where the platform tells it. */
    readLink: async (copied: string): Promise<string> => {
      for (const adapter of adapters) {
        const read = await adapter.readLink?.(copied);
        if (read !== undefined) return read;
      }
      return copied;
    },
    say: async (
      to: { readonly place: Place } | { readonly caller: Caller },
      view: View,
      share?: SharedResult,
    ): Promise<DrawOutcome> => {
      const { platform } = 'place' in to ? to.place : to.caller;
      return (await of(platform)?.say(to, view, share)) ?? { state: 'gone' };
    },
  };
}
