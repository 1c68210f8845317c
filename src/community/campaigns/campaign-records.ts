import { z } from 'zod';
import type { Records } from '../../base/keyv/records.ts';
import { callerShape } from '../../command/place.ts';
import { createListPerCommunity } from '../moving-record.ts';

/**
 * The record of a campaign: an alias is repointed at a time, and back at another. The states `starting` and `ending` are
 * stored before the service is called, so that the step can be finished after a crash; `outcome` is stored after it, until
 * it was announced.
 */
const record = z.object({
  id: z.string(),
  state: z.enum(['coming', 'starting', 'running', 'ending']),
  alias: z.string(),
  /** The service's id of the alias, by which it is found if a move of the community has renamed it. */
  aliasId: z.string(),
  filter: z.string(),
  label: z.string(),
  /** Whether the filter was on our list when the campaign was scheduled. */
  listed: z.boolean(),
  from: z.number(),
  /** The end; left out if the filter stays. */
  until: z.number().exactOptional(),
  by: callerShape,
  /** The filter to which the alias pointed before the campaign, and to which it returns. */
  before: z.string().exactOptional(),
  outcome: z
    .object({
      what: z.enum(['start', 'end', 'replaced', 'missed', 'failed']),
      at: z.number(),
      reason: z.string().exactOptional(),
    })
    .exactOptional(),
  /** The next retry, if the service could not be reached. */
  retry: z.object({ at: z.number(), count: z.number(), since: z.number() }).exactOptional(),
});

/** A scheduled change of an alias. */
export type Campaign = z.infer<typeof record>;
export type CampaignOutcome = NonNullable<Campaign['outcome']>;
export type CampaignRecords = ReturnType<typeof createCampaignRecords>;

const times = z.record(z.string(), z.number());
/** The key of the index: when each community is next due. The timer reads only this record. */
const INDEX_KEY = '*due';

/** Tells the store whether a record of campaigns is valid. */
export const campaignRecordRules = {
  isValid: (key: string, value: unknown): boolean =>
    (key === INDEX_KEY ? times : z.array(record)).safeParse(value).success,
};

/** The time of a campaign's next step. */
export const nextStepAt = ({ state, from, until = Number.POSITIVE_INFINITY }: Campaign): number =>
  state === 'coming' || state === 'starting' ? from : until;

/**
 * The order of steps at the same time: begun ones are finished first; then starts precede ends, so that no filter returns in
 * between.
 */
function rankOf({ state, outcome }: Campaign): number {
  if (outcome !== undefined || state === 'ending') return 0;
  return state === 'running' ? 2 : 1;
}

const inOrder = (a: Campaign, b: Campaign): number =>
  nextStepAt(a) - nextStepAt(b) || rankOf(a) - rankOf(b) || a.from - b.from;

/** Finds the campaign with the next step of each alias; later steps wait until it is done. */
export function nextOfEach(campaigns: readonly Campaign[]): readonly Campaign[] {
  const first = new Map<string, Campaign>();
  for (const campaign of campaigns.toSorted(inOrder))
    if (!first.has(campaign.alias)) first.set(campaign.alias, campaign);
  return [...first.values()];
}

/** The process that stored an outcome announces it at once; if it has not after this time, another process does. */
const ANNOUNCING_MS = 10_000;

/** When something is to be done for a campaign: its next step, a retry, or an announcement. */
export function dueAt(campaign: Campaign): number {
  if (campaign.outcome !== undefined) return campaign.outcome.at + ANNOUNCING_MS;
  return Math.max(nextStepAt(campaign), campaign.retry?.at ?? 0);
}

/** Keeps the campaigns of communities, and the index of when each community is due. */
export function createCampaignRecords(store: Records) {
  const { all, edit, swap, clear, moveAll, listIn } = createListPerCommunity(store, record);
  /** Reads the index, with the soonest community first. */
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
  /** Notes that a community is due at this time, if it is not due earlier. */
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
    /** Changes the campaigns of a community, and its entry in the index. If `change` throws, nothing is changed. */
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
    /** Notes when the community is due next, after its due steps were done; not before `earliest`. */
    async postpone(community: string, earliest = 0): Promise<void> {
      const next = async (): Promise<number | undefined> => {
        const at = nextDue(await all(community));
        return at && Math.max(at, earliest);
      };
      const after = await next();
      await setDue(community, () => after);
      // A campaign that was added meanwhile may be due earlier.
      const now = await next();
      if (now !== undefined) await enlist(community, now);
    },
    /** Completes the index, in which a crash between two writes, or damage, may have left out communities. */
    async reindex(): Promise<void> {
      for await (const [key, value] of store.iterator()) {
        const next = key === INDEX_KEY ? undefined : nextDue(listIn(value));
        if (next !== undefined) await enlist(key, next);
      }
    },
  };
}
