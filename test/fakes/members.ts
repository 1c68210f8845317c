import type { Members } from '../../src/base/members/members.ts';

/** One process of several that share locks, in the memory of one test. */
export interface FakeMember extends Members {
  /** Names of the locks that it holds, or believes to hold. */
  held(): readonly string[];
  /** It is killed: whatever it was doing, its locks are free. */
  kill(): void;
  /** It stands still, and the others think it dead; it finds out when it goes on. */
  freeze(): void;
  thaw(): void;
}

interface Grant {
  readonly name: string;
  readonly lost: AbortController;
}

/** Locks as several processes on one store have them, without a store. */
export const createFakeMembers = () => {
  const alive = new Set<FakeMember>();
  const holders = new Map<string, Grant>();
  const lines = new Map<string, ((grant: Grant) => void)[]>();
  let joined = 0;

  const giveToNext = (name: string): void => {
    const next = lines.get(name)?.shift();
    holders.delete(name);
    if (next === undefined) return;
    const grant = { name, lost: new AbortController() };
    holders.set(name, grant);
    next(grant);
  };

  const acquire = (name: string, until: AbortSignal): Promise<Grant | undefined> =>
    new Promise((resolve) => {
      if (until.aborted) return resolve(undefined);
      const line = lines.get(name) ?? [];
      lines.set(name, line);
      line.push(resolve);
      until.addEventListener(
        'abort',
        () => {
          const at = line.indexOf(resolve);
          if (at >= 0) line.splice(at, 1);
          resolve(undefined);
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
      id = `member-${joined}`;
      alive.add(member);
    };
    const drop = (): void => {
      alive.delete(member);
      for (const grant of grants) release(grant);
    };

    const member: FakeMember = {
      id: () => id,
      process: own,
      isAlive: () => alive.has(member) || isFrozen,
      count: () => Math.max(1, alive.size),
      list: async () => [],
      renew: async () => undefined,
      watch: () => () => undefined,
      async hold(name, work, until) {
        while (!until.aborted && !dead.signal.aborted) {
          const grant = await acquire(name, AbortSignal.any([until, dead.signal]));
          if (grant === undefined) return;
          grants.add(grant);
          await work(AbortSignal.any([until, grant.lost.signal])).finally(() => {
            grants.delete(grant);
            release(grant);
          });
          if (!grant.lost.signal.aborted) return;
        }
      },
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
        const lost = [...grants];
        enter();
        for (const grant of lost) grant.lost.abort();
      },
    };
    enter();
    return member;
  };

  return { join };
};
