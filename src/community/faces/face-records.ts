import { z } from 'zod';
import { ALIAS_NAME } from '../../command/read-arguments.ts';
import { GENDERS } from '../../command/request.ts';

export const MOST_FACES = 10;
/** Limit for one person; each save may replace another face. */
export const MOST_SAVES_A_DAY = 20;
/** Maximum size of a photo as it is kept. */
export const MOST_FACE_BYTES = 768 * 1024;

const id = z.string().regex(/^[\w-]{1,16}$/);

const list = z.object({
  /** The oldest first. */
  faces: z
    .array(
      z.object({
        id,
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
  loose: z.array(z.object({ id, at: z.number() })),
  /** When photos were saved, of the last day. */
  saves: z.array(z.number()).max(MOST_SAVES_A_DAY).exactOptional(),
});
const photo = z.object({ jpeg: z.string().max(Math.ceil(MOST_FACE_BYTES / 3) * 4) });

export type FaceList = z.infer<typeof list>;
export type FacePhoto = z.infer<typeof photo>;

export const listKey = (person: string): string => `list:${person}`;
export const photoKey = (person: string, face: string): string => `photo:${face}:${person}`;

const KEY = /^(list|photo:[\w-]+):(.+)$/s;

/** What the store must know about these records. */
export const faceRecords = {
  ownerOf: (key: string): string | undefined => KEY.exec(key)?.[2],
  isValid: (key: string, value: unknown): boolean =>
    (KEY.exec(key)?.[1] === 'list' ? list : photo).safeParse(value).success,
};
