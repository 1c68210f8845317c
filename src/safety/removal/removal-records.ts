import { z } from 'zod';
import { DAY_MS } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { PhotoRef } from '../../command/photo.ts';
import { photoShape } from '../../command/request.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';
import { HASH_TEXT } from '../hash/perceptual-hash.ts';

/** How long a removal is listed, and its photos are blocked. */
export const REMOVAL_LIFE_MS = 365 * DAY_MS;

const BLOCKED = ['all', 'some', 'none', 'full'] as const;
/** Which of the photos were blocked. `full`: none, because the block list has no room. */
export type PhotosBlocked = (typeof BLOCKED)[number];

/** As it is: what `photoShape` returns lacks which part of the photo was chosen. */
const photo = z.custom<PhotoRef>((value) => photoShape.safeParse(value).success);

/** What is still to be done, with what that needs. It goes when the removal is done, because it tells whose the result was. */
const openShape = z.object({
  messages: z.array(z.object({ platform: z.enum(PLATFORMS), ref: z.string() })),
  photos: z.array(photo),
  hashes: z.array(z.string().regex(HASH_TEXT)),
  /** Whose saved faces are among the photos: those that were saved before this time. */
  savedFaces: z.object({ owner: z.string(), before: z.number() }).exactOptional(),
  tries: z.int().min(0),
  /** When the next try is due, unless the process that began does it before that. */
  due: z.number(),
});

const removalShape = z.object({
  job: z.string(),
  /** Where the result was made; it can have another id by now. */
  community: z.string(),
  /** The kind of the job, which tells nothing about a person. */
  kind: z.string(),
  at: z.number(),
  until: z.number(),
  by: z.object({ key: z.string(), name: z.string(), isOwner: z.boolean() }),
  reason: z.string(),
  open: openShape.exactOptional(),
  /** How many messages showed it, and how many of them are still to be deleted. */
  messages: z.int().min(0),
  remaining: z.int().min(0),
  /** How many were too old to be deleted and show only words, and at how many the bot will never get again. */
  blanked: z.int().min(0).exactOptional(),
  unreachable: z.int().min(0).exactOptional(),
  /** How many more may show it: the bot ended while they were sent, so it does not know where they are. */
  unknown: z.int().min(0).exactOptional(),
  /** What became of the photos. */
  photos: z.int().min(0),
  blocked: z.enum(BLOCKED).exactOptional(),
  undone: z.object({ at: z.number(), by: z.string() }).exactOptional(),
});
export type Removal = Readonly<z.infer<typeof removalShape>>;
export type OpenRemoval = Removal & { readonly open: NonNullable<Removal['open']> };

export const isOpen = (removal: Removal): removal is OpenRemoval => removal.open !== undefined;

/** Nobody's own: a person who deletes their data does not end a removal. */
export const removalRecords = {
  isValid: (_: string, value: unknown): boolean => removalShape.safeParse(value).success,
};

export type RemovalRecords = ReturnType<typeof createRemovalRecords>;

/** Removals by the ids of their jobs. */
export function createRemovalRecords(records: Records, now: () => number) {
  const read = (stored: unknown): Removal | undefined => removalShape.safeParse(stored).data;
  const life = (stored: unknown): number => Math.max(0, (read(stored)?.until ?? 0) - now());
  return {
    find: async (job: string): Promise<Removal | undefined> => read(await records.get(job)),
    /** Returns what is stored then: an earlier removal of the same job stays. */
    async add(removal: OpenRemoval): Promise<Removal> {
      const stored = await records.update<unknown>(removal.job, (there) => there ?? removal, life);
      return read(stored) ?? removal;
    },
    /** `change` returns undefined where nothing changes. */
    async change(
      job: string,
      change: (removal: Removal) => Removal | undefined,
    ): Promise<Removal | undefined> {
      const stored = await records.update<unknown>(
        job,
        (there) => {
          const removal = read(there);
          return removal && change(removal);
        },
        life,
      );
      return read(stored);
    },
    async all(): Promise<readonly Removal[]> {
      const found: Removal[] = [];
      for await (const [, stored] of records.iterator()) {
        const removal = read(stored);
        if (removal !== undefined) found.push(removal);
      }
      return found;
    },
  };
}
