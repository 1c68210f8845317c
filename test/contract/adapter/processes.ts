import type { Adapter, AdapterDependencies } from '../../../src/adapters/adapter.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import type { Desk } from '../../../src/command/desk.ts';
import { type Caller, personKey } from '../../../src/command/place.ts';
import { createLog } from '../../../src/log/log.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { createSoleMember } from '../../../src/store/store.ts';
import { createRecords, recordsWith } from '../../fakes/records.ts';
import { refuseUntold } from '../../stored-records.ts';

/** Waits of this length are deadlines: on a busy machine they would end what is only slow. */
const DEADLINE_MS = 4_000;

/** The machine's clock, with deadlines that no machine is too slow for. */
export const patientClock: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(ms < DEADLINE_MS ? ms : ms * 60, run),
};

const never = new Promise<never>(() => {});

/** Behaves like `target` until `isDead`: then no call has an effect, and no call is answered. */
const mortal = <T extends object>(target: T, isDead: () => boolean): T =>
  new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return async (...values: readonly unknown[]) => {
        if (isDead()) return never;
        const result: unknown = await Reflect.apply(value, target, values);
        return isDead() ? never : result;
      };
    },
  });

const mortalRecords = (records: Records, isDead: () => boolean): Records => {
  const { get, set, delete: remove, update } = mortal(records, isDead);
  return recordsWith(records, { get, set, delete: remove, update });
};

type Rules = Parameters<AdapterDependencies['state']>[0];

/** Rules of records that are nobody's, and may be anything. */
export const noRules: Rules = { ownerOf: () => undefined, isValid: () => true };

/** Knows the keys under which something was stored, and holds the adapter to its own rules. */
const listing = (records: Records, rules: Rules) => {
  const keys = new Set<string>();
  const checked = <T>(key: string, value: T): T => {
    keys.add(key);
    if (rules !== noRules) refuseUntold(key);
    if (value !== undefined && !rules.isValid(key, value))
      throw new Error(`the adapter stores what its own rules refuse: ${key}`);
    return value;
  };
  const all = async () => {
    const read = await Promise.all(
      [...keys].map(async (key): Promise<[string, unknown]> => [key, await records.get(key)]),
    );
    return read.filter(([, value]) => value !== undefined);
  };
  const state = recordsWith(records, {
    set: async (key, value, ttlMs) => records.set(key, checked(key, value), ttlMs),
    update: (key, change, ttlMs) => records.update(key, (value) => checked(key, change(value)), ttlMs),
    async *iterator() {
      yield* await all();
    },
  });
  /** Deletes the records of a person, as the store does. */
  const forget = async (caller: Caller): Promise<void> => {
    for (const [key, value] of await all())
      if (rules.ownerOf(key, value) === personKey(caller)) await records.delete(key);
  };
  return { state, all, forget };
};

/** One adapter after the other over the same store; those that died have no effect any more. */
export const createProcesses = async <C extends { readonly adapter: Adapter }>(
  desk: Desk,
  connect: (parts: AdapterDependencies) => Promise<C>,
  records?: Records,
) => {
  const parts = new Map<string, ReturnType<typeof listing>>();
  const partOf = (rules: Rules, name = ''): ReturnType<typeof listing> => {
    const part = parts.get(name) ?? listing(records ?? createRecords(), rules);
    parts.set(name, part);
    return part;
  };
  const { inbox } = await openSqliteStore({ path: ':memory:', keys: [] });
  let current: { readonly connected: C; readonly adapter: Adapter; die(): void } | undefined;
  let isStopped = false;

  const begin = async (): Promise<void> => {
    let isDead = false;
    const connected = await connect({
      commands: [],
      desk: mortal(desk, () => isDead),
      state: (rules, part) => mortalRecords(partOf(rules, part).state, () => isDead),
      // Otherwise a dead one would still give the answers that it had put off.
      clock: { ...patientClock, after: (ms, run) => patientClock.after(ms, () => isDead || run()) },
      log: createLog({ level: 'silent', secrets: [] }),
      members: createSoleMember(),
      inbox: mortal(inbox, () => isDead),
      migrated: async () => undefined,
      memberships: { joined: async () => undefined, left: async () => undefined },
      tellOwners: () => undefined,
    });
    const { stop, forget } = connected.adapter;
    const adapter: Adapter = {
      ...connected.adapter,
      async stop() {
        isStopped = true;
        await stop();
      },
      async forget(caller) {
        await forget(caller);
        for (const part of parts.values()) await part.forget(caller);
      },
    };
    isStopped = false;
    current = {
      connected,
      adapter,
      die() {
        isDead = true;
        // Only to free its sockets: it may wait for what never comes.
        stop().catch(() => undefined);
      },
    };
    await adapter.start();
  };
  const running = () => {
    if (current === undefined) throw new Error('nothing was started');
    return current;
  };

  await begin();
  return {
    stored: async () => JSON.stringify(await Promise.all([...parts.values()].map(({ all }) => all()))),
    get adapter(): Adapter {
      return running().adapter;
    },
    get connected(): C {
      return running().connected;
    },
    async crash(): Promise<void> {
      current?.die();
      await begin();
    },
    async stop(): Promise<void> {
      if (!isStopped) await current?.adapter.stop();
    },
  };
};
