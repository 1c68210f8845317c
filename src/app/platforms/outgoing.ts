import { type Adapter, type Drawn, PhotoGone, type ShareOf } from '../../adapters/adapter.ts';
import { createFairBudget, type Held } from '../../base/limits/fair-budget.ts';
import type { PhotoRef } from '../../command/photo.ts';
import { type Caller, type CardRef, type Place, personKey } from '../../command/place.ts';
import type { View } from '../../command/view.ts';
import { MAX_PHOTO_BYTES } from '../../media/photo.ts';
import type { Platform } from '../../platforms/platforms.ts';
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
export const ownerAsCaller = (
  owner: { readonly platform: Platform; readonly id: string },
  locale: Language,
): Caller => ({ ...owner, name: personKey(owner), locale });

export type WithPhoto = ReturnType<typeof createWithPhoto>;

/** A photo of a platform, not a link or a saved face. */
export type SentPhoto = Extract<PhotoRef, { readonly ref: string }>;

const MOST_BYTES = { total: 3 * MAX_PHOTO_BYTES, perPerson: MAX_PHOTO_BYTES };

/** Fetches a photo for what is done with it at once; all of them together take a bounded part of the memory. */
export function createWithPhoto(outgoing: Outgoing) {
  const inMemory = createFairBudget(MOST_BYTES);
  return async <T>(
    ref: SentPhoto,
    person: string,
    signal: AbortSignal,
    use: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T> => {
    let held: Held | undefined;
    const reserve = async (bytes: number): Promise<void> => {
      held ??= await inMemory.take(person, bytes, signal);
    };
    try {
      const bytes = await outgoing.adapter(ref.from)?.photo(ref, MAX_PHOTO_BYTES, signal, reserve);
      if (bytes === undefined) throw new PhotoGone('the platform is switched off');
      return await use(bytes);
    } finally {
      held?.release();
    }
  };
}
