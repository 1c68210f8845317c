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
    async counted<T>(work: () => Promise<T>): Promise<{ readonly trips: number; readonly result: T }> {
      trips = 0;
      const result = await work();
      return { trips, result };
    },
  };
};

const options: TakeOptions = {
  limits: { perPerson: 2, inAll: 10 },
  gates: { key: 'open', token: 'open' },
  without: [],
};

it('the life of a job waits for few answers of the database, its writes and the ends of transactions not counted', async () => {
  const { jobs, counted } = await createDistant();
  // The first call makes the limits known.
  expect(await jobs.take(options)).toBeUndefined();

  const accepted = await counted(() => jobs.accept(orderOf(sampleJob({ state: 'opening' }))));
  expect(accepted.trips).toBe(1);
  const { job } = accepted.result;

  const waiting = await counted(() => jobs.save(job, jobWith({ ...job, state: 'waiting' })));
  expect(waiting.trips).toBe(1);

  const taken = await counted(() => jobs.take(options));
  // One of the three answers says whether there is something to take.
  expect(taken.trips).toBe(3);
  const taking = taken.result ?? expect.fail('nothing was taken');

  const sent = await counted(() => jobs.save(taking, jobWith({ ...taking, state: 'submitting' })));
  expect(sent.trips).toBe(1);
  const sending = sent.result ?? expect.fail('the job was changed by somebody else');

  const ended = await counted(() =>
    jobs.save(sending, jobWith({ ...sending, state: 'cancelled', charge: 'returned', finishedAt: 1 })),
  );
  expect(ended.trips).toBe(2);
});

it('the acceptance of a job waits for one more answer where there are ceilings for everybody', async () => {
  const { jobs, counted } = await createDistant();
  const { limits, ...order } = orderOf(sampleJob({ state: 'opening' }));

  const accepted = await counted(() =>
    jobs.accept({
      ...order,
      communityCredits: 1e6,
      limits: { ...limits, serviceDailyCredits: 1e6, serviceMonthlyCredits: 1e6 },
    }),
  );

  expect(accepted.trips).toBe(2);
});
