import type { KeepingWork, MemberInfo } from '../../../base/members/members.ts';
import type { DiscordContext } from '../rest/api.ts';

const CHECK_EVERY_MS = 1_000;

interface Claim {
  readonly until: AbortController;
  ended: Promise<void>;
  isHeld: boolean;
}

/**
 * Shares `count` shards, each with a lock, among the live members: each holds as many as the others, or one more, which those have that
 * started first. A member waits for all locks while it has too few, and gives one up when it has too many. Locks of a dead member
 * are taken over. `work`: runs while no other process holds a lock that this one took; ends when `ended` aborts.
 */
export function createFairClaims(
  { members, clock, log }: Pick<DiscordContext, 'members' | 'clock' | 'log'>,
  count: number,
  work: (index: number, ...held: Parameters<KeepingWork>) => Promise<void>,
) {
  const claims = new Map<number, Claim>();
  /** How many live members started before this one. */
  let elders = Number.POSITIVE_INFINITY;
  let cancel = (): void => {};

  const held = (): number[] => [...claims].filter(([, claim]) => claim.isHeld).map(([index]) => index);
  const share = (): number => {
    const among = members.count();
    return Math.max(1, Math.floor(count / among) + (elders < count % among ? 1 : 0));
  };
  const hasEnough = (): boolean => held().length >= share();

  const claim = (index: number): void => {
    const until = new AbortController();
    const mine: Claim = { until, ended: Promise.resolve(), isHeld: false };
    claims.set(index, mine);
    const begin: KeepingWork = async (ended, isHeld) => {
      if (hasEnough()) return until.abort();
      mine.isHeld = true;
      if (hasEnough()) for (const each of claims.values()) if (!each.isHeld) each.until.abort();
      try {
        await work(index, ended, isHeld);
      } finally {
        mine.isHeld = false;
      }
    };
    mine.ended = members
      .keep(`discord-shard-${index}`, begin, until.signal)
      // It is waited for again after that.
      .catch((error: unknown) => log.warn({ err: error }, 'a shard could not be held'))
      .finally(() => claims.delete(index));
  };

  const countElders = async (): Promise<void> => {
    const living = (await members.list()).filter(({ isAlive }) => isAlive);
    const own = living.find(({ process }) => process === members.process);
    // By the time of its start and not by its id, which is another one after an outage of the database.
    const isElder = ({ startedAt, process }: MemberInfo, than: MemberInfo): boolean =>
      startedAt < than.startedAt || (startedAt === than.startedAt && process < than.process);
    elders =
      own === undefined ? Number.POSITIVE_INFINITY : living.filter((each) => isElder(each, own)).length;
  };

  const adjust = (): void => {
    // If this fails, the database is away: until it is back nothing can be taken over.
    if (count % members.count() > 0) countElders().catch(() => undefined);
    const mine = held();
    if (mine.length > share()) claims.get(Math.max(...mine))?.until.abort();
    else if (mine.length < share())
      for (let index = 0; index < count; index += 1) if (!claims.has(index)) claim(index);
    cancel = clock.after(CHECK_EVERY_MS, adjust);
  };

  return {
    held,
    start: adjust,
    /** Resolves when all work has ended. */
    async stop(): Promise<void> {
      cancel();
      const all = [...claims.values()];
      for (const { until } of all) until.abort();
      await Promise.allSettled(all.map(({ ended }) => ended));
    },
  };
}

export type FairClaims = ReturnType<typeof createFairClaims>;
