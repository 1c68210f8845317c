/**
 * The order in which the store hands out jobs, held against a queue of the plainest kind: people stand in a ring, and
 * whoever has had a turn goes to its end.
 */
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../../../src/store/sqlite/store.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { jobWith } from '../../../fakes/job.ts';
import { video } from '../../../fakes/orchestrator-world.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

let store: SqliteStore;
beforeEach(async () => {
  store = await openSqliteStore({ path: ':memory:', keys: [] });
});
afterEach(() => store.close());

/** One turn for each person, in the order in which they came. */
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

const job = fc.record({ person: fc.nat(6), film: fc.boolean() });
let count = 0;
const arrives = async (
  ring: ReturnType<typeof createRing>,
  person: number,
  film: boolean,
): Promise<string> => {
  const id = `p${person} ${String(++count).padStart(9, '0')}`;
  ring.add(id, `p${person}`);
  const caller = { platform: 'web', id: `p${person}`, name: 'Somebody', locale: 'en' } as const;
  await insert(store, sampleJob({ id, caller, ...(film ? { request: video } : {}) }));
  return id;
};
/** Takes the next job and ends it at once, so that one job runs at a time. */
const takeNext = async (): Promise<string | undefined> => {
  const gates = { key: 'open', token: 'open' } as const;
  const taken = await store.jobs.take({ limits: { perPerson: 1, inAll: 1 }, gates, without: [] });
  if (taken === undefined) return undefined;
  const stored = (await store.jobs.get(taken.id)) ?? expect.fail(`${taken.id} is gone`);
  await store.jobs.save(stored, jobWith({ ...stored, state: 'cancelled', finishedAt: 9, settled: true }));
  return taken.id;
};
const personOf = (id: string): string => id.split(' ')[0] ?? '';

it('people take turns: in the order and the places that they are told, and nobody a round later than in the ring', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(job, fc.constant('take' as const)), { maxLength: 80, size: 'max' }),
      async (events) => {
        const ring = createRing();
        const ids: string[] = [];
        const before: string[] = [];
        const now: string[] = [];
        /** The jobs whose person had no other in line, and how many jobs had had their turn when they came. */
        const firsts = new Map<string, number>();
        const waiting = new Set<string>();
        const takeBoth = async (): Promise<boolean> => {
          const one = ring.take();
          const other = await takeNext();
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
          ids.push(id);
          waiting.add(id);
          if (isFirst) firsts.set(id, now.length);
        }
        const left = [...waiting];
        const places = await Promise.all(left.map(async (id) => (await store.jobs.standing(id))?.position));
        const taken = now.length;
        while (await takeBoth());
        expect(now.toSorted(), 'everybody has a turn').toEqual(ids.toSorted());
        const given = left.map((id) => now.indexOf(id) + 1 - taken);
        expect(given, 'in the places that they were told').toEqual(places);
        for (const person of new Set(ids.map(personOf))) {
          const own = (order: readonly string[]) => order.filter((id) => personOf(id) === person);
          expect(own(now), 'in the order of their own').toEqual(own(ids));
        }
        const others = new Set(now.map(personOf)).size - 1;
        for (const id of now)
          expect(now.indexOf(id) - before.indexOf(id), 'everybody else once').toBeLessThanOrEqual(others);
        for (const [id, from] of firsts) {
          const ahead = now.slice(from, now.indexOf(id)).map(personOf);
          // Nobody who came with the person has a second turn before the person's first.
          const most = taken === 0 ? 1 : 2;
          for (const person of ahead)
            expect(ahead.filter((one) => one === person).length, 'of one person').toBeLessThanOrEqual(most);
        }
      },
    ),
    { numRuns: 50 },
  );
});
