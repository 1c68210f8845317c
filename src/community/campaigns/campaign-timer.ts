import { sleep, waitAtMost } from '../../base/clock.ts';
import type { CampaignRecords } from './campaign-records.ts';
import type { CampaignDependencies } from './carry-out.ts';

/** How often the index is read, and thus how late a campaign that another process schedules is noticed. */
const EVERY_MS = 5_000;
/** How many communities are in progress at most; most of them wait for their turn. */
const MOST_AT_ONCE = 1_000;
const LONGEST_STOP_MS = 3_000;

/** Finds due campaigns and has them carried out, in one process at a time. */
export function createCampaignTimer(
  records: Pick<CampaignRecords, 'index' | 'reindex'>,
  carryOut: (community: string, ended: AbortSignal) => Promise<void>,
  { members, clock, onError }: Pick<CampaignDependencies, 'members' | 'clock' | 'onError'>,
) {
  const stopping = new AbortController();
  /** The work in progress by community. */
  const underWay = new Map<string, Promise<void>>();
  /** The signal of the lock; undefined while another process holds it. */
  let ended: AbortSignal | undefined;
  /** Aborted to end the pause between two passes. */
  let waking = new AbortController();

  const begin = (community: string, until: AbortSignal): Promise<void> => {
    const work =
      underWay.get(community) ??
      carryOut(community, until)
        .finally(() => underWay.delete(community))
        // Work that failed does not end the pause, and is retried after it.
        .then(() => waking.abort(), onError);
    underWay.set(community, work);
    return work;
  };

  /** Begins the work of all due communities; returns the pause until another one is due. */
  const pass = async (until: AbortSignal): Promise<number> => {
    for (const [community, at] of await records.index()) {
      if (underWay.has(community)) continue;
      const waitMs = at - clock.now();
      if (waitMs > 0) return Math.min(EVERY_MS, waitMs);
      // The end of any work ends the pause.
      if (underWay.size >= MOST_AT_ONCE) break;
      void begin(community, until);
    }
    return EVERY_MS;
  };

  const run = async (until: AbortSignal): Promise<void> => {
    ended = until;
    let isIndexed = false;
    while (!until.aborted) {
      let pauseMs = EVERY_MS;
      try {
        if (!isIndexed) await records.reindex();
        isIndexed = true;
        pauseMs = await pass(until);
      } catch (error) {
        onError(error);
      }
      waking = new AbortController();
      await sleep(clock, pauseMs, AbortSignal.any([until, waking.signal])).catch(() => undefined);
    }
    ended = undefined;
    await Promise.all(underWay.values());
  };

  return {
    /** Starts the timer; the returned function stops it, and waits for work in progress. */
    start(): () => Promise<void> {
      const held = members.hold('campaigns', run, stopping.signal).catch(onError);
      return async () => {
        stopping.abort();
        // A step that is interrupted is finished at the next start.
        await waitAtMost(clock, LONGEST_STOP_MS, held);
      };
    },
    /** Whether another process may be carrying out campaigns. */
    isElsewhere: (): boolean => members.isShared && ended === undefined,
    /** Carries out the due steps of a community now, if this process holds the lock. */
    async nudge(community: string): Promise<void> {
      if (ended === undefined) return;
      await underWay.get(community);
      if (ended !== undefined) await begin(community, ended);
    },
  };
}
