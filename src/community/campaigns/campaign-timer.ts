import { type Clock, waitAtMost } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import type { CampaignRecords } from './campaign-records.ts';

/** What another process schedules is known after this. */
const EVERY_MS = 5_000;
/** Communities; most wait until it is their turn. */
const MOST_AT_ONCE = 1_000;
const LONGEST_STOP_MS = 3_000;

export interface CampaignTimerParts {
  readonly records: Pick<CampaignRecords, 'index' | 'reindex'>;
  readonly carryOut: (community: string, ended: AbortSignal) => Promise<void>;
  /** One of the processes carries campaigns out. */
  readonly members: Pick<Members, 'hold'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Finds due campaigns, in one process at a time. */
export function createCampaignTimer({ records, carryOut, members, clock, onError }: CampaignTimerParts) {
  const stopping = new AbortController();
  /** By community. */
  const underWay = new Map<string, Promise<void>>();
  /** Undefined: another process has the lock. */
  let ended: AbortSignal | undefined;
  let wake = (): void => undefined;

  const begin = (community: string, until: AbortSignal): Promise<void> => {
    const running = underWay.get(community);
    if (running !== undefined) return running;
    const work = carryOut(community, until).then(
      () => {
        underWay.delete(community);
        wake();
      },
      (error: unknown) => {
        underWay.delete(community);
        // It is tried again after the pause.
        onError(error);
      },
    );
    underWay.set(community, work);
    return work;
  };

  const pause = (ms: number, until: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const cancel = clock.after(ms, () => wake());
      wake = () => {
        cancel();
        until.removeEventListener('abort', wake);
        wake = () => undefined;
        resolve();
      };
      if (until.aborted) wake();
      else until.addEventListener('abort', wake, { once: true });
    });

  /** Begins what is due; returns how long nothing else is. */
  const pass = async (until: AbortSignal): Promise<number> => {
    const times = Object.entries(await records.index()).toSorted(([, a], [, b]) => a - b);
    for (const [community, at] of times) {
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
    try {
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
        await pause(pauseMs, until);
      }
    } finally {
      ended = undefined;
      await Promise.all(underWay.values());
    }
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
    /** Carries out what is due in a community, or leaves that to the process that does so. */
    async nudge(community: string): Promise<void> {
      if (ended === undefined) return;
      await underWay.get(community);
      if (ended !== undefined) await begin(community, ended);
    },
  };
}
