import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { TakeOptions } from '../../../../src/orchestrator/job/records.ts';
import { createSeal } from '../../../../src/store/records/seal.ts';
import { driverOf } from '../../../../src/store/sqlite/driver.ts';
import { openDatabase } from '../../../../src/store/sqlite/file/database.ts';
import type { Base, Query } from '../../../../src/store/tables/driver.ts';
import { openTables } from '../../../../src/store/tables/store.ts';
import { orderOf } from '../../../contract/store/suite/driver.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

/** Tables over a database that answers a moment later. `trips` counts how often somebody waited for its answers. */
const createDistant = async () => {
  const driver = driverOf(openDatabase(':memory:'), () => 0);
  let open = 0;
  let trips = 0;
  const later =
    (query: Query): Query =>
    async (...what) => {
      const rows = query(...what);
      if (open === 0) trips += 1;
      open += 1;
      await setImmediate();
      open -= 1;
      return rows;
    };
  const base: Omit<Base, 'now'> = {
    driver: {
      ...driver,
      query: Object.assign(later(driver.query), {
        lossy: later(driver.query.lossy),
        unawaited: later(driver.query.unawaited),
      }),
      transaction: (work) =>
        driver.transaction((query) =>
          work(Object.assign(later(query), { lossy: later(query.lossy), write: query.write })),
        ),
    },
    seal: createSeal([]),
    blind: (id) => id,
    memberId: () => 'one',
    deadMembers: async () => [],
  };
  const { jobs } = await openTables(base, { keys: [], now: () => 0 }, async () => true);
  return {
    jobs,
    async trips<T>(work: () => Promise<T>): Promise<[number, T]> {
      trips = 0;
      const result = await work();
      return [trips, result];
    },
  };
};

const options: TakeOptions = {
  limits: { perPerson: 2, inAll: 10 },
  gates: { key: 'open', token: 'open' },
  without: [],
};

it('the life of a job waits for few answers of the database, its writes and the ends of transactions not counted', async () => {
  const { jobs, trips } = await createDistant();
  // The first call makes the limits known.
  expect(await jobs.take(options)).toBeUndefined();

  const { limits, ...order } = orderOf(sampleJob({ state: 'opening' }));
  const [accept, { job }] = await trips(() => jobs.accept({ ...order, limits }));
  expect(accept).toBe(1);

  const ceilings = {
    communityCredits: 1e6,
    limits: { ...limits, serviceDailyCredits: 1e6, serviceMonthlyCredits: 1e6 },
  };
  const [limited] = await trips(() =>
    jobs.accept({ ...orderOf(sampleJob({ state: 'opening' })), ...ceilings }),
  );
  expect(limited).toBe(2);

  const [wait] = await trips(() => jobs.save(job, jobWith({ ...job, state: 'waiting' })));
  expect(wait).toBe(1);

  const [take, taken = expect.fail('Nothing was taken.')] = await trips(() => jobs.take(options));
  // One of the three answers says whether there is something to take.
  expect(take).toBe(3);

  const [submit, sent = expect.fail('It has changed.')] = await trips(() =>
    jobs.save(taken, jobWith({ ...taken, state: 'submitting' })),
  );
  expect(submit).toBe(1);

  const [end] = await trips(() =>
    jobs.save(sent, jobWith({ ...sent, state: 'cancelled', charge: 'returned', finishedAt: 1 })),
  );
  expect(end).toBe(2);
});
