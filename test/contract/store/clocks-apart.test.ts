// @module-tag slow
/**
 * Processes whose clocks differ by seconds. With PostgreSQL they share the store; a SQLite file has them one after the other, as
 * after a start with a corrected clock.
 */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import { dayOf } from '../../../src/orchestrator/job/day.ts';
import type { NewJob } from '../../../src/orchestrator/job/records.ts';
import type { Store } from '../../../src/store/tables/store.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { entry } from '../../fakes/shared-inbox.ts';
import { community, type Driver, doneJob, eraseAll, orderOf, type Place, person } from './suite/driver.ts';
import { createPostgres } from './suite/postgres-driver.ts';
import { placeForEach } from './suite/set-up.ts';
import { sqlite } from './suite/sqlite-driver.ts';

const SECONDS = 1_000;
const TOO_MANY = { reason: { code: 'rate', limit: 10 } };
const postgres = createPostgres();
afterAll(() => postgres.end());

/** How far the clock of the process that comes first, and of the one that comes then, is ahead of the right time. */
const APART = [
  { which: 'the first clock is ahead', firstAhead: 5 * SECONDS, secondAhead: -5 * SECONDS },
  { which: 'the second clock is ahead', firstAhead: -5 * SECONDS, secondAhead: 5 * SECONDS },
];

const PERSON = sampleJob().caller;
/** The time from the noon at which a place begins until midnight. */
const UNTIL_MIDNIGHT = 12 * HOUR_MS;

