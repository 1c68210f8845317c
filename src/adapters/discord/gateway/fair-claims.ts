import type { MemberInfo, WorkUnderLock } from '../../../base/members/members.ts';
import type { DiscordContext } from '../rest/api.ts';

const CHECK_EVERY_MS = 1_000;

interface Claim {
  readonly controller: AbortController;
  ended: Promise<void>;
  isHeld: boolean;
}

/**
 * Divides `count` shards, each with a lock, evenly among the live processes; if that leaves a remainder, those that started
 * first hold one more. A process waits for all locks while it has too few, and gives one up when it has too many. Locks of a
 * dead process are taken over. `work` runs while this process holds the lock of a shard, and must end when `ended` aborts.
 */
export function createFairClaims(
  { members, clock, log }: Pick<DiscordContext, 'members' | 'clock' | 'log'>,
  count: number,
  work: (index: number, ...held: Parameters<WorkUnderLock>) => Promise<void>,
) {
  const claims = new Map<number, Claim>();
  /** How many of the live processes started before this one. */
  let elders = Number.POSITIVE_INFINITY;
  let cancel = (): void => {};

  const held = (): number[] => [...claims].filter(([, claim]) => claim.isHeld).map(([index]) => index);
  const share = (): number => {
    const among = members.count();
    return Math.max(1, Math.floor(count / among) + (elders < count % among ? 1 : 0));
  };
  const hasEnough = (): boolean => held().length >= share();

  /** Gives up waiting for locks that this process does not hold yet. */
  const stopWaiting = (): void => {
    for (const each of claims.values()) {
      if (!each.isHeld) each.controller.abort();
    }
  };

  const claim = (index: number): void => {
    const controller = new AbortController();
    const mine: Claim = { controller, ended: Promise.resolve(), isHeld: false };
    claims.set(index, mine);
    const begin: WorkUnderLock = async (ended, isHeld) => {
      if (hasEnough()) {
        controller.abort();
        return;
      }
      mine.isHeld = true;
      if (hasEnough()) stopWaiting();
      try {
        await work(index, ended, isHeld);
      } finally {
        mine.isHeld = false;
      }
    };
    mine.ended = members
      .keep(`discord-shard-${index}`, begin, controller.signal)
      // `adjust` claims this shard again.
      .catch((error: unknown) => log.warn({ err: error }, 'a shard could not be held'))
      .finally(() => claims.delete(index));
  };

  const countElders = async (): Promise<void> => {
    const living = (await members.list()).filter(({ isAlive }) => isAlive);
    const own = living.find(({ process }) => process === members.process);
    // Processes are compared by the time of their start, because their ids change after an outage of the database.
    const isElder = ({ startedAt, process }: MemberInfo, than: MemberInfo): boolean =>
      startedAt < than.startedAt || (startedAt === than.startedAt && process < than.process);
    elders =
      own === undefined ? Number.POSITIVE_INFINITY : living.filter((each) => isElder(each, own)).length;
  };

  const adjust = (): void => {
    // An error means that the database is away, and until it is back no lock can be taken over.
    if (count % members.count() > 0) countElders().catch(() => undefined);
    const mine = held();
    if (mine.length > share()) claims.get(Math.max(...mine))?.controller.abort();
    if (mine.length < share()) {
      for (let index = 0; index < count; index += 1) {
        if (!claims.has(index)) claim(index);
      }
    }
    cancel = clock.after(CHECK_EVERY_MS, adjust);
  };

  return {
    held,
    start: adjust,
    /** Gives all locks up, and resolves when all work has ended. */
    async stop(): Promise<void> {
      cancel();
      const all = [...claims.values()];
      for (const { controller } of all) controller.abort();
      await Promise.allSettled(all.map(({ ended }) => ended));
    },
  };
}

export type FairClaims = ReturnType<typeof createFairClaims>;
