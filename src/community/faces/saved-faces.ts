import { Keyv } from 'keyv';
import { z } from 'zod';
import { type Clock, DAY_MS, isWithin } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { FacesPort, SavedFace } from '../../command/faces-port.ts';
import { isSharedSpeaker } from '../../command/place.ts';
import { ALIAS_NAME } from '../../command/read-arguments.ts';
import { GENDERS, type Gender } from '../../kinds/choices.ts';
import { createCachedLoad } from '../cached-load.ts';
import { refuse } from '../community-error.ts';
import { createLruStore } from '../lru-store.ts';

const MOST_FACES = 10;
/** Limit for one person; each save may replace another face. */
const MOST_SAVES_A_DAY = 20;
/** Maximum size of a photo as it is kept. */
export const MOST_FACE_BYTES = 768 * 1024;

const idShape = z.string().regex(/^[\w-]{1,16}$/);

const listShape = z.object({
  /** The oldest first. */
  faces: z
    .array(
      z.object({
        id: idShape,
        name: z.string().regex(ALIAS_NAME),
        gender: z.enum(GENDERS).exactOptional(),
        savedAt: z.number(),
        usedAt: z.number(),
      }),
    )
    .max(MOST_FACES),
  /** The name of the default; the oldest if it is none of these. */
  preferred: z.string().exactOptional(),
  /** Photos that no face has: not yet, or no longer. `at`: when that began. */
  loose: z.array(z.object({ id: idShape, at: z.number() })),
  /** When photos were saved, of the last day. */
  saves: z.array(z.number()).max(MOST_SAVES_A_DAY).exactOptional(),
});
const photoShape = z.object({ jpeg: z.string().max(Math.ceil(MOST_FACE_BYTES / 3) * 4) });

type FaceList = z.infer<typeof listShape>;
type FacePhoto = z.infer<typeof photoShape>;

const listKey = (person: string): string => `list:${person}`;
const photoKey = (person: string, face: string): string => `photo:${face}:${person}`;

const KEY = /^(list|photo:[\w-]+):(.+)$/s;

/** What the store must know about these records. */
export const faceRecords = {
  ownerOf: (key: string): string | undefined => KEY.exec(key)?.[2],
  isValid: (key: string, value: unknown): boolean =>
    (KEY.exec(key)?.[1] === 'list' ? listShape : photoShape).safeParse(value).success,
};

/** What is not used for so long is deleted. */
const KEPT_MS = 365 * DAY_MS;
/** A use is written down only if the last one is older. */
const RENEWED_AFTER_MS = DAY_MS;
/** A photo that is no face by then belongs to a save that was interrupted. */
const LONGEST_SAVE_MS = 600_000;
const MOST_SAVES_AT_ONCE = 3;
/** Limit for all people together: faces fill the disk and every backup. */
export const MOST_BYTES_IN_ALL = 4 * 1024 ** 3;
/** How long the measured size of all faces is used. */
const MEASURED_FOR_MS = 10_000;

const EMPTY: FaceList = { faces: [], loose: [] };

export type SavedFaces = ReturnType<typeof createSavedFaces>;

/**
 * Photos that people keep for later. A person's list and each photo are records of their own: a photo is stored before the
 * list has it and removed after the list has lost it, and stands among the loose ones meanwhile, so that none is forgotten.
 */
