import { z } from 'zod';
import { DAY_MS, isWithin } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';

/**
 * A community from which the bot was removed. `days` are counted one by one, so that a clock that jumps deletes nothing
 * early.
 */
const record = z.object({ since: z.number(), days: z.number().int().min(0), countedAt: z.number() });

/** Tells the store whether a record of a left community is valid. */
export const leftCommunityRecordRules = {
  isValid: (_: string, value: unknown): boolean => record.safeParse(value).success,
};

/** After this many days all data of the community is deleted. */
const KEPT_DAYS = 30;

export type LeftCommunities = ReturnType<typeof createLeftCommunities>;

/** Counts the days since the bot was removed from a community, whose data is deleted after 30 of them. */
export function createLeftCommunities(records: Records, now: () => number) {
  const has = async (community: string): Promise<boolean> => (await records.get(community)) !== undefined;
  return {
    /** Begins the count. */
    async left(community: string): Promise<void> {
      const at = now();
      await records.update<unknown>(community, (before) =>
        before === undefined ? { since: at, days: 0, countedAt: at } : undefined,
      );
    },
    /** Ends the count, because the bot is there again, or because the data was deleted. */
    async over(community: string): Promise<void> {
      if (await has(community)) await records.delete(community);
    },
    /**
     * Ends the count, because the bot was used there. In the first day that proves nothing, because a message from before
     * may be handled after.
     */
    async used(community: string): Promise<void> {
      const known = record.safeParse(await records.get(community)).data;
      if (known !== undefined && known.days > 0) await records.delete(community);
    },
    has,
    /** Counts the days, and returns the communities whose data is to be deleted. Only one process at a time calls this. */
    async due(): Promise<readonly string[]> {
      const found: string[] = [];
      const at = now();
      for await (const [community] of records.iterator()) {
        const after = record.safeParse(
          await records.update<unknown>(community, (stored) => {
            const known = record.safeParse(stored).data;
            if (known === undefined || isWithin(DAY_MS, known.countedAt, at)) return undefined;
            return { ...known, days: known.days + 1, countedAt: at };
          }),
        ).data;
        if (after !== undefined && after.days >= KEPT_DAYS) found.push(community);
      }
      return found;
    },
  };
}
