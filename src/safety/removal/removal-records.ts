import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { PhotoRef } from '../../command/photo.ts';
import { photoShape } from '../../command/request.ts';
import { PLATFORMS } from '../../platforms/platforms.ts';
import { HASH_TEXT_SHAPE } from '../hash/perceptual-hash.ts';

/** How long a removal is listed, and its photos are blocked. */
export const REMOVAL_LIFE_MS = 365 * DAY_MS;

/** What the moderators of one community can remove a day (UTC), because each removal is kept for a year. */
const MOST_OF_COMMUNITY_A_DAY = 200;
/** How many a list has at most. */
const MOST_LISTED = 500;
/** A removal that is noted as open but was not stored by then never will be: its process has died. */
const STORED_WITHIN_MS = 10 * MINUTE_MS;

const BLOCKED = ['all', 'some', 'none', 'full'] as const;
/** Which of the photos were blocked. `full`: none, because the block list has no room. */
export type WhichPhotosBlocked = (typeof BLOCKED)[number];

/** As it is: what `photoShape` returns lacks which part of the photo was chosen. */
const photo = z.custom<PhotoRef>((value) => photoShape.safeParse(value).success);

/** What is still to be done, with what that needs. It goes when the removal is done, because it tells whose the result was. */
const openShape = z.object({
  messages: z.array(z.object({ platform: z.enum(PLATFORMS), ref: z.string() })),
  photos: z.array(photo),
  hashes: z.array(z.string().regex(HASH_TEXT_SHAPE)),
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

export const isOpenRemoval = (removal: Removal): removal is OpenRemoval => removal.open !== undefined;

/** Nobody's own: a person who deletes their data does not end a removal. */
export const removalRecordRules = {
  isValid: (_: string, value: unknown): boolean => removalShape.safeParse(value).success,
};

/** When a removal was begun, under the id of its job, for those that may still be open: so nobody reads those of a whole year to find them. */
const noteShape = z.object({ at: z.number() });
export const openRemovalRecordRules = {
  isValid: (_: string, value: unknown): boolean => noteShape.safeParse(value).success,
};

/** How many results the moderators of a community have removed on a day (UTC), by the community. */
const countShape = z.object({ day: z.int(), count: z.int() });
export const removalCountRecordRules = {
  isValid: (_: string, value: unknown): boolean => countShape.safeParse(value).success,
};

export type RemovalRecords = ReturnType<typeof createRemovalRecords>;

/** Removals by the ids of their jobs. */
export function createRemovalRecords(
  stored: { readonly removals: Records; readonly open: Records; readonly counts: Records },
  now: () => number,
) {
  const { removals, open, counts } = stored;
  const read = (value: unknown): Removal | undefined => removalShape.safeParse(value).data;
  const life = (value: unknown): number => Math.max(0, (read(value)?.until ?? 0) - now());
  const find = async (job: string): Promise<Removal | undefined> => read(await removals.get(job));
  /** Done before the removal is stored as open, so that a kill between the two leaves a note too many and never one too few. */
  const noteOpen = (job: string): Promise<boolean> => open.set(job, { at: now() }, REMOVAL_LIFE_MS);

  /** `change` returns undefined where nothing changes. */
  const change = async (
    job: string,
    changed: (removal: Removal) => Removal | undefined,
  ): Promise<Removal | undefined> => {
    const after = await removals.update<unknown>(
      job,
      (there) => {
        const removal = read(there);
        return removal && changed(removal);
      },
      life,
    );
    return read(after);
  };

  return {
    find,
    /** Counts a removal by a moderator. False: the community has removed so many today that no more are accepted. */
    async admit(community: string): Promise<boolean> {
      const day = Math.floor(now() / DAY_MS);
      let isAdmitted = false;
      await counts.update<unknown>(
        community,
        (there) => {
          const known = countShape.safeParse(there).data;
          const count = known?.day === day ? known.count : 0;
          isAdmitted = count < MOST_OF_COMMUNITY_A_DAY;
          return isAdmitted ? { day, count: count + 1 } : undefined;
        },
        DAY_MS,
      );
      return isAdmitted;
    },
    /** Returns what is stored then: an earlier removal of the same job stays. */
    async add(removal: OpenRemoval): Promise<Removal> {
      await noteOpen(removal.job);
      const after = await removals.update<unknown>(removal.job, (there) => there ?? removal, life);
      return read(after) ?? removal;
    },
    change,
    /** Changes a removal that may be done, and may be open after it. */
    async reopen(
      job: string,
      changed: (removal: Removal) => Removal | undefined,
    ): Promise<Removal | undefined> {
      if ((await find(job)) === undefined) return undefined;
      await noteOpen(job);
      return change(job, changed);
    },
    /** Notes those that are not done, for removals that were stored before there were notes. */
    async repair(): Promise<void> {
      for await (const [job, value] of removals.iterator()) {
        const removal = read(value);
        if (removal !== undefined && isOpenRemoval(removal)) await noteOpen(job);
      }
    },
    /** Those that are not done, page by page. */
    async *open(): AsyncGenerator<OpenRemoval> {
      for await (const [job, value] of open.iterator()) {
        const removal = await find(job);
        const at = noteShape.safeParse(value).data?.at ?? 0;
        if (removal !== undefined && isOpenRemoval(removal)) yield removal;
        else if (at + STORED_WITHIN_MS <= now())
          // Only this note is deleted: another one is written before the removal is opened again.
          await open.update<unknown>(
            job,
            (there) => (noteShape.safeParse(there).data?.at === at ? there : undefined),
            0,
          );
      }
    },
    /** The latest ones, the newest first. All are read, page by page, and few are in memory at once. */
    async latest(): Promise<readonly Removal[]> {
      const cut = (some: readonly Removal[]): Removal[] =>
        some.toSorted((a, b) => b.at - a.at).slice(0, MOST_LISTED);
      let found: Removal[] = [];
      for await (const [, value] of removals.iterator()) {
        const removal = read(value);
        if (removal !== undefined) found.push(removal);
        if (found.length >= 2 * MOST_LISTED) found = cut(found);
      }
      return cut(found);
    },
  };
}