export function createSavedFaces(parts: {
  readonly records: Records;
  /** What the records of all people take. */
  readonly bytes: () => Promise<number>;
  /** Called when the limit for all people is reached. */
  readonly onFull: () => void;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}) {
  const { records, bytes, onFull, clock, newId } = parts;
  const { now } = clock;
  const measured = new Keyv<number>({
    store: createLruStore({ most: 1, ttlMs: MEASURED_FOR_MS, clock }),
    serialization: false,
  });
  const bytesInAll = createCachedLoad(measured, bytes);
  const isOver = ({ at }: { readonly at: number }): boolean => !isWithin(LONGEST_SAVE_MS, at, now());
  const current = (stored: FaceList = EMPTY): FaceList => {
    const expired = stored.faces.filter(({ usedAt }) => usedAt <= now() - KEPT_MS);
    return {
      ...stored,
      faces: stored.faces.filter((face) => !expired.includes(face)),
      loose: [...stored.loose, ...expired.map(({ id }) => ({ id, at: 0 }))],
    };
  };
  const read = async (person: string): Promise<FaceList> => {
    if (isSharedSpeaker(person)) refuse({ code: 'face-shared' });
    return current(await records.get<FaceList>(listKey(person)));
  };
  /** Faces that `next` leaves out become loose; loose photos whose time is over are removed. */
  const change = async (person: string, next: (list: FaceList) => FaceList): Promise<FaceList> => {
    if (isSharedSpeaker(person)) refuse({ code: 'face-shared' });
    const update = (work: (list: FaceList) => FaceList): Promise<FaceList | undefined> =>
      records.update<FaceList>(
        listKey(person),
        (stored) => {
          const changed = work(current(stored));
          // Nothing of a person who was just deleted.
          return stored === undefined && changed.faces.length + changed.loose.length === 0
            ? undefined
            : changed;
        },
        KEPT_MS,
      );
    const after = await update((list) => {
      const changed = next(list);
      const gone = list.faces.filter(({ id }) => !changed.faces.some((face) => face.id === id));
      return { ...changed, loose: [...changed.loose, ...gone.map(({ id }) => ({ id, at: 0 }))] };
    });
    const over = (after ?? EMPTY).loose.filter(isOver).map(({ id }) => id);
    if (over.length === 0) return after ?? EMPTY;
    for (const id of over) await records.delete(photoKey(person, id));
    const tidy = await update((list) => ({
      ...list,
      loose: list.loose.filter(({ id }) => !over.includes(id)),
    }));
    return tidy ?? EMPTY;
  };
  const named = (list: FaceList, name: string): SavedFace => {
    const found = list.faces.find((face) => face.name === name);
    if (found === undefined) refuse({ code: 'face-unknown', name });
    return found;
  };
  const inOrder = ({ faces, preferred }: FaceList): readonly SavedFace[] =>
    faces.toSorted((a, b) => Number(b.name === preferred) - Number(a.name === preferred));
  const requireRoom = ({ faces }: FaceList, name: string): void => {
    if (faces.length >= MOST_FACES && !faces.some((face) => face.name === name))
      refuse({ code: 'face-limit', limit: MOST_FACES });
  };
  /** The saves of the last day. */
  const savesOf = ({ saves = [] }: FaceList): readonly number[] => {
    const latest = saves.filter((at) => isWithin(DAY_MS, at, now()));
    if (latest.length >= MOST_SAVES_A_DAY) refuse({ code: 'face-saves', limit: MOST_SAVES_A_DAY });
    return latest;
  };

  /** The caller's default first, then the oldest. */
  const list = async (person: string): Promise<readonly SavedFace[]> => inOrder(await read(person));

  return {
    list,
    async find(person: string, by: Parameters<FacesPort['find']>[0]): Promise<SavedFace> {
      const faces = await read(person);
      if ('name' in by) return named(faces, by.name);
      const found = faces.faces.find(({ id }) => id === by.id);
      if (found === undefined) refuse({ code: 'face-gone' });
      return found;
    },
    /** Throws if this name cannot be saved now. */
    async requireRoom(person: string, name: string): Promise<void> {
      const before = await read(person);
      requireRoom(before, name);
      savesOf(before);
      // One that replaces another takes no more room.
      const isNew = !before.faces.some((face) => face.name === name);
      if (!isNew || (await bytesInAll('all')) < MOST_BYTES_IN_ALL) return;
      onFull();
      refuse({ code: 'face-full' });
    },
    async save(
      person: string,
      { name, gender, jpeg }: { readonly name: string; readonly gender?: Gender; readonly jpeg: Uint8Array },
    ): Promise<'saved' | 'replaced'> {
      const id = newId();
      await change(person, (before) => {
        requireRoom(before, name);
        if (before.loose.filter((photo) => !isOver(photo)).length >= MOST_SAVES_AT_ONCE)
          refuse({ code: 'face-busy' });
        const saves = [...savesOf(before), now()];
        return { ...before, saves, loose: [...before.loose, { id, at: now() }] };
      });
      const photo: FacePhoto = { jpeg: Buffer.from(jpeg).toString('base64') };
      await records.set(photoKey(person, id), photo, KEPT_MS);
      let outcome: 'saved' | 'replaced' = 'saved';
      try {
        await change(person, (before) => {
          // Everything of this person was deleted meanwhile, or this took too long.
          if (!before.loose.some((each) => each.id === id && !isOver(each))) refuse({ code: 'face-busy' });
          requireRoom(before, name);
          const face = { id, name, ...defined({ gender }), savedAt: now(), usedAt: now() };
          const isKnown = before.faces.some((each) => each.name === name);
          outcome = isKnown ? 'replaced' : 'saved';
          return {
            ...before,
            faces: isKnown
              ? before.faces.map((each) => (each.name === name ? face : each))
              : [...before.faces, face],
            loose: before.loose.filter((each) => each.id !== id),
          };
        });
      } catch (error) {
        await records.delete(photoKey(person, id));
        throw error;
      }
      return outcome;
    },
    async delete(person: string, name: string): Promise<readonly SavedFace[]> {
      return inOrder(
        await change(person, (before) => {
          named(before, name);
          const { preferred, ...rest } = before;
          const faces = before.faces.filter((face) => face.name !== name);
          return { ...rest, faces, ...(preferred === name ? {} : defined({ preferred })) };
        }),
      );
    },
    async setDefault(person: string, name: string): Promise<void> {
      await change(person, (before) => {
        named(before, name);
        return { ...before, preferred: name };
      });
    },
    /** The photo of a face, which is kept for another year then; undefined: there is none (any more) that was saved by then. */
    async use(person: string, name: string, savedBy = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
      const { faces } = await read(person);
      const face = faces.find((each) => each.name === name && each.savedAt <= savedBy);
      const photo = face && (await records.get<FacePhoto>(photoKey(person, face.id)));
      if (face === undefined || photo === undefined) return undefined;
      if (face.usedAt <= now() - RENEWED_AFTER_MS) {
        await records.update<FacePhoto>(photoKey(person, face.id), (stored) => stored, KEPT_MS);
        await change(person, (before) => ({
          ...before,
          faces: before.faces.map((each) => (each.id === face.id ? { ...each, usedAt: now() } : each)),
        }));
      }
      return Buffer.from(photo.jpeg, 'base64');
    },
  };
}
