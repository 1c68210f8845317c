import { z } from 'zod';
import type { Records } from '../../../base/keyv/records.ts';
import { type Draft, draftPhotos } from '../../draft.ts';
import type { PhotoRef } from '../../photo.ts';
import { type Caller, callerShape, type Place, personKey, placeShape } from '../../place.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
/** In a group, a later message is no longer taken as the answer; buttons stay valid. */
const LISTENING_MS = 10 * 60 * 1000;

/** The stored value where no draft is awaited. */
const NONE = '';

const draftShape = z.looseObject({
  id: z.string(),
  command: z.string(),
  event: z.string(),
  given: z.looseObject({}),
  caller: callerShape,
  place: placeShape,
});
const isDraft = (value: unknown): value is Draft => draftShape.safeParse(value).success;

/** The person in the key of an awaited answer, of the latest photos, or of the list that version 0.1 kept. */
const PERSON_IN_KEY = /^(?:awaiting|photos|of):([a-z]+:(?:channel:)?[^:]+)/;

/** Owner and validity of these records, for the store. */
export const draftRecordRules = {
  ownerOf: (key: string, value: unknown): string | undefined =>
    isDraft(value) ? personKey(value.caller) : PERSON_IN_KEY.exec(key)?.[1],
  isValid(key: string, value: unknown): boolean {
    if (key.startsWith('draft:')) return isDraft(value);
    return !/^(?:awaiting|photos):/.test(key) || typeof value === 'string';
  },
};

const keyIn = (kind: 'awaiting' | 'photos', caller: Caller, place: Place): string =>
  `${kind}:${personKey(caller)}:${place.channel}:${place.thread ?? ''}`;

export type Drafts = ReturnType<typeof createDrafts>;

/** Drafts expire after a day. An unreadable one counts as missing: its buttons are stale. */
export function createDrafts(store: Records) {
  const load = async (id: string): Promise<Draft | undefined> => {
    const value = await store.get(`draft:${id}`);
    return isDraft(value) ? value : undefined;
  };
  const put = (draft: Draft): Promise<unknown> => store.set(`draft:${draft.id}`, draft, KEPT_MS);
  return {
    load,
    async save(draft: Draft): Promise<void> {
      await put(draft);
      const key = keyIn('awaiting', draft.caller, draft.place);
      if (draft.awaits !== undefined)
        await store.set(key, draft.id, draft.place.direct ? KEPT_MS : LISTENING_MS);
      // Nothing is awaited any more, but only if the person has not started another command meanwhile.
      else await store.update<unknown>(key, (id) => (id === draft.id ? NONE : undefined), LISTENING_MS);
    },
    /** Photos that came without a command. */
    async savePhotos(draft: Draft): Promise<void> {
      await this.save(draft);
      await store.set(keyIn('photos', draft.caller, draft.place), draft.id, LISTENING_MS);
    },
    /** The photos of the last minutes that came without a command, if nothing was made of them yet. */
    async latestPhotos(caller: Caller, place: Place): Promise<readonly PhotoRef[]> {
      const id = await store.get(keyIn('photos', caller, place));
      const draft = typeof id === 'string' ? await load(id) : undefined;
      return draft !== undefined && personKey(draft.caller) === personKey(caller) ? draftPhotos(draft) : [];
    },
    async forget(draft: Draft): Promise<void> {
      await store.delete(`draft:${draft.id}`);
    },
    /** The latest draft of this person in this place that waits for a text or a photo. */
    async awaiting(caller: Caller, place: Place): Promise<Draft | undefined> {
      const id = await store.get(keyIn('awaiting', caller, place));
      if (typeof id !== 'string' || id === NONE) return undefined;
      const draft = await load(id);
      // Another person may have continued a draft that a channel started.
      const theirs = draft?.awaits !== undefined && personKey(draft.caller) === personKey(caller);
      return theirs ? draft : undefined;
    },
  };
}