describe.each<{ name: string; driver: Driver; tags: 'postgres'[] }>([
  { name: 'PostgreSQL', driver: postgres, tags: ['postgres'] },
  { name: 'SQLite', driver: sqlite, tags: [] },
])('processes on $name with clocks apart', ({ driver, tags }) => {
  describe.each(APART)('where $which', { tags }, ({ firstAhead, secondAhead }) => {
    const place = placeForEach(driver);
    const accept = acceptIn(place);

    describe('the limit of a minute', () => {
      it('the limit of a minute counts what the other process has accepted', async () => {
        await accept(await place.openAhead(firstAhead), firstAhead, 4);
        const second = await place.openAhead(secondAhead);
        await accept(second, secondAhead, 6);

        await expect(accept(second, secondAhead)).rejects.toMatchObject(TOO_MANY);
      });

      it('the limit of a minute is whole again when a minute has passed by both clocks', async () => {
        await accept(await place.openAhead(firstAhead), firstAhead, 10);
        await place.pass(70 * SECONDS);
        await accept(await place.openAhead(secondAhead), secondAhead, 10);
      });
    });

    describe('credits at midnight', () => {
      /** The job of a process that is asked for it at this moment: it counts for the day that its clock shows. */
      const orderIn = (aheadMs: number, more: Parameters<typeof orderOf>[1]): NewJob => {
        const createdAt = place.time.now + aheadMs;
        return orderOf(sampleJob({ createdAt, day: dayOf(createdAt), state: 'opening' }), more);
      };
      const few = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 1_000 };

      // Each job costs two.
      it.each([
        { whose: 'of a person', code: 'allowance', more: { dailyCredits: 4 } },
        { whose: 'of a community', code: 'ceiling', more: { communityCredits: 4 } },
        { whose: 'of everybody', code: 'ceiling', more: { limits: { ...few, serviceDailyCredits: 4 } } },
      ])(
        'credits at midnight: $whose are those of two days, and no more, whichever process counts them',
        async ({ code, more }) => {
          await place.pass(UNTIL_MIDNIGHT);
          for (const aheadMs of [firstAhead, secondAhead, firstAhead, secondAhead]) {
            const { jobs } = await place.openAhead(aheadMs);
            await jobs.accept(orderIn(aheadMs, more));
          }
          for (const aheadMs of [firstAhead, secondAhead]) {
            const { jobs } = await place.openAhead(aheadMs);
            await expect(jobs.accept(orderIn(aheadMs, more))).rejects.toMatchObject({ reason: { code } });
          }
        },
      );

      it('credits at midnight that moderators give one person are those of two days, and no more', async () => {
        await place.pass(UNTIL_MIDNIGHT);
        let events = 0;
        const give = async (aheadMs: number) => {
          events += 1;
          const { grants } = await place.openAhead(aheadMs);
          const { outcome } = await grants.add({
            community,
            ids: [community],
            person,
            credits: 5,
            event: `grant ${events}`,
            most: 10,
            at: place.time.now + aheadMs,
            byModerator: { allowance: 5, fromOwner: 0 },
          });
          return outcome;
        };

        expect(await give(firstAhead)).toBe('added');
        expect(await give(secondAhead)).toBe('added');
        expect(await give(firstAhead)).toBe('most');
        expect(await give(secondAhead)).toBe('most');
      });

      it('credits are granted once for an event that both processes handle', async () => {
        await place.pass(UNTIL_MIDNIGHT);
        for (const aheadMs of [firstAhead, secondAhead]) {
          const { grants } = await place.openAhead(aheadMs);
          const at = place.time.now + aheadMs;
          await grants.add({
            community,
            ids: [community],
            person,
            credits: 5,
            event: 'the same',
            most: 100,
            at,
          });
        }
        const { grants } = await place.openAhead(firstAhead);

        expect(await grants.left(community, person)).toBe(5);
      });
    });

    describe('events and records', () => {
      it('an event whose job was removed stays known', async () => {
        const order = orderAt(place.time.now);
        const first = await place.openAhead(firstAhead);

        await first.jobs.accept(order);
        await first.jobs.remove(order.job.id);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());

        await expect(second.jobs.accept(order)).rejects.toMatchObject({ reason: { code: 'deleted' } });
      });

      it('an update that was handled stays known', async () => {
        const first = await place.openAhead(firstAhead);
        await first.inbox.put([entry(1)], '1');
        await first.inbox.settle('1', [1], []);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());
        await second.inbox.put([entry(1)]);

        expect(await second.inbox.claim('2', 10)).toEqual([]);
      });

      it('a record is kept for about the time that was given', async () => {
        const first = await place.openAhead(firstAhead);
        await first.keyv('kept').set('key', 'value', MINUTE_MS);
        await place.pass(MINUTE_MS - 15 * SECONDS);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());

        expect(await second.keyv('kept').get('key')).toBe('value');

        await place.pass(30 * SECONDS);
        expect(await second.keyv('kept').get('key')).toBeUndefined();
      });

      it('a record that is over by one clock alone loses no change', async () => {
        const first = await place.openAhead(firstAhead);
        await first.keyv('kept').set('key', 1, 2 * SECONDS);
        const second = await place.openAhead(secondAhead);
        const isOver = (await second.keyv('kept').get('key')) === undefined;
        const after = await second.keyv('kept').update<number>('key', (before = 0) => before + 1, MINUTE_MS);

        expect(after).toBe(isOver ? 1 : 2);

        const third = await place.openAhead(firstAhead);
        expect(await third.keyv('kept').update<number>('key', (before = 0) => before + 1)).toBe(
          (after ?? 0) + 1,
        );
      });

      it('data that was deleted does not come back, and what was written after that stays', async () => {
        const rules = { ownerOf: () => person };
        const first = await place.openAhead(firstAhead);

        await first.keyv('personal', rules).set('before', 1);
        await first.erasures.begin(person);
        const second = await place.openAhead(secondAhead);
        await second.keyv('personal', rules).set('after', 1);
        for (const who of await second.erasures.pending()) await eraseAll(second, who);
        const third = await place.openAhead(firstAhead);

        expect(await third.keyv('personal', rules).get('before')).toBeUndefined();
        expect(await third.keyv('personal', rules).get('after')).toBe(1);
      });
    });

    describe('jobs', () => {
      it('jobs have their turns in the order in which they came, whatever the clocks said', async () => {
        const ids: string[] = [];
        for (const [nth, aheadMs] of [firstAhead, secondAhead, firstAhead, secondAhead].entries()) {
          const { jobs } = await place.openAhead(aheadMs);
          const caller = { ...PERSON, id: `person ${nth}` };
          const job = sampleJob({ caller, createdAt: place.time.now + aheadMs });
          await jobs.accept(orderOf(job));
          ids.push(job.id);
        }
        const { jobs } = await place.openAhead(secondAhead);
        const limits = { perPerson: 1, inAll: 10 };
        const gates = { key: 'open', token: 'open' } as const;
        const taken: (string | undefined)[] = [];
        for (let nth = 0; nth < 4; nth += 1)
          taken.push((await jobs.take({ limits, gates, without: [] }))?.id);

        expect(taken).toEqual(ids);
      });

      it('jobs are not removed before their time', async () => {
        const first = await place.openAhead(firstAhead);
        const job = doneJob({ finishedAt: place.time.now + firstAhead });

        await first.jobs.accept(orderOf(job));
        await place.pass(30 * DAY_MS - 15 * SECONDS);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());

        expect(await second.jobs.get(job.id)).toBeDefined();
      });
    });

    describe('deleting all of somebody’s data at midnight', () => {
      const TODAY = '2026-01-05';
      const TOMORROW = '2026-01-06';
      const spent = async ({ usage }: Store, day: string) =>
        (await usage.person(day, community, person)).reserved;
      const spend = ({ jobs }: Store, day: string) =>
        jobs.accept(orderOf(doneJob({ createdAt: place.time.now, day })));
      const erase = async (store: Store): Promise<void> => {
        await eraseAll(store, await store.erasures.begin(person));
      };

      it.each([
        { when: 'a moment before it', ms: UNTIL_MIDNIGHT - 2 * SECONDS, today: TODAY },
        { when: 'a moment after it', ms: UNTIL_MIDNIGHT + 2 * SECONDS, today: TOMORROW },
      ])(
        'deleting somebody’s data at midnight gives nobody the credits of the day again: $when',
        async ({ ms, today }) => {
          await place.pass(ms);
          await spend(await place.openAhead(firstAhead), today);
          const second = await place.openAhead(secondAhead);
          await erase(second);
          while (await second.sweep());

          expect(await spent(second, today)).toBe(2);
        },
      );

      it('deleting somebody’s data in the morning gives nobody the credits of the day again', async () => {
        const first = await place.openAhead(firstAhead);
        await spend(first, TODAY);
        await erase(first);
        await place.pass(UNTIL_MIDNIGHT - 2 * SECONDS);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());

        expect(await spent(second, TODAY)).toBe(2);
      });

      it('deleting somebody’s data leaves nothing when the day is over by both clocks', async () => {
        const first = await place.openAhead(firstAhead);
        await spend(first, TODAY);
        await erase(first);
        await place.pass(UNTIL_MIDNIGHT + 2 * MINUTE_MS);
        const second = await place.openAhead(secondAhead);
        while (await second.sweep());

        expect(await spent(second, TODAY)).toBe(0);
      });
    });
  });
});

