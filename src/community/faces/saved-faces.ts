import { Keyv } from 'keyv';
import { z } from 'zod';
import { type Clock, DAY_MS, isWithin } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { FacesPort, SavedFace } from '../../command/faces-port.ts';
import { isSharedSpeaker } from '../../command/place.ts';
import { ALIAS_NAME } from '../../command/read-arguments.ts';
import { GENDERS, type Gender, isMinor } from '../../kinds/choices.ts';
import { createCachedLoad } from '../cached-load.ts';
import { refuse } from '../community-error.ts';
import { createLruStore } from '../lru-store.ts';

const MOST_FACES = 10;
/** The limit of saves for one person, because each may replace another face and so is not bounded by `MOST_FACES`. */
const MOST_SAVES_A_DAY = 20;
/** The largest size of a stored photo. */
export const MOST_FACE_BYTES = 768 * 1024;

const idShape = z.string().regex(/^[\w-]{1,16}$/);

const listShape = z.object({
  /** The saved faces, the oldest first. */
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
  /** The name of the default face; the oldest is the default if no face has this name. */
  preferred: z.string().exactOptional(),
  /** Photos that belong to no face, either not yet or no longer; `at`: since when. */
  loose: z.array(z.object({ id: idShape, at: z.number() })),
  /** The times at which photos were saved in the last day. */
  saves: z.array(z.number()).max(MOST_SAVES_A_DAY).exactOptional(),
});
const photoShape = z.object({ jpeg: z.string().max(Math.ceil(MOST_FACE_BYTES / 3) * 4) });

type FaceList = z.infer<typeof listShape>;
type FacePhoto = z.infer<typeof photoShape>;

const listKey = (person: string): string => `list:${person}`;
const photoKey = (person: string, face: string): string => `photo:${face}:${person}`;

const KEY = /^(list|photo:[\w-]+):(.+)$/s;

/** Tells the store whose each record of faces is, and whether it is valid. */
export const savedFaceRecordRules = {
  ownerOf: (key: string): string | undefined => KEY.exec(key)?.[2],
  isValid: (key: string, value: unknown): boolean =>
    (KEY.exec(key)?.[1] === 'list' ? listShape : photoShape).safeParse(value).success,
};

/** A face that is not used for this long is deleted. */
const KEPT_MS = 365 * DAY_MS;
/** A use is stored only if the last stored one is older than this, so that not every use is a write. */
const RENEWED_AFTER_MS = DAY_MS;
/** A photo that belongs to no face after this time is from a save that was interrupted. */
const LONGEST_SAVE_MS = 600_000;
const MOST_SAVES_AT_ONCE = 3;
/** The limit for all people together, because faces fill the disk and every backup. */
export const MOST_BYTES_IN_ALL = 4 * 1024 ** 3;
/** How long the measured size of all faces is cached. */
const MEASURED_FOR_MS = 10_000;

const EMPTY: FaceList = { faces: [], loose: [] };

export type SavedFaces = ReturnType<typeof createSavedFaces>;

/**
 * Keeps photos that people save for later. A person's list and each photo are separate records: a photo is stored before its
 * face is on the list, and deleted after the face has left it. Meanwhile the photo is among the list's loose ones, so that a
 * crash leaves none behind.
 */
