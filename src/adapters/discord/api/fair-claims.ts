import { type Clock, untilAborted } from '../../../base/clock.ts';
import type { KeepingWork, Members } from '../../../base/members/members.ts';

const CHECK_EVERY_MS = 1_000;

interface Claim {
  readonly until: AbortController;
  ended: Promise<void>;
  isHeld: boolean;
}

interface ClaimOptions {
  readonly members: Pick<Members, 'keep'>;
  /** Prefix of the locks' names: `name-0`, `name-1` and so on. */
  readonly name: string;
  /** How many there are for all members together. */
  readonly count: () => number;
  /** How many of them this process may hold. */
  readonly allowed: () => number;
  /** Runs while no other process holds a lock that this one took; ends when `ended` aborts. */
  readonly work: (index: number, ...held: Parameters<KeepingWork>) => Promise<void>;
  /** A lock is waited for again after that. */
  readonly failed: (error: unknown) => void;
}

/** Holds up to `allowed` of `count` locks: waits for all while it has too few, and gives one up when it has too many. */
function createClaims({ members, name, count, allowed, work, failed }: ClaimOptions) {
  const claims = new Map<number, Claim>();
  const held = (): number[] => [...claims].filter(([, claim]) => claim.isHeld).map(([index]) => index);
  const hasEnough = (): boolean => held().length >= allowed();

  const endWaiting = (): void => {
    for (const claim of claims.values()) if (!claim.isHeld) claim.until.abort();
  };

  const claim = (index: number): void => {
    const until = new AbortController();
    const mine: Claim = { until, ended: Promise.resolve(), isHeld: false };
    claims.set(index, mine);
    const begin: KeepingWork = async (ended, isHeld) => {
      if (hasEnough()) return until.abort();
      mine.isHeld = true;
      if (hasEnough()) endWaiting();
      try {
        await work(index, ended, isHeld);
      } finally {
        mine.isHeld = false;
      }
    };
    mine.ended = members
      .keep(`${name}-${index}`, begin, until.signal)
      .catch(failed)
      .finally(() => claims.delete(index));
  };

  return {
    held,
    /** Adjusts to how many there are and how many are allowed now; gives up at most one at a time. */
    adjust(): void {
      for (const [index, { until }] of claims) if (index >= count()) until.abort();
      const mine = held();
      if (mine.length > allowed()) claims.get(Math.max(...mine))?.until.abort();
      else if (mine.length < allowed())
        for (let index = 0; index < count(); index += 1) if (!claims.has(index)) claim(index);
    },
    async release(): Promise<void> {
      const all = [...claims.values()];
      for (const { until } of all) until.abort();
      await Promise.allSettled(all.map(({ ended }) => ended));
    },
  };
}

/**
 * Shares `count` locks among the live members: each holds as many as the others, or one more. For each that is left over
 * there is a permit, itself a lock, so that no member has two more than another. Locks of a dead member are taken over.
 */
export function createFairClaims(
  options: Omit<ClaimOptions, 'members' | 'count' | 'allowed'> & {
    readonly members: Pick<Members, 'keep' | 'count'>;
    readonly count: number;
    readonly clock: Clock;
  },
) {
  const { members, count, clock, name } = options;
  const leftOver = (): number => (members.count() < count ? count % members.count() : 0);
  const permits = createClaims({
    ...options,
    name: `${name}-permit`,
    count: leftOver,
    allowed: () => 1,
    work: async (_permit, ended) => untilAborted(ended),
  });
  const share = (): number => Math.max(1, Math.floor(count / members.count())) + permits.held().length;
  const claims = createClaims({ ...options, count: () => count, allowed: share });
  let cancel = (): void => {};

  const adjust = (): void => {
    permits.adjust();
    claims.adjust();
    cancel = clock.after(CHECK_EVERY_MS, adjust);
  };

  return {
    held: claims.held,
    start: adjust,
    /** Resolves when all work has ended. */
    async stop(): Promise<void> {
      cancel();
      await Promise.all([claims.release(), permits.release()]);
    },
  };
}

export type FairClaims = ReturnType<typeof createFairClaims>;
