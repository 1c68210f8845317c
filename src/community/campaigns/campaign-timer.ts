import { sleep, waitAtMost } from '../../base/clock.ts';
import type { CampaignRecords } from './campaign-records.ts';
import type { CampaignParts } from './carry-out.ts';

/** What another process schedules is known after this. */
const EVERY_MS = 5_000;
/** Communities; most wait until it is their turn. */
const MOST_AT_ONCE = 1_000;
const LONGEST_STOP_MS = 3_000;

/** Finds due campaigns, in one process at a time. */
export function createCampaignTimer(
  records: Pick<CampaignRecords, 'index' | 'reindex'>,
  carryOut: (community: string, ended: AbortSignal) => Promise<void>,
  { members, clock, onError }: Pick<CampaignParts, 'members' | 'clock' | 'onError'>,
) {
  const stopping = new AbortController();
  /** By community. */
  const underWay = new Map<string, Promise<void>>();
  /** Undefined: another process has the lock. */
  let ended: AbortSignal | undefined;
  /** Ends the pause. */
  let waking = new AbortController();

  const begin = (community: string, until: AbortSignal): Promise<void> => {
    const work =
      underWay.get(community) ??
      carryOut(community, until)
        .finally(() => underWay.delete(community))
        // One that failed is tried again after the pause.
        .then(() => waking.abort(), onError);
    underWay.set(community, work);
    return work;
  };

  /** Begins what is due; returns how long nothing else is. */
  const pass = async (until: AbortSignal): Promise<number> => {
    for (const [community, at] of await records.index()) {
      if (underWay.has(community)) continue;
      const waitMs = at - clock.now();
      if (waitMs > 0) return Math.min(EVERY_MS, waitMs);
      // The end of one wakes this.
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
    /** The returned function stops it, and waits for what is being done. */
    start(): () => Promise<void> {
      const held = members.hold('campaigns', run, stopping.signal).catch(onError);
      return async () => {
        stopping.abort();
        // What is cut off is finished at the next start.
        await waitAtMost(clock, LONGEST_STOP_MS, held);
      };
    },
    /** Whether it may be another process that carries campaigns out. */
    isElsewhere: (): boolean => members.isShared && ended === undefined,
    /** Carries out what is due in a community, or leaves that to the process that does so. */
    async nudge(community: string): Promise<void> {
      if (ended === undefined) return;
      await underWay.get(community);
      if (ended !== undefined) await begin(community, ended);
    },
  };
}
