/**
 * Processes whose clocks differ by seconds. With PostgreSQL they share the store; a SQLite file has them one after the other, as
 * after a start with a corrected clock.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import type { NewJob } from '../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { postgresUrl } from '../../fakes/postgres.ts';
import { sampleJob } from '../../unit/store/sqlite/open-store.ts';
import { community, type Driver, doneJob, eraseAll, orderOf, type Place, person } from './suite/driver.ts';
import { createPostgres } from './suite/postgres-driver.ts';
import { placeForEach } from './suite/set-up.ts';
import { sqlite } from './suite/sqlite-driver.ts';

const SECONDS = 1_000;
const TOO_MANY = { reason: { code: 'rate', limit: 10 } };
const postgres = createPostgres();
afterAll(() => postgres.end());

/** How far the clock of the one who comes first, and of the one who comes then, is ahead of the right time. */
const APART = [
  ['the first clock is ahead', 5 * SECONDS, -5 * SECONDS],
  ['the second clock is ahead', -5 * SECONDS, 5 * SECONDS],
] as const;

const PERSON = sampleJob().caller;

describe.each([
  ['PostgreSQL', postgres, postgresUrl === undefined],
  ['SQLite', sqlite, false],
] as const)('processes on %s with clocks apart', (_name, driver: Driver, isMissing) => {
  describe.skipIf(isMissing).each(APART)('where %s', (_case, firstAhead, secondAhead) => {
    const place = placeForEach(driver);
    const accept = acceptIn(place);

    describe('the limit of a minute', () => {
      it('counts what the other process has accepted', async () => {
        await accept(await place.openAhead(firstAhead), firstAhead, 4);
        const second = await place.openAhead(secondAhead);
        await accept(second, secondAhead, 6);
        await expect(accept(second, secondAhead)).rejects.toMatchObject(TOO_MANY);
      });

      it('is whole again when a minute has passed by both clocks', async () => {
        await accept(await place.openAhead(firstAhead), firstAhead, 10);
        await place.pass(70 * SECONDS);
        await accept(await place.openAhead(secondAhead), secondAhead, 10);
      });
    });

    describe('deleting all of somebody’s data at midnight', () => {
      const TODAY = '2026-01-05';
      const TOMORROW = '2026-01-06';
      const untilMidnight = HOUR_MS * 12;
      const spent = async ({ usage }: Store, day: string) =>
        (await usage.person(day, community, person)).reserved;
      const spend = ({ jobs }: Store, day: string) =>
        jobs.accept(orderOf(doneJob({ createdAt: place.time.now, day })));
      const erase = async (store: Store): Promise<void> => {
        await eraseAll(store, await store.erasures.begin(person));
      };

      it.each([
        ['a moment before it', untilMidnight - 2 * SECONDS, TODAY],
        ['a moment after it', untilMidnight + 2 * SECONDS, TOMORROW],
      ])('gives nobody the credits of the day again: %s', async (_when, ms, today) => {
        await place.pass(ms);
        await spend(await place.openAhead(firstAhead), today);
        const second = await place.openAhead(secondAhead);
        await erase(second);
        while (await second.sweep());
        expect(await spent(second, today)).toBe(2);
      });

      it('gives nobody the credits of the day again when it was done in the morning', async () => {
        const first = await place.openAhead(firstAhead);
        await spend(first, TODAY);
        await erase(first);
        await place.pass(untilMidnight - 2 * SECONDS);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());
        expect(await spent(second, TODAY)).toBe(2);
      });

      it('leaves nothing when the day is over by both clocks', async () => {
        const first = await place.openAhead(firstAhead);
        await spend(first, TODAY);
        await erase(first);
        await place.pass(untilMidnight + 2 * MINUTE_MS);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());
        expect(await spent(second, TODAY)).toBe(0);
      });
    });
  });
});

describe.skipIf(postgresUrl === undefined).each(APART)(
  'the limit of a minute on PostgreSQL where %s',
  (_case, firstAhead, secondAhead) => {
    const place = placeForEach(postgres);
    const accept = acceptIn(place);
    let first: Store;
    let second: Store;
    beforeEach(async () => {
      first = await place.openAhead(firstAhead);
      second = await place.openAhead(secondAhead);
    });

    it('holds for twenty orders at once', async () => {
      const orders = Array.from({ length: 20 }, (_, nth) =>
        nth % 2 === 0 ? accept(first, firstAhead) : accept(second, secondAhead),
      );
      const results = await Promise.allSettled(orders);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    });

    it('holds for an order that was made before ten others, and gets its turn after them', async () => {
      const early = orderAt(place.time.now);
      await place.pass(2 * SECONDS);
      await accept(first, firstAhead, 10);
      await expect(second.jobs.accept(early)).rejects.toMatchObject(TOO_MANY);
    });

    it('ends exactly a minute after the first of ten was accepted', async () => {
      await accept(first, firstAhead, 10);
      await place.pass(59 * SECONDS);
      await expect(accept(second, secondAhead)).rejects.toMatchObject({
        reason: { code: 'rate', retryAfterMs: 1 * SECONDS },
      });
      await place.pass(1 * SECONDS);
      await accept(second, secondAhead, 10);
    });

    it('still counts what a process swept around by its own clock', async () => {
      await accept(first, firstAhead, 10);
      await place.pass(58 * SECONDS);
      await second.sweep();
      await expect(accept(first, firstAhead)).rejects.toMatchObject(TOO_MANY);
    });

    it('does not outlast a clock of the database that was an hour ahead', async () => {
      await place.pass(HOUR_MS);
      await accept(first, firstAhead, 10);
      await place.pass(-HOUR_MS);
      await accept(second, secondAhead, 10);
      await second.sweep();
      await place.pass(HOUR_MS);
      await accept(second, secondAhead, 10);
    });
  },
);

function orderAt(createdAt: number): NewJob {
  const limits = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 10 };
  return orderOf(sampleJob({ caller: PERSON, createdAt, state: 'opening' }), { limits });
}

/** Accepts so many jobs of one person in a process whose clock is so much ahead. */
function acceptIn(place: Pick<Place, 'time'>) {
  return async ({ jobs }: Store, aheadMs: number, count = 1): Promise<void> => {
    for (let nth = 0; nth < count; nth += 1) await jobs.accept(orderAt(place.time.now + aheadMs));
  };
}
