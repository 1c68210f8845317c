import type { Adapter } from '../../../src/adapters/adapter.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { KeyValue } from '../../../src/base/key-value.ts';
import type { Desk } from '../../../src/command/desk.ts';
import { createRecords } from '../../fakes/records.ts';

/** Waits of this length are deadlines: on a busy machine they would end what is only slow. */
const DEADLINE_MS = 4_000;

/** The machine's clock, with deadlines that no machine is too slow for. */
export const patientClock: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(ms < DEADLINE_MS ? ms : ms * 60, run),
};

const never = new Promise<never>(() => {});

/** The same object until `isDead`: then nothing that is called has an effect, and what was called is never answered. */
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

/** Of several tests that share an adapter, each hears what its own people do. */
export const createSwitchboard = () => {
  const desks = new Map<string, Desk>();
  const jobs = new Map<string, Desk>();
  const deskOf = ({ caller }: { readonly caller: { readonly id: string } }): Desk => {
    const desk = desks.get(caller.id);
    if (desk === undefined) throw new Error(`nobody expects ${caller.id}`);
    return desk;
  };
  const noting = async <R extends Awaited<ReturnType<Desk['text']>>>(
    incoming: { readonly caller: { readonly id: string } },
    reply: Promise<R>,
  ): Promise<R> => {
    const said = await reply;
    if (said?.kind === 'card') jobs.set(said.job, deskOf(incoming));
    return said;
  };
  const desk: Desk = {
    command: async (incoming) => noting(incoming, deskOf(incoming).command(incoming)),
    text: async (incoming) => noting(incoming, deskOf(incoming).text(incoming)),
    press: async (incoming) => noting(incoming, deskOf(incoming).press(incoming)),
    answer: async (incoming) => noting(incoming, deskOf(incoming).answer(incoming)),
    complete: async (incoming, limit) => deskOf(incoming).complete(incoming, limit),
    turnAway: async (incoming) => deskOf(incoming).turnAway(incoming),
    inLanguage: async (incoming) => incoming,
    refusal: async (incoming) => deskOf(incoming).refusal(incoming),
    hasJob: async (event) =>
      (await Promise.all([...desks.values()].map((each) => each.hasJob(event)))).includes(true),
    shown: async (job, card) => jobs.get(job)?.shown(job, card),
  };
  return {
    desk,
    connect(to: Desk, people: readonly string[]): void {
      for (const person of people) desks.set(person, to);
    },
  };
};

/** Knows the keys under which something was stored. */
const listing = (records: KeyValue) => {
  const keys = new Set<string>();
  const state: KeyValue = {
    get: (key) => records.get(key),
    delete: (key) => records.delete(key),
    set(key, value, ttlMs) {
      keys.add(key);
      return records.set(key, value, ttlMs);
    },
    update(key, change, ttlMs) {
      keys.add(key);
      return records.update(key, change, ttlMs);
    },
  };
  const all = async (): Promise<string> =>
    JSON.stringify(await Promise.all([...keys].map(async (key) => [key, await records.get(key)])));
  return { state, all };
};

/** What a new adapter is given. */
export interface ProcessParts {
  readonly desk: Desk;
  readonly state: KeyValue;
  readonly clock: Clock;
}

/** One adapter after the other over the same store; those that died have no effect any more. */
export const createProcesses = <A extends Adapter>(
  desk: Desk,
  create: (parts: ProcessParts) => A,
  records: KeyValue = createRecords(),
) => {
  const { state, all } = listing(records);
  let current: { readonly adapter: A; die(): void } | undefined;
  let isStopped = false;

  const begin = async (): Promise<A> => {
    let isDead = false;
    const made = create({
      desk: mortal(desk, () => isDead),
      state: mortal(state, () => isDead),
      // Otherwise a dead one would still give the answers that it had put off.
      clock: { ...patientClock, after: (ms, run) => patientClock.after(ms, () => isDead || run()) },
    });
    const stop = made.stop;
    const adapter: A = {
      ...made,
      async stop() {
        isStopped = true;
        await stop();
      },
    };
    isStopped = false;
    current = {
      adapter,
      die() {
        isDead = true;
        // Only to free its sockets: it may wait for what never comes.
        stop().catch(() => undefined);
      },
    };
    await adapter.start();
    return adapter;
  };

  return {
    stored: all,
    get adapter(): A {
      if (current === undefined) throw new Error('nothing was started');
      return current.adapter;
    },
    /** Where none runs. */
    async ensure(): Promise<void> {
      if (current === undefined || isStopped) await begin();
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