export function createSavedFaces(parts: {
  readonly records: Records;
  /** Measures the size of the records of all people. */
  readonly bytes: () => Promise<number>;
  /** Called when the limit for all people is reached. */
  readonly onFull: () => void;
  /** Whether faces of boys and girls may be saved and used; they can always be listed and deleted. */
  readonly acceptsMinors: boolean;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}) {
  const { records, bytes, onFull, acceptsMinors, clock, newId } = parts;
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
  /**
   * Changes a person's list. Faces that `next` leaves out become loose photos, and loose photos whose time is over are
   * deleted.
   */
  const change = async (person: string, next: (list: FaceList) => FaceList): Promise<FaceList> => {
    if (isSharedSpeaker(person)) refuse({ code: 'face-shared' });
    const update = (work: (list: FaceList) => FaceList): Promise<FaceList | undefined> =>
      records.update<FaceList>(
        listKey(person),
        (stored) => {
          const changed = work(current(stored));
          // An empty list is not stored for a person without one, who may just have deleted their data.
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
  const isAccepted = ({ gender }: { readonly gender?: Gender }): boolean => acceptsMinors || !isMinor(gender);
  const inOrder = ({ faces, preferred }: FaceList): readonly SavedFace[] =>
    faces.toSorted((a, b) => Number(b.name === preferred) - Number(a.name === preferred));
  const requireRoom = ({ faces }: FaceList, name: string): void => {
    if (faces.length >= MOST_FACES && !faces.some((face) => face.name === name))
      refuse({ code: 'face-limit', limit: MOST_FACES });
  };
  /** The saves of the last day; throws if there were too many. */
  const savesOf = ({ saves = [] }: FaceList): readonly number[] => {
    const latest = saves.filter((at) => isWithin(DAY_MS, at, now()));
    if (latest.length >= MOST_SAVES_A_DAY) refuse({ code: 'face-saves', limit: MOST_SAVES_A_DAY });
    return latest;
  };

  const photoOf = async (person: string, name: string, savedBy: number) => {
    const { faces } = await read(person);
    const face = faces.find((each) => each.name === name && each.savedAt <= savedBy);
    const photo = face && (await records.get<FacePhoto>(photoKey(person, face.id)));
    return face && photo && { face, jpeg: Buffer.from(photo.jpeg, 'base64') };
  };

  /** Lists a person's faces: the default first, then the oldest. */
  const list = async (person: string): Promise<readonly SavedFace[]> => inOrder(await read(person));

  return {
    list,
    /** Like `list`, without those that cannot be used. */
    usable: async (person: string): Promise<readonly SavedFace[]> => (await list(person)).filter(isAccepted),
    async find(person: string, by: Parameters<FacesPort['find']>[0]): Promise<SavedFace> {
      const faces = await read(person);
      const found = 'name' in by ? named(faces, by.name) : faces.faces.find(({ id }) => id === by.id);
      if (found === undefined) refuse({ code: 'face-gone' });
      if (!isAccepted(found)) refuse({ code: 'face-minor' });
      return found;
    },
    /** Throws if a face cannot be saved under this name now. */
    async requireRoom(person: string, name: string): Promise<void> {
      const before = await read(person);
      requireRoom(before, name);
      savesOf(before);
      // A face that replaces another takes no more room.
      const isNew = !before.faces.some((face) => face.name === name);
      if (!isNew || (await bytesInAll('all')) < MOST_BYTES_IN_ALL) return;
      onFull();
      refuse({ code: 'face-full' });
    },
    async save(
      person: string,
      { name, gender, jpeg }: { readonly name: string; readonly gender?: Gender; readonly jpeg: Uint8Array },
    ): Promise<'saved' | 'replaced'> {
      if (!isAccepted(defined({ gender }))) refuse({ code: 'face-minor' });
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
          // The photo is missing if the person's data was deleted meanwhile, or if the save took too long.
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
    /**
     * Reads the photo of a face, which is then kept for another year; undefined if there is none that was saved by
     * `savedBy`.
     */
    async use(person: string, name: string, savedBy = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
      const found = await photoOf(person, name, savedBy);
      if (found === undefined || !isAccepted(found.face)) return undefined;
      const { face, jpeg } = found;
      if (face.usedAt <= now() - RENEWED_AFTER_MS) {
        await records.update<FacePhoto>(photoKey(person, face.id), (stored) => stored, KEPT_MS);
        await change(person, (before) => ({
          ...before,
          faces: before.faces.map((each) => (each.id === face.id ? { ...each, usedAt: now() } : each)),
        }));
      }
      return jpeg;
    },
    /** Reads the photo of a face where that is no use by its person: the face is kept no longer for it. */
    peek: async (person: string, name: string, savedBy: number): Promise<Buffer | undefined> =>
      (await photoOf(person, name, savedBy))?.jpeg,
  };
}
