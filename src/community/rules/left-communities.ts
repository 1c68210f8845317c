import { z } from 'zod';
import { DAY_MS, isWithin } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';

/** A community from which the bot was taken. `days`: counted one by one, so that a clock that jumps ends nothing early. */
const record = z.object({ since: z.number(), days: z.number().int().min(0), countedAt: z.number() });

export const leftRecords = {
  isValid: (_: string, value: unknown): boolean => record.safeParse(value).success,
};

/** Then everything that a community has here is forgotten. */
const KEPT_DAYS = 30;

export type LeftCommunities = ReturnType<typeof createLeftCommunities>;

export function createLeftCommunities(records: Records, now: () => number) {
  const has = async (community: string): Promise<boolean> => (await records.get(community)) !== undefined;
  return {
    async left(community: string): Promise<void> {
      const at = now();
      await records.update<unknown>(community, (before) =>
        before === undefined ? { since: at, days: 0, countedAt: at } : undefined,
      );
    },
    /** It is there again, or all of it was forgotten. */
    async over(community: string): Promise<void> {
      if (await has(community)) await records.delete(community);
    },
    /** The bot was used there. What was sent before it left may be handled after, so the first day proves nothing. */
    async used(community: string): Promise<void> {
      const known = record.safeParse(await records.get(community)).data;
      if (known !== undefined && known.days > 0) await records.delete(community);
    },
    has,
    /** Counts the days; those that are to be forgotten. Only one process at a time does this. */
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
