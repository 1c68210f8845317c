import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Records } from '../../base/keyv/records.ts';
import { createKeyedQueue } from '../../base/limits/keyed-queue.ts';
import { randomId } from '../../base/random-id.ts';
import {
  HASH_TEXT_SHAPE,
  hashDistance,
  hashOfText,
  type PerceptualHash,
  type PictureHashes,
} from '../hash/perceptual-hash.ts';

/** The photos that were blocked together. */
const blockedShape = z.object({
  /** Who filled so much of the list; absent: an owner. */
  community: z.string().exactOptional(),
  until: z.number(),
  hashes: z.array(z.string().regex(HASH_TEXT_SHAPE)),
});
type Blocked = z.infer<typeof blockedShape>;

/** Another value after each change of the list. */
const CHANGE = 'change';
const changeShape = z.string();

/** The list belongs to nobody: a person who deletes their data does not unblock a photo. */
export const blockedPhotoRecordRules = {
  isValid: (key: string, value: unknown): boolean =>
    (key === CHANGE ? changeShape : blockedShape).safeParse(value).success,
};

/** Copies of a photo differ in fewer bits, other photos in more. */
const MOST_DISTANCE = 40;
/** All of them are in memory (8 MB), and compared with every photo in 50 ms. */
const MOST_HASHES = 100_000;
/** One community cannot fill the list for all others. */
const MOST_HASHES_OF_COMMUNITY = 10_000;
/** Anybody can make communities of their own: all of them together leave a part to the owners. */
const MOST_HASHES_OF_COMMUNITIES = 80_000;
/** Compared without a pause. */
const COMPARED_AT_ONCE = 2_000;

interface Entry extends Omit<Blocked, 'hashes'> {
  readonly id: string;
  readonly hashes: readonly PerceptualHash[];
}

export type BlockedPhotos = ReturnType<typeof createBlockedPhotos>;

/**
 * The photos that nobody can use. Every process has the list in memory, and asks the store before each use whether it has changed: what
 * one process has blocked, all of them refuse from then on.
 */
export function createBlockedPhotos(records: Records, now: () => number) {
  /** The list as it was read after this change. */
  let known: { readonly change: string | undefined; readonly entries: Promise<readonly Entry[]> } | undefined;

  const load = async (): Promise<readonly Entry[]> => {
    const entries: Entry[] = [];
    for await (const [id, value] of records.iterator()) {
      const { data } = blockedShape.safeParse(value);
      if (data !== undefined) entries.push({ ...data, id, hashes: data.hashes.map(hashOfText) });
    }
    return entries;
  };

  const current = async (): Promise<readonly Entry[]> => {
    // Read before the list is: after a change meanwhile, the next one who asks reads the list again.
    const change = changeShape.safeParse(await records.get(CHANGE)).data;
    if (known === undefined || known.change !== change) known = { change, entries: load() };
    const reading = known;
    try {
      const at = now();
      return (await reading.entries).filter(({ until }) => until > at);
    } catch (error) {
      if (known === reading) known = undefined;
      throw error;
    }
  };

  /** The list first: a process that sees the change must find it there. */
  const changed = (): Promise<boolean> => records.set(CHANGE, randomId(9));

  const inTurn = createKeyedQueue();
  const block = async (id: string, blocked: Blocked): Promise<'blocked' | 'full'> => {
    const { community, until, hashes } = blocked;
    const others = (await current()).filter((each) => each.id !== id);
    const sum = (some: readonly Entry[]): number =>
      some.reduce((total, each) => total + each.hashes.length, 0);
    const fits = (those: readonly Entry[], most: number): boolean => sum(those) + hashes.length <= most;
    const ofCommunity = others.filter((each) => each.community === community);
    const ofCommunities = others.filter((each) => each.community !== undefined);
    const hasPart =
      community === undefined ||
      (fits(ofCommunity, MOST_HASHES_OF_COMMUNITY) && fits(ofCommunities, MOST_HASHES_OF_COMMUNITIES));
    if (!hasPart || !fits(others, MOST_HASHES)) return 'full';
    await records.set(id, blocked, until - now());
    await changed();
    return 'blocked';
  };

  return {
    /** Whether one of these pictures, or its mirror image, is a copy of a blocked photo. */
    async has(pictures: readonly Pick<PictureHashes, 'hash' | 'mirrored'>[]): Promise<boolean> {
      const wanted = pictures.flatMap(({ hash, mirrored }) => [hash, mirrored]);
      let compared = 0;
      for (const { hashes } of await current()) {
        for (const hash of hashes)
          if (wanted.some((each) => hashDistance(each, hash) <= MOST_DISTANCE)) return true;
        compared += hashes.length;
        if (compared < COMPARED_AT_ONCE) continue;
        compared = 0;
        // The list may be long, and nobody's answer waits for all of it.
        await setImmediate();
      }
      return false;
    },

    /**
     * Blocks photos under an id; repeated, it changes nothing. `full`: the list, or the part of this community, has no room, and nothing
     * was blocked. One after the other in each process, so that each is counted with those before it.
     */
    block: (id: string, blocked: Blocked): Promise<'blocked' | 'full'> =>
      inTurn('', () => block(id, blocked)),

    async unblock(id: string): Promise<void> {
      await records.delete(id);
      await changed();
    },
  };
}
