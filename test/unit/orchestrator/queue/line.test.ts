/**
 * The order in which the store hands out jobs, held against a queue of the plainest kind: people stand in a ring, and
 * whoever has had a turn goes to its end.
 */
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { type Credentials, credentialsOf } from '../../../../src/orchestrator/job/job-kinds.ts';
import type { GateState } from '../../../../src/orchestrator/job/records.ts';
import { openStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import { allOf } from '../../../all-of.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { type JobFields, jobWith } from '../../../fakes/job.ts';
import { createStoreFile, sampleJob } from '../../store/sqlite/open-store.ts';
import { video } from '../world.ts';

const open = { key: 'open', token: 'open' } as const;
const nobody: readonly string[] = [];

const jobOf = (id: string, person: string, isFilm: boolean): Job =>
  sampleJob({
    id,
    caller: { platform: 'web', id: person, name: 'Somebody', locale: 'en' },
    ...(isFilm ? { request: video } : {}),
  });

const finish = async ({ jobs }: SqliteStore, id: string): Promise<void> => {
  const job = (await jobs.get(id)) ?? expect.fail(`${id} is gone`);
  await jobs.save(job, jobWith({ ...job, state: 'cancelled', finishedAt: 9, settled: true }));
};

/** The queue that was in memory before: one turn for each person, in the order in which they came. */
function createRing() {
  const ring = new Map<string, string[]>();
  return {
    add(id: string, person: string): void {
      ring.set(person, [...(ring.get(person) ?? []), id]);
    },
    take(): string | undefined {
      const [first] = ring;
      if (first === undefined) return undefined;
      const [person, [id, ...others]] = first;
      ring.delete(person);
      if (others.length > 0) ring.set(person, others);
      return id;
    },
  };
}

describe('compared with a ring of people', () => {
  let store: SqliteStore;
  beforeEach(async () => {
    store = await openStore({ path: ':memory:', keys: [] });
  });
  afterEach(() => store.close());
  let count = 0;

  /** One after the other runs, and has ended before the next is taken. */
  const takeNext = async (): Promise<string | undefined> => {
    const job = await store.jobs.take({
      limits: { perPerson: 1, inAll: 1 },
      gates: open,
      without: nobody,
    });
    if (job !== undefined) await finish(store, job.id);
    return job?.id;
  };
  const arrives = async (
    ring: ReturnType<typeof createRing>,
    person: number,
    isFilm: boolean,
  ): Promise<string> => {
    const id = `p${person} ${String(++count).padStart(9, '0')}`;
    ring.add(id, `p${person}`);
    await insert(store, jobOf(id, `p${person}`, isFilm));
    return id;
  };
  const personOf = (id: string): string => id.split(' ')[0] ?? '';
  const drain = async (take: () => Promise<string | undefined>): Promise<string[]> => {
    const order: string[] = [];
    for (let id = await take(); id !== undefined; id = await take()) order.push(id);
    return order;
  };
  const job = fc.record({ person: fc.nat(6), film: fc.boolean() });

  it('with all in line at once, each round has the same people, in the order of their jobs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(job, { minLength: 1, maxLength: 50, size: 'max' }), async (all) => {
        const ring = createRing();
        const ids: string[] = [];
        for (const { person, film } of all) ids.push(await arrives(ring, person, film));
        const places = await Promise.all(ids.map(async (id) => (await store.jobs.place(id))?.position ?? 0));
        const before = await drain(async () => ring.take());
        const now = await drain(takeNext);
        expect(now.toSorted(), 'everybody has a turn').toEqual(ids.toSorted());
        for (const person of new Set(ids.map(personOf))) {
          const own = (order: readonly string[]) => order.filter((id) => personOf(id) === person);
          expect(own(now), 'in the order of their own').toEqual(own(ids));
        }
        /** How many of the person's own had a turn before. */
        const roundOf = (order: readonly string[], id: string): number =>
          order.slice(0, order.indexOf(id)).filter((one) => personOf(one) === personOf(id)).length;
        const rounds = (order: readonly string[]) => order.map((id) => roundOf(order, id));
        expect(rounds(now), 'no second turn before all others have had their first').toEqual(
          rounds(now).toSorted((one, other) => one - other),
        );
        expect(rounds(now)).toEqual(rounds(before));
        for (const round of new Set(rounds(now))) {
          const people = (order: readonly string[]) =>
            order
              .filter((id) => roundOf(order, id) === round)
              .map(personOf)
              .toSorted();
          expect(people(now)).toEqual(people(before));
        }
        expect(
          ids.map((id) => now.indexOf(id) + 1),
          'in the places that they were told',
        ).toEqual(places);
      }),
      { numRuns: 20 },
    );
  });

  it('whenever they come, none has its turn more than a round later, and a first one waits for two of others at the most', async () => {
    const event = fc.oneof(
      fc.record({ person: fc.nat(4), film: fc.boolean() }),
      fc.constant('take' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 80, size: 'max' }), async (events) => {
        const ring = createRing();
        const before: string[] = [];
        const now: string[] = [];
        /** Those whose person had none in line, and how many had had their turn when they came. */
        const firsts = new Map<string, number>();
        const waiting = new Set<string>();
        const takeBoth = async (): Promise<boolean> => {
          const [one, other] = [ring.take(), await takeNext()];
          expect(one === undefined).toBe(other === undefined);
          if (one === undefined || other === undefined) return false;
          before.push(one);
          now.push(other);
          waiting.delete(other);
          return true;
        };
        for (const event of events) {
          if (event === 'take') {
            await takeBoth();
            continue;
          }
          const isFirst = ![...waiting].some((id) => personOf(id) === `p${event.person}`);
          const id = await arrives(ring, event.person, event.film);
          waiting.add(id);
          if (isFirst) firsts.set(id, now.length);
        }
        while (await takeBoth());
        const others = new Set(now.map(personOf)).size - 1;
        for (const id of now)
          expect(now.indexOf(id) - before.indexOf(id), 'everybody else once').toBeLessThanOrEqual(others);
        for (const [id, from] of firsts) {
          const ahead = now.slice(from, now.indexOf(id)).map(personOf);
          for (const person of ahead)
            expect(ahead.filter((one) => one === person).length, 'of one person').toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('ten of one person stand before nobody’s first by more than one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(9), async (taken) => {
        const ring = createRing();
        for (let i = 0; i < 10; i += 1) await arrives(ring, 1, false);
        for (let i = 0; i < taken; i += 1) await takeNext();
        const first = await arrives(ring, 2, false);
        expect((await store.jobs.place(first))?.position).toBeLessThanOrEqual(2);
        await drain(takeNext);
      }),
    );
  });

  it('nobody starves, however many new people come', async () => {
    const ring = createRing();
    const mine: string[] = [];
    for (const person of [1, 1, 1]) mine.push(await arrives(ring, person, false));
    let turns = 0;
    for (let last: string | undefined; last !== mine.at(-1) && turns < 50; turns += 1) {
      await arrives(ring, 100 + turns, false);
      last = await takeNext();
    }
    expect(turns).toBeLessThan(10);
    await drain(takeNext);
  });
});

