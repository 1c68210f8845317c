import { PhotoGone } from '../../adapters/adapter.ts';
import { type Clock, withTimeout } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Incoming } from '../../command/desk.ts';
import { UserError } from '../../command/errors.ts';
import type { FacesPort } from '../../command/faces-port.ts';
import { type ErasedMeanwhile, forgottenError, refuseForgotten } from '../../command/forgotten.ts';
import type { PhotoRef } from '../../command/photo.ts';
import { directCommunity, personKey, turnKey } from '../../command/place.ts';
import { CommunityError } from '../../community/community-error.ts';
import { MOST_FACE_BYTES, type SavedFaces } from '../../community/faces/saved-faces.ts';
import type { Audit } from '../../community/rules/audit.ts';
import { cleanFace, PhotoRejected } from '../../media/photo.ts';
import type { Decoder } from '../../picture/decoder.ts';
import type { CompareWithBlocked } from '../../safety/blocked-photos/compare-with-blocked.ts';
import type { ContentCheck } from '../../safety/content/check.ts';
import type { Words } from '../../words/words.ts';
import type { UsePhoto } from './use-photo.ts';

/** The longest that fetching a photo and waiting for a turn at the decoder may take. */
const LONGEST_MS = 120_000;

/** The caller's own faces: those of other people cannot be named here. */
export function createFacesPort(parts: {
  /** Undefined: not switched on, because nothing is encrypted. */
  readonly faces: SavedFaces | undefined;
  /** Undefined: switched off. */
  readonly contentCheck: ContentCheck | undefined;
  readonly audit: Pick<Audit, 'note'>;
  readonly decoder: Decoder;
  readonly clock: Clock;
  readonly usePhoto: UsePhoto;
  readonly compareWithBlocked: CompareWithBlocked;
  readonly erasedMeanwhile: ErasedMeanwhile;
}) {
  const { faces: known, audit, decoder, clock, usePhoto } = parts;
  return (incoming: Incoming, words: Words): FacesPort => {
    const { caller, place } = incoming;
    const person = personKey(caller);
    const faces = (): SavedFaces => {
      if (known === undefined) throw new CommunityError({ code: 'face-off' });
      return known;
    };
    /** Neither the picture nor its name, and not in a community: its moderators need not know of faces. */
    const note = (action: string): Promise<void> =>
      audit.note(caller, { ...place, community: directCommunity(person) }, `face.${action}`);

    const fetchAndClean = async (ref: PhotoRef, signal: AbortSignal) => {
      if (ref.from === 'link' || ref.from === 'face') throw new UserError(words.face.notKept, 'limit');
      try {
        return await usePhoto(ref, person, signal, async (bytes) => {
          const face = await cleanFace(bytes, MOST_FACE_BYTES, decoder, person, signal, ref.part);
          const pictures = ref.part === undefined ? [face] : [bytes, face];
          return { face, ...(await parts.compareWithBlocked(pictures, person, signal)) };
        });
      } catch (error) {
        if (error instanceof PhotoGone) throw new UserError(words.failure['photo-unavailable'], 'limit');
        // The adapter's message is in English.
        if (!(error instanceof PhotoRejected || error instanceof UserError)) throw error;
        const isComplex = error instanceof PhotoRejected && error.reason === 'too-complex';
        throw new UserError(words.failure[isComplex ? 'photo-too-complex' : 'photo-invalid'], 'limit');
      }
    };

    /** A photo that was not looked at is not saved. */
    const refuseContent = async (jpeg: Uint8Array): Promise<void> => {
      const isIntimate = await parts.contentCheck?.isIntimate(jpeg, turnKey(caller)).catch(() => {
        throw new UserError(words.face.unchecked, 'limit');
      });
      if (!isIntimate) return;
      parts.contentCheck?.counted('photo-refused');
      throw new UserError(words.failure['photo-content'], 'limit');
    };

    return {
      list: async () => faces().list(person),
      find: async (by) => faces().find(person, by),
      async save(name, photo, gender) {
        await faces().requireRoom(person, name);
        const { face, isBlocked } = await withTimeout(clock, LONGEST_MS, (signal) =>
          fetchAndClean(photo, signal),
        );
        if (isBlocked) throw new UserError(words.failure['photo-blocked'], 'limit');
        await refuseContent(face);
        refuseForgotten(incoming, words);
        const outcome = await faces().save(person, { name, jpeg: face, ...defined({ gender }) });
        // The deletion may have begun before this was saved.
        if (await parts.erasedMeanwhile(incoming)) {
          await faces().delete(person, name);
          throw forgottenError(words);
        }
        await note('save');
        return outcome;
      },
      async delete(name) {
        const left = await faces().delete(person, name);
        await note('delete');
        return left;
      },
      async setDefault(name) {
        await faces().setDefault(person, name);
        await note('default');
      },
    };
  };
}
