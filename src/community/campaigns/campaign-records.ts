import { z } from 'zod';
import type { Records } from '../../base/keyv/records.ts';
import { callerShape } from '../../command/place.ts';
import { createCommunityLists } from '../moving-record.ts';

/**
 * A change of an alias at a time, and back at another. `starting` and `ending` are stored before the service is called, so that
 * the step can be finished after a crash; `outcome` is stored after it, until it has been announced.
 */
const record = z.object({
  id: z.string(),
  state: z.enum(['coming', 'starting', 'running', 'ending']),
  alias: z.string(),
  /** The service's id of the alias when it was scheduled: a community that moves may have to rename it. */
  aliasId: z.string(),
  filter: z.string(),
  label: z.string(),
  /** Whether the filter was on our list when it was scheduled. */
  listed: z.boolean(),
  from: z.number(),
  /** Left out: the filter stays. */
  until: z.number().exactOptional(),
  by: callerShape,
  /** The filter before it began. */
  before: z.string().exactOptional(),
  outcome: z
    .object({
      what: z.enum(['start', 'end', 'replaced', 'missed', 'failed']),
      at: z.number(),
      reason: z.string().exactOptional(),
    })
    .exactOptional(),
  /** The service could not be reached: when to try again. */
  retry: z.object({ at: z.number(), count: z.number(), since: z.number() }).exactOptional(),
});

export type Campaign = z.infer<typeof record>;
export type Outcome = NonNullable<Campaign['outcome']>;
export type CampaignRecords = ReturnType<typeof createCampaignRecords>;

const times = z.record(z.string(), z.number());
/** When each community is next due: the timer reads this record alone. */
const INDEX_KEY = '*due';

/** What the store must know about these records. */
export const campaignRecords = {
  isValid: (key: string, value: unknown): boolean =>
    (key === INDEX_KEY ? times : z.array(record)).safeParse(value).success,
};

/** When its next step is. */
export const timeOf = ({ state, from, until = Number.POSITIVE_INFINITY }: Campaign): number =>
  state === 'coming' || state === 'starting' ? from : until;

/** Steps at the same time: what has begun is finished; then one starts before another ends, so that nothing returns in between. */
function rankOf({ state, outcome }: Campaign): number {
  if (outcome !== undefined || state === 'ending') return 0;
  return state === 'running' ? 2 : 1;
}

const inOrder = (a: Campaign, b: Campaign): number =>
  timeOf(a) - timeOf(b) || rankOf(a) - rankOf(b) || a.from - b.from;

/** The next step of each alias. The one after it waits until it is done. */
export function nextOfEach(campaigns: readonly Campaign[]): readonly Campaign[] {
  const first = new Map<string, Campaign>();
  for (const campaign of campaigns.toSorted(inOrder))
    if (!first.has(campaign.alias)) first.set(campaign.alias, campaign);
  return [...first.values()];
}

/** The process that stored an outcome announces it at once; after this time another process does. */
const ANNOUNCING_MS = 10_000;

export function dueAt(campaign: Campaign): number {
  if (campaign.outcome !== undefined) return campaign.outcome.at + ANNOUNCING_MS;
  return Math.max(timeOf(campaign), campaign.retry?.at ?? 0);
}

export function createCampaignRecords(store: Records) {
  const { all, edit, swap, clear, moveAll, listIn } = createCommunityLists(store, record);
  /** When each community is due, the soonest first. */
  const index = async (): Promise<readonly (readonly [community: string, at: number])[]> =>
    Object.entries(times.safeParse(await store.get(INDEX_KEY)).data ?? {}).toSorted(([, a], [, b]) => a - b);
  const setDue = async (
    community: string,
    change: (before: number | undefined) => number | undefined,
  ): Promise<void> => {
    await store.update<unknown>(INDEX_KEY, (stored) => {
      const { [community]: before, ...others } = times.safeParse(stored).data ?? {};
      const after = change(before);
      if (after === before) return undefined;
      return after === undefined ? others : { ...others, [community]: after };
    });
  };
  /** At this time or earlier. */
  const enlist = (community: string, at: number): Promise<void> =>
    setDue(community, (before) => Math.min(before ?? at, at));
  const nextDue = (campaigns: readonly Campaign[]): number | undefined => {
    const next = Math.min(...nextOfEach(campaigns).map(dueAt));
    return Number.isFinite(next) ? next : undefined;
  };

  return {
    all,
    clear,
    moveAll,
    index,
    /** If `change` throws, nothing is changed. */
    async edit(
      community: string,
      change: (campaigns: readonly Campaign[]) => readonly Campaign[] | undefined,
    ): Promise<readonly Campaign[]> {
      const after = await edit(community, change);
      const next = nextDue(after);
      if (next !== undefined) await enlist(community, next);
      return after;
    },
    enlist,
    swap,
    /** Notes when the community is due next, after what was due; not before `earliest`. */
    async postpone(community: string, earliest = 0): Promise<void> {
      const next = async (): Promise<number | undefined> => {
        const at = nextDue(await all(community));
        return at && Math.max(at, earliest);
      };
      const after = await next();
      await setDue(community, () => after);
      // One was added meanwhile.
      const now = await next();
      if (now !== undefined) await enlist(community, now);
    },
    /** Makes the index anew: a crash between two writes, or damage, may have left it incomplete. */
    async reindex(): Promise<void> {
      for await (const [key, value] of store.iterator()) {
        const next = key === INDEX_KEY ? undefined : nextDue(listIn(value));
        if (next !== undefined) await enlist(key, next);
      }
    },
  };
}
