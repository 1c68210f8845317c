import type { Members, WorkUnderLock } from '../../src/base/members/members.ts';

/** One process of several that share locks, in the memory of one test. */
export interface FakeMember extends Members {
  /** Names of the locks that it holds, or believes to hold. */
  held(): readonly string[];
  /** Kills the process: whatever it was doing, its locks are free. */
  kill(): void;
  /** Stops the process, so that the others think it dead; it finds out after `thaw`. */
  freeze(): void;
  thaw(): void;
  /** The process loses its session, and knows that; `rejoin` gives it another one. */
  cutOff(): void;
  rejoin(): void;
}

interface Grant {
  readonly name: string;
  readonly lost: AbortController;
  /** Whether the work goes on, without a session, until another process has the lock. */
  isKept?: boolean;
}

interface Waiting {
  readonly member: FakeMember;
  readonly take: (grant: Grant | undefined) => void;
}

/** Locks as several processes on one store have them, without a store. */
export const createFakeMembers = () => {
  const alive = new Set<FakeMember>();
  const holders = new Map<string, Grant>();
  const lines = new Map<string, Waiting[]>();
  let joined = 0;

  const giveToNext = (name: string): void => {
    const line = lines.get(name) ?? [];
    holders.delete(name);
    const at = line.findIndex(({ member }) => alive.has(member));
    const [next] = at < 0 ? [] : line.splice(at, 1);
    if (next === undefined) return;
    const grant = { name, lost: new AbortController() };
    holders.set(name, grant);
    next.take(grant);
  };

  const acquire = (member: FakeMember, name: string, until: AbortSignal): Promise<Grant | undefined> =>
    new Promise((take) => {
      if (until.aborted) return take(undefined);
      const line = lines.get(name) ?? [];
      lines.set(name, line);
      const waiting = { member, take };
      line.push(waiting);
      until.addEventListener(
        'abort',
        () => {
          const at = line.indexOf(waiting);
          if (at >= 0) line.splice(at, 1);
          take(undefined);
        },
        { once: true },
      );
      if (!holders.has(name)) giveToNext(name);
    });

  const release = (grant: Grant): void => {
    if (holders.get(grant.name) === grant) giveToNext(grant.name);
  };

  const join = (): FakeMember => {
    let id = '';
    const own = `process-${joined + 1}`;
    const grants = new Set<Grant>();
    const dead = new AbortController();
    let isFrozen = false;
    const enter = (): void => {
      joined += 1;
      id = String(joined);
      alive.add(member);
    };
    const drop = (): void => {
      alive.delete(member);
      for (const grant of grants) release(grant);
    };
    /** Gives the process back each lock that nobody has taken meanwhile. */
    const regain = (): void => {
      const had = [...grants];
      enter();
      for (const grant of had) {
        if (grant.isKept && !holders.has(grant.name)) holders.set(grant.name, grant);
        else grant.lost.abort();
      }
      for (const name of lines.keys()) if (!holders.has(name)) giveToNext(name);
    };
    const run = async (
      name: string,
      work: WorkUnderLock,
      until: AbortSignal,
      isKept: boolean,
    ): Promise<void> => {
      while (!until.aborted && !dead.signal.aborted) {
        const grant = await acquire(member, name, AbortSignal.any([until, dead.signal]));
        if (grant === undefined) return;
        grant.isKept = isKept;
        grants.add(grant);
        const isHeld = (): boolean => isFrozen || (alive.has(member) && holders.get(name) === grant);
        await work(AbortSignal.any([until, grant.lost.signal]), isHeld).finally(() => {
          grants.delete(grant);
          release(grant);
        });
        if (!grant.lost.signal.aborted) return;
      }
    };

    const member: FakeMember = {
      id: () => id,
      process: own,
      isShared: true,
      isAlive: () => alive.has(member) || isFrozen,
      count: () => Math.max(1, alive.size),
      reportLoad: () => undefined,
      list: async () =>
        [...alive].toReversed().map((each) => ({
          id: each.id(),
          process: each.process,
          name: each.process,
          version: '',
          startedAt: 0,
          isAlive: true,
          holds: each.held(),
          load: {},
        })),
      renew: async () => undefined,
      watch: () => () => undefined,
      hold: (name, work, until) => run(name, work, until, false),
      keep: (name, work, until) => run(name, work, until, true),
      held: () => [...grants].map(({ name }) => name).sort(),
      kill() {
        dead.abort();
        drop();
      },
      freeze() {
        isFrozen = true;
        drop();
      },
      thaw() {
        isFrozen = false;
        regain();
      },
      cutOff() {
        for (const grant of grants) if (!grant.isKept) grant.lost.abort();
        drop();
      },
      rejoin: regain,
    };
    enter();
    return member;
  };

  return { join };
};
