import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../../src/base/clock.ts';
import { dayOf } from '../../../../src/orchestrator/job/day.ts';
import type { Job, SubmittingJob } from '../../../../src/orchestrator/job/job.ts';
import type { NewJob } from '../../../../src/orchestrator/job/records.ts';
import { MOST_GRANTS } from '../../../../src/store/tables/grants.ts';
import type { Store } from '../../../../src/store/tables/store.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { keyOf } from '../../../fakes/store-file.ts';
import { community, type Driver, day, insert, orderOf, person } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

const limits = { userConcurrentJobs: 1_000, userWaitingJobs: 1_000, userJobsPerMinute: 1_000 };
const opening = (more: Parameters<typeof sampleJob>[0] = {}) => sampleJob({ ...more, state: 'opening' });
const cancelled = (job: Job) => jobWith({ ...job, state: 'cancelled', charge: 'returned' });

export function acceptTests(driver: Driver): void {
  const place = placeForEach(driver);

  describe.each(PLAIN_AND_ENCRYPTED)('an order, $how', ({ keys }) => {
    it('orders of the same press of Again are the same job until its result is being shown', async () => {
      const { jobs } = await place.open(keys);
      const press = () => orderOf(opening({ againOf: 'an earlier job' }));
      const { job } = await jobs.accept(press());
      const other = opening({ againOf: 'an earlier job', caller: { ...job.caller, id: '7' } });

      expect((await jobs.accept(orderOf(other))).known).toBe(false);
      expect(await jobs.accept(press())).toEqual({ job, known: true });

      const running = await jobs.save(job, jobWith({ ...job, state: 'running' }));
      expect(await jobs.accept(press())).toEqual({ job: running, known: true });

      if (running !== undefined)
        await jobs.save(running, jobWith({ ...running, state: 'delivering', finishedAt: 9 }));
      expect((await jobs.accept(press())).known).toBe(false);
    });

    it('an order is refused when its job has been removed', async () => {
      const { jobs } = await place.open(keys);
      const job = opening();

      await insert({ jobs }, job);

      expect(await jobs.remove(job.id)).toBe(true);
      expect(await jobs.remove(job.id)).toBe(false);
      await expect(jobs.accept(orderOf(job))).rejects.toMatchObject({ reason: { code: 'deleted' } });
    });

    it('an order is refused when too many of its person’s jobs are unfinished', async () => {
      const few = { limits: { ...limits, userConcurrentJobs: 1, userWaitingJobs: 1 } };
      const { jobs } = await place.open(keys);
      const { job } = await jobs.accept(orderOf(opening(), few));

      await jobs.accept(orderOf(opening(), few));

      await expect(jobs.accept(orderOf(opening(), few))).rejects.toMatchObject({
        reason: { code: 'waiting', limit: 1, unfinished: 2 },
      });

      const other = opening({ caller: { ...job.caller, id: '7' } });
      expect((await jobs.accept(orderOf(other, few))).known).toBe(false);

      await jobs.save(job, cancelled(job));
      expect((await jobs.accept(orderOf(opening(), few))).known).toBe(false);
    });

    it('an order is refused when the month of everybody together does not suffice, until the next month begins', async () => {
      const { jobs } = await place.open(keys);
      const accept = () => {
        const createdAt = place.time.now;
        const job = opening({ createdAt, day: dayOf(createdAt) });
        return jobs.accept(orderOf(job, { limits: { ...limits, serviceMonthlyCredits: 5 } }));
      };
      const refused = { reason: { code: 'ceiling', of: 'month', left: 1, resetsAt: Date.UTC(2026, 1, 1) } };

      expect((await accept()).month).toEqual({ month: '2026-01', credits: 2 });
      await place.pass(3 * DAY_MS);
      const { job, month } = await accept();
      expect(month).toEqual({ month: '2026-01', credits: 4 });
      await expect(accept()).rejects.toMatchObject(refused);

      // Credits that are given back can be used again.
      await jobs.save(job, cancelled(job));
      expect((await accept()).month).toEqual({ month: '2026-01', credits: 4 });
      await place.pass(Date.UTC(2026, 1, 1) - 1 - place.time.now);
      await expect(accept()).rejects.toMatchObject(refused);
      await place.pass(1);
      expect((await accept()).month).toEqual({ month: '2026-02', credits: 2 });
    });

    it('an order of a process whose clock is in another month must fit into that month and into the store’s', async () => {
      const { jobs } = await place.open(keys);
      const accept = (day: string) =>
        jobs.accept(orderOf(opening({ day }), { limits: { ...limits, serviceMonthlyCredits: 5 } }));

      await accept('2025-12-31');
      await accept('2025-12-31');
      await accept('2026-01-05');
      await expect(accept('2025-12-31')).rejects.toMatchObject({ reason: { of: 'month' } });
      await accept('2026-01-05');
      await expect(accept('2025-11-30')).rejects.toMatchObject({ reason: { of: 'month' } });
    });

    it('an order of a shared speaker counts with those of all groups, unless they have no other job', async () => {
      const { jobs, usage } = await place.open(keys);
      const few = { ...limits, userConcurrentJobs: 1, userWaitingJobs: 1 };
      const accept = (id: string, most: NewJob['limits']) => {
        const caller = { platform: 'telegram', id, name: 'Group', locale: 'en' } as const;
        return jobs.accept(orderOf(opening({ createdAt: place.time.now, caller }), { limits: most }));
      };
      const refused = (reason: object) => ({ reason: expect.objectContaining(reason) });
      const { job } = await accept('anonymous:-1', few);

      await accept('channel:-2', few);
      const full = { code: 'waiting', limit: 1 };

      await expect(accept('anonymous:-1', few)).rejects.toMatchObject(refused({ ...full, unfinished: 2 }));

      await accept('anonymous:-3', few);
      await expect(accept('anonymous:-3', few)).rejects.toMatchObject(refused({ ...full, unfinished: 3 }));
      expect((await accept('99', few)).known, 'a person').toBe(false);
      expect(await usage.person(day, community, 'telegram:anonymous:-1')).toMatchObject({ jobs: 1 });

      const rare = { ...limits, userJobsPerMinute: 3 };
      const rate = { code: 'rate', limit: 3, retryAfterMs: 50_000 };
      await place.pass(10_000);

      await expect(accept('anonymous:-1', rare)).rejects.toMatchObject(refused(rate));

      await jobs.remove(job.id);
      await expect(accept('anonymous:-1', rare)).rejects.toMatchObject(refused(rate));
      expect((await accept('anonymous:-4', rare)).known).toBe(false);

      await place.pass(50_000);
      expect((await accept('anonymous:-1', rare)).known).toBe(false);
    });
  });

  describe.each(PLAIN_AND_ENCRYPTED)('an album, $how', ({ keys }) => {
    const line = { at: 5, community, actor: person, action: 'job', detail: {} };
    const albumOf = (photos: number, more: Parameters<typeof orderOf>[1] = {}): NewJob => {
      const [first, ...others] = Array.from({ length: photos }, () => ({ job: opening(), line }));
      if (first === undefined) throw new Error('There is no photo.');
      return { ...orderOf(first.job, { line, ...more }), others };
    };
    const jobsIn = (order: NewJob) => [order.job, ...(order.others ?? []).map(({ job }) => job)];
    const found = ({ jobs }: Pick<Store, 'jobs'>, order: NewJob) =>
      Promise.all(jobsIn(order).map(({ id }) => jobs.get(id)));

    it.each([1, 3])(
      'an album of %i is as many jobs with charge and line, however often it comes',
      async (count) => {
        const { jobs, usage, audit } = await place.open(keys);
        const order = albumOf(count);

        expect(await jobs.accept(order)).toEqual({ job: order.job, known: false });
        expect(await found({ jobs }, order)).toEqual(jobsIn(order));
        for (const { origin, id } of jobsIn(order)) expect((await jobs.byOrigin(origin))?.id).toBe(id);

        const again = { ...albumOf(count), job: { ...opening(), origin: order.job.origin } };
        expect(await jobs.accept(again)).toEqual({ job: order.job, known: true });
        expect(await usage.person(day, community, person)).toEqual({
          reserved: 2 * count,
          spent: 0,
          jobs: count,
        });
        expect(await audit.recent(community, 9)).toEqual(Array(count).fill(line));
      },
    );

    it('an album adds nothing to the one job that its event has made before', async () => {
      const { jobs, usage } = await place.open(keys);
      const job = opening();

      await jobs.accept(orderOf(job));
      const order = { ...albumOf(3), job: { ...opening(), origin: job.origin } };

      expect(await jobs.accept(order)).toEqual({ job, known: true });
      expect(await usage.person(day, community, person)).toMatchObject({ jobs: 1 });
    });

    const fits = (photos: number) => ({ code: 'album', photos, fits: 3 });
    const ceiling = { needed: 8, left: 7, resetsAt: Date.UTC(2026, 0, 6) };
    const tight = (more: Partial<NewJob['limits']>) => ({ limits: { ...limits, ...more } });
    it.each([
      {
        what: 'jobs of a minute',
        more: tight({ userJobsPerMinute: 4 }),
        reason: { ...fits(4), later: { more: 1, afterMs: 60_000 } },
      },
      {
        what: 'unfinished jobs',
        more: tight({ userConcurrentJobs: 1, userWaitingJobs: 3 }),
        reason: fits(4),
      },
      { what: 'allowance', more: { dailyCredits: 9 }, reason: { ...ceiling, code: 'allowance', limit: 9 } },
      {
        what: 'ceiling of the community',
        more: { communityCredits: 9 },
        reason: { ...ceiling, of: 'community' },
      },
      {
        what: 'ceiling of all',
        more: tight({ serviceDailyCredits: 9 }),
        reason: { ...ceiling, of: 'service' },
      },
      {
        what: 'ceiling of the month',
        more: tight({ serviceMonthlyCredits: 9 }),
        reason: { ...ceiling, of: 'month', resetsAt: Date.UTC(2026, 1, 1) },
      },
    ])('an album is refused as a whole where only a part fits: $what', async ({ more, reason }) => {
      const { jobs, usage, audit } = await place.open(keys);
      await jobs.accept(orderOf(opening(), { line, ...more }));
      const before = await usage.person(day, community, person);
      const order = albumOf(4, more);

      await expect(jobs.accept(order)).rejects.toMatchObject({ reason });
      expect((await found({ jobs }, order)).filter(Boolean)).toEqual([]);
      expect(await usage.person(day, community, person)).toEqual(before);
      expect(await audit.recent(community, 9)).toEqual([line]);

      const fewer = albumOf(3, more);
      expect((await jobs.accept(fewer)).known).toBe(false);
      expect(await found({ jobs }, fewer)).toEqual(jobsIn(fewer));
    });

    it('an album that the limit of a minute keeps back says how much of it fits now, and how much more when', async () => {
      const { jobs } = await place.open(keys);
      const order = (photos: number, more: Partial<NewJob['limits']> = {}): NewJob =>
        albumOf(photos, { limits: { ...limits, userJobsPerMinute: 5, ...more } });
      const refused = (of: NewJob, reason: object) =>
        expect(jobs.accept(of)).rejects.toMatchObject({ reason: { code: 'album', ...reason } });

      for (let accepted = 0; accepted < 3; accepted += 1) {
        await jobs.accept(order(1));
        await place.pass(5_000);
      }
      // The three were accepted 15, 10 and 5 seconds ago.
      await refused(order(4), { fits: 2, later: { more: 2, afterMs: 50_000 } });
      await refused(order(5), { fits: 2, later: { more: 3, afterMs: 55_000 } });
      await refused(order(9), { fits: 2, later: { more: 3, afterMs: 55_000 } });
      await refused(order(9, { userConcurrentJobs: 1, userWaitingJobs: 6 }), {
        fits: 2,
        later: { more: 2, afterMs: 50_000 },
      });

      // Time alone does not end what is unfinished.
      await expect(
        jobs.accept(order(4, { userConcurrentJobs: 1, userWaitingJobs: 4 })),
      ).rejects.toMatchObject({
        reason: { code: 'album', photos: 4, fits: 2 },
      });

      await place.pass(50_000);
      expect((await jobs.accept(order(4))).known).toBe(false);
    });

    it('an album takes from a grant only what the day’s credits do not pay, and gives that back', async () => {
      const { jobs, usage, grants } = await place.open(keys);
      const at = place.time.now;

      await grants.add({ community, ids: [community], person, credits: 4, event: 'a grant', at, most: 100 });
      const order = albumOf(4, { dailyCredits: 5, grantsOf: community });
      await jobs.accept(order);

      expect(await usage.person(day, community, person)).toMatchObject({ reserved: 8, granted: 3 });

      for (const job of jobsIn(order)) await jobs.save(job, cancelled(job));
      expect(await usage.person(day, community, person)).toEqual({ reserved: 0, spent: 0, jobs: 4 });
      expect(await grants.left(community, person)).toBe(4);
    });
  });

  describe('a charge', () => {
    const counted = async () => (await place.open()).usage.person(day, community, person);

    it('a charge that was returned is neither spent nor reserved again', async () => {
      const { jobs } = await place.open();
      const job = sampleJob();

      await insert({ jobs }, job);
      const ended = (await jobs.save(job, cancelled(job))) ?? expect.fail();
      const spent = await jobs.save(ended, { ...ended, charge: 'spent' });
      if (spent !== undefined) await jobs.save(spent, { ...spent, charge: 'reserved' });

      expect(await counted()).toEqual({ reserved: 0, spent: 0, jobs: 1 });
    });

    it('a charge is what was stored, whatever the caller says', async () => {
      const { jobs } = await place.open();
      const job: SubmittingJob = sampleJob({ state: 'submitting' });

      await insert({ jobs }, job, sampleJob());
      await jobs.returnCredits({ ...job, credits: 1_000 });

      expect(await counted()).toEqual({ reserved: 2, spent: 0, jobs: 2 });
    });
  });

  describe('a grant', () => {
    let events = 0;
    const grant = (credits: number, more = {}) => {
      events += 1;
      const where = { community, ids: [community], person, at: place.time.now };
      return { ...where, credits, event: `event ${events}`, most: 1_000, ...more };
    };
    const paid = () =>
      orderOf(opening({ createdAt: place.time.now }), { dailyCredits: 0, grantsOf: community });

    it('a grant is one of so many in a community', async () => {
      const { grants } = await place.open([keyOf(3)]);
      for (let people = 0; people < MOST_GRANTS; people += 1)
        await grants.add(grant(1, { person: `discord:${people}` }));

      expect(await grants.add(grant(1))).toEqual({ outcome: 'full', left: 0 });
      expect((await grants.add(grant(1, { person: 'discord:5' }))).left).toBe(2);
      expect((await grants.add(grant(1, { community: 'discord:1' }))).outcome).toBe('added');
      expect(await grants.takeBack(grant(0, { person: 'discord:5' }))).toBe(2);
      expect((await grants.add(grant(1))).outcome).toBe('added');
      expect(await grants.list(community)).toHaveLength(MOST_GRANTS);
    });

    it('a grant makes nobody one of those who had a job', async () => {
      const { grants, usage } = await place.open();
      await grants.add(grant(6, { byModerator: { allowance: 0, fromOwner: 0 } }));

      expect(await usage.community(day, community)).toMatchObject({ people: 0, jobs: 0 });
      expect(await usage.peopleOn([day], [community])).toBe(0);
    });

    it('a grant gets back what it paid, also when a key was set meanwhile', async () => {
      const plain = await place.open();
      await plain.grants.add(grant(4));
      const { job } = await plain.jobs.accept(paid());
      const { jobs, grants } = await place.open([keyOf(4)]);

      expect(await grants.list(community)).toEqual([{ person, credits: 2 }]);

      await jobs.save(job, cancelled(job));
      expect(await grants.left(community, person)).toBe(4);
    });

    it('a grant follows to the first id of its community, with what a job under way returns and what was given that day', async () => {
      const { grants, jobs } = await place.open([keyOf(3)]);
      const first = 'telegram:-5';
      const at = place.time.now;
      const byModerator = { allowance: 0, fromOwner: 0 };

      await grants.add(grant(4, { byModerator }));
      await grants.add(grant(3, { community: first }));
      const { job } = await jobs.accept(paid());

      await grants.follow(community, { community: first, person, at });
      await grants.follow(community, { community: first, person, at });

      expect(await grants.list(community)).toEqual([]);
      expect(await grants.list(first)).toEqual([{ person, credits: 5 }]);

      await jobs.save(job, cancelled(job));
      expect(await grants.left(first, person)).toBe(7);

      const more = grant(4, { community: first, ids: [first, community], most: 8, byModerator });
      expect(await grants.add({ ...more, most: 7 + 4 - 1 })).toMatchObject({ outcome: 'most', rest: 3 });
    });

    it('a grant that is used up is forgotten when no job can give back to it any more', async () => {
      const { grants, jobs, sweep } = await place.open([keyOf(3)]);
      for (const who of [person, 'discord:7']) await grants.add(grant(2, { person: who }));
      await jobs.accept(paid());
      const rows = async () => (await place.sql('SELECT 1 FROM grants')).length;
      place.time.now += 31 * 86_400_000;
      await sweep();

      expect(await rows()).toBe(2);

      place.time.now += 2 * 86_400_000;
      await sweep();

      expect(await rows()).toBe(1);
    });
  });
}