describe('whatever happens to the jobs', () => {
  const perPerson = 2;
  const inAll = 4;
  let file: ReturnType<typeof createStoreFile>;
  beforeEach(() => {
    file = createStoreFile();
  });
  afterEach(() => file.remove());

  const event = fc.record({
    what: fc.oneof(
      { weight: 6, arbitrary: fc.constant('arrive' as const) },
      { weight: 6, arbitrary: fc.constant('take' as const) },
      { weight: 2, arbitrary: fc.constantFrom('mark' as const, 'end' as const) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...(['run', 'return', 'rest', 'rested', 'release', 'remove', 'restart'] as const),
        ),
      },
    ),
    person: fc.nat(2),
    film: fc.boolean(),
    pick: fc.nat(1_000),
    gates: fc.record({
      key: fc.constantFrom<GateState>('open', 'open', 'trial', 'closed'),
      token: fc.constantFrom<GateState>('open', 'open', 'trial', 'closed'),
    }),
    isBusy: fc.constantFrom(false, false, true),
  });

  type Event = typeof event extends fc.Arbitrary<infer Each> ? Each : never;

  it('no more slots are given than there are, every one is used, all are counted, and everybody has a turn', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 100, size: 'max' }), async (events) => {
        file.remove();
        file = createStoreFile();
        let store = await file.open();
        /** Taken, and not given back, saved or ended since. */
        const withSlot = new Set<string>();
        const all = new Set<string>();
        const current = async (): Promise<Job[]> =>
          (await Promise.all([...all].map((id) => store.jobs.get(id)))).filter((job) => job !== undefined);
        const change = async (job: Job, more: JobFields & Pick<Job, 'state'>): Promise<void> => {
          const { resting: _, due: __, ...rest } = job;
          expect(await store.jobs.save(job, jobWith({ ...rest, ...more }))).toBeDefined();
          if (more.state !== 'submitting' && more.state !== 'running') withSlot.delete(job.id);
        };
        const personOf = ({ caller }: Job): string => caller.id;
        const slotsOf = (jobs: readonly Job[], person: string): number =>
          jobs.filter((job) => withSlot.has(job.id) && personOf(job) === person).length;
        const isInLine = (job: Job): boolean =>
          job.state === 'waiting' && job.resting === undefined && !withSlot.has(job.id);
        /** The counters of the store, and a recount. */
        const check = async (): Promise<void> => {
          const jobs = await current();
          const inLine = jobs.filter(isInLine);
          expect(await store.jobs.counts()).toEqual({ waiting: inLine.length, running: withSlot.size });
          expect(withSlot.size).toBeLessThanOrEqual(inAll);
          const people = [...new Set(jobs.map(personOf))];
          for (const person of people) expect(slotsOf(jobs, person)).toBeLessThanOrEqual(perPerson);
          const places = await Promise.all(
            inLine.map(async ({ id }) => (await store.jobs.place(id))?.position),
          );
          expect(places.toSorted((one = 0, other = 0) => one - other)).toEqual(inLine.map((_, i) => i + 1));
          const raw = new DatabaseSync(file.path);
          const rows = raw
            .prepare("SELECT person, running FROM slots WHERE person <> '' ORDER BY person")
            .all();
          raw.close();
          expect(rows.map(({ person, running }) => [person, running])).toEqual(
            people
              .filter((person) => slotsOf(jobs, person) > 0)
              .toSorted()
              .map((person) => [`web:${person}`, slotsOf(jobs, person)]),
          );
        };
        const take = async (
          gates: Readonly<Record<Credentials, GateState>>,
          without: readonly string[],
        ): Promise<Job | undefined> => {
          const before = await current();
          const could = before.filter(
            (job) =>
              isInLine(job) &&
              withSlot.size < inAll &&
              slotsOf(before, personOf(job)) < perPerson &&
              gates[credentialsOf(job.request.kind)] !== 'closed' &&
              !without.includes(`web:${personOf(job)}`),
          );
          const taken = await store.jobs.take({ limits: { perPerson, inAll }, gates, without });
          if (taken === undefined) expect(could.map(({ id }) => id)).toEqual([]);
          else {
            expect(could.map(({ id }) => id)).toContain(taken.id);
            withSlot.add(taken.id);
          }
          return taken;
        };
        const act = async ({ what, person, film, pick, gates, isBusy }: Event): Promise<void> => {
          const jobs = await current();
          const one = (fits: (job: Job) => boolean): Job | undefined => {
            const some = jobs.filter(fits);
            return some[pick % Math.max(1, some.length)];
          };
          const isTaken = (job: Job): boolean => job.state === 'waiting' && withSlot.has(job.id);
          if (what === 'arrive') {
            const id = `job ${++count}`;
            all.add(id);
            await insert(store, jobOf(id, `p${person}`, film));
          } else if (what === 'take') await take(gates, isBusy ? [`web:p${person}`] : []);
          else if (what === 'restart') {
            store = await file.open();
            for (const job of await allOf(store.jobs.abandoned())) if (isTaken(job)) withSlot.delete(job.id);
          } else if (what === 'release') {
            const job = one(isTaken);
            if (job === undefined) return;
            await store.jobs.release('submission', job.id);
            withSlot.delete(job.id);
          } else if (what === 'mark') {
            const job = one(isTaken);
            if (job !== undefined) await change(job, { state: 'submitting' });
          } else if (what === 'run') {
            const job = one(({ state }) => state === 'submitting');
            if (job !== undefined) await change(job, { state: 'running', serviceId: job.id });
          } else if (what === 'return' || what === 'rest') {
            const job = one((each) => isTaken(each) || each.state === 'submitting');
            if (job === undefined) return;
            await change(
              job,
              what === 'rest' ? { state: 'waiting', resting: 'unknown', due: 5 } : { state: 'waiting' },
            );
          } else if (what === 'rested') {
            const job = one(({ state, resting }) => state === 'waiting' && resting !== undefined);
            if (job !== undefined) await change(job, { state: 'waiting' });
          } else {
            const job = one(({ state }) => state !== 'cancelled');
            if (job === undefined) return;
            if (what === 'remove') await store.jobs.remove(job.id);
            else await change(job, { state: 'cancelled', finishedAt: 9, settled: true });
            withSlot.delete(job.id);
          }
        };
        for (const each of events) {
          await act(each);
          await check();
        }
        // From now on all that run come to their end: nobody is left over.
        for (const job of await current())
          if (job.state === 'waiting' && job.resting !== undefined) await change(job, { state: 'waiting' });
        for (let round = 0; round <= all.size; round += 1) {
          while ((await take(open, [])) !== undefined);
          for (const job of await current())
            if (withSlot.has(job.id)) await change(job, { state: 'cancelled', finishedAt: 9, settled: true });
          await check();
        }
        expect((await current()).filter(({ state }) => state !== 'cancelled')).toEqual([]);
      }),
      { numRuns: 15, endOnFailure: process.env.CI === undefined },
    );
  });
});