describe.each(APART)(
  'the limit of a minute on PostgreSQL where $which',
  { tags: ['postgres'] },
  ({ firstAhead, secondAhead }) => {
    const place = placeForEach(postgres);
    const accept = acceptIn(place);
    let first: Store;
    let second: Store;
    beforeEach(async () => {
      first = await place.openAhead(firstAhead);
      second = await place.openAhead(secondAhead);
    });

    it('the limit of a minute on PostgreSQL holds for twenty orders at once', async () => {
      const orders = Array.from({ length: 20 }, (_, nth) =>
        nth % 2 === 0 ? accept(first, firstAhead) : accept(second, secondAhead),
      );
      const results = await Promise.allSettled(orders);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    });

    it('the limit of a minute on PostgreSQL holds for an order that was made before ten others, and gets its turn after them', async () => {
      const early = orderAt(place.time.now);
      await place.pass(2 * SECONDS);
      await accept(first, firstAhead, 10);

      await expect(second.jobs.accept(early)).rejects.toMatchObject(TOO_MANY);
    });

    it('the limit of a minute on PostgreSQL ends exactly a minute after the first of ten was accepted', async () => {
      await accept(first, firstAhead, 10);
      await place.pass(59 * SECONDS);

      await expect(accept(second, secondAhead)).rejects.toMatchObject({
        reason: { code: 'rate', retryAfterMs: 1 * SECONDS },
      });

      await place.pass(1 * SECONDS);
      await accept(second, secondAhead, 10);
    });

    it('the limit of a minute on PostgreSQL still counts what a process swept around by its own clock', async () => {
      await accept(first, firstAhead, 10);
      await place.pass(58 * SECONDS);
      await second.sweep();

      await expect(accept(first, firstAhead)).rejects.toMatchObject(TOO_MANY);
    });

    it('the limit of a minute on PostgreSQL does not outlast a clock of the database that was an hour ahead', async () => {
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
