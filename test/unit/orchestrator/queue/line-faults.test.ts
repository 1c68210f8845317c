/** The line through the orchestrator, when things go wrong. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { isFinal, type Job } from '../../../../src/orchestrator/job/job.ts';
import { openWorld, serviceError, video, type WorldOptions, world } from '../world.ts';

const start = async (limits: NonNullable<WorldOptions['limits']>): Promise<void> => {
  await openWorld({ limits: { userWaitingJobs: 1_000, ...limits } });
};

const settled = async (): Promise<void> => {
  await world.clock.advance(0);
  await world.quiet();
};

const change = (text: string): void => {
  const sql = new DatabaseSync(world.file);
  sql.exec(text);
  sql.close();
};

/** Counters of the store, and what its jobs say. */
const slots = (): unknown[] => {
  const sql = new DatabaseSync(world.file);
  const numbers = [
    "SELECT running AS n FROM slots WHERE person = ''",
    "SELECT coalesce(sum(running), 0) AS n FROM slots WHERE person <> ''",
    'SELECT count(*) AS n FROM jobs WHERE slot = 1',
  ].map((text) => sql.prepare(text).get()?.n);
  sql.close();
  return numbers;
};

describe('damaged records at the head of the line', () => {
  it.each([1, 100, 250])('%i of them keep nobody waiting', async (damaged) => {
    await start({ serviceConcurrentJobs: 1 });
    world.script.durationMs = () => 60_000;
    const first = await world.submit('zoe');
    await settled();
    for (let i = 0; i < damaged; i += 1) await world.submit('ann');
    const last = await world.submit('ben');
    await settled();
    change("UPDATE jobs SET body = CAST('nonsense' AS BLOB) WHERE owner = 'web:ann'");
    // Those of one person take turns with others.
    change("UPDATE jobs SET turn = 1 WHERE owner = 'web:ann'");
    await world.orchestrator.cancel(first.id);
    await settled();
    expect(world.runs).toHaveLength(2);
    expect((await world.store.jobs.get(last.id))?.state).toBe('running');
    expect(world.store.damaged()).toBe(damaged);
    expect(slots()).toEqual([1, 1, 1]);
  });

  it('nor does one that cannot be set aside', async () => {
    await start({ serviceConcurrentJobs: 1 });
    world.script.durationMs = () => 60_000;
    const first = await world.submit('zoe');
    await settled();
    await world.submit('ann');
    const last = await world.submit('ben');
    await settled();
    change("UPDATE jobs SET body = CAST('nonsense' AS BLOB) WHERE owner = 'web:ann'");
    change("CREATE TRIGGER broken BEFORE INSERT ON damaged BEGIN SELECT RAISE(ABORT, 'no'); END");
    await world.orchestrator.cancel(first.id);
    await settled();
    expect((await world.store.jobs.get(last.id))?.state).toBe('running');
    expect(slots()).toEqual([1, 1, 1]);
  });
});

describe('a restart with other limits', () => {
  it.each([
    [{ userConcurrentJobs: 3, serviceConcurrentJobs: 9 }, 9],
    [{ userConcurrentJobs: 1, serviceConcurrentJobs: 9 }, 4],
    [{ userConcurrentJobs: 1, serviceConcurrentJobs: 2 }, 2],
    [{ userConcurrentJobs: 3, serviceConcurrentJobs: 2 }, 2],
  ])('%j: %i run at once', async (limits, most) => {
    await start({ userConcurrentJobs: 2, serviceConcurrentJobs: 6 });
    world.script.durationMs = () => 30_000;
    const all: Job[] = [];
    for (let i = 0; i < 5; i += 1)
      for (const person of ['ann', 'ben', 'cid', 'dan']) all.push(await world.submit(person));
    await settled();
    expect(slots()).toEqual([6, 6, 6]);
    await world.restart({ userWaitingJobs: 1_000, ...limits });
    const seen: number[] = [];
    for (let i = 0; i < 180; i += 1) {
      await world.clock.advance(2_000);
      await settled();
      const [inAll = 0, people, recount] = slots();
      expect([people, recount]).toEqual([inAll, inAll]);
      // Those that ran when it was restarted go on.
      seen.push(Number(inAll));
    }
    expect(Math.max(...seen.slice(18))).toBe(most);
    const ended = await Promise.all(all.map(async ({ id }) => (await world.store.jobs.get(id))?.state));
    expect(ended.filter((state) => state !== 'done')).toEqual([]);
    expect(world.runs).toHaveLength(all.length);
  });
});

describe('a store that fails', () => {
  it.each([2, 3, 5, 7])('at every %i. call: all end, and every slot is free', async (nth) => {
    await start({ userConcurrentJobs: 2, serviceConcurrentJobs: 3 });
    let calls = 0;
    const all: Job[] = [];
    for (let i = 0; i < 4; i += 1)
      for (const person of ['ann', 'ben', 'cid'])
        all.push(await world.submit(person, i % 2 === 0 ? {} : { request: video }));
    world.script.onStore = () => {
      calls += 1;
      if (calls % nth === 0) throw new Error('disk I/O error');
    };
    for (let i = 0; i < 60; i += 1) {
      await world.clock.advance(2_000);
      await settled();
      if (i === 10) await world.orchestrator.cancel(all[7]?.id ?? '').catch(() => undefined);
      expect(Number(slots()[0])).toBeLessThanOrEqual(3);
    }
    world.script.onStore = () => undefined;
    for (let i = 0; i < 60; i += 1) {
      await world.clock.advance(15_000);
      await settled();
    }
    const now = await Promise.all(all.map(async ({ id }) => world.store.jobs.get(id)));
    expect(now.filter((job) => job === undefined || !isFinal(job.state)).map((job) => job?.state)).toEqual(
      [],
    );
    expect(slots()).toEqual([0, 0, 0]);
    expect(world.runs.length).toBeLessThanOrEqual(all.length);
  });
});

describe('one half of the service', () => {
  const isVideo = (request: object): boolean => JSON.stringify(request).includes('drifts');

  it.each(['unreachable', 'rate-limited', 'unauthorized'] as const)(
    'that is %s for an hour keeps nobody from the other, and nothing is lost',
    async (kind) => {
      await start({ userConcurrentJobs: 1, serviceConcurrentJobs: 2 });
      let isDown = true;
      const fail = (): never => {
        throw serviceError(kind, false);
      };
      world.script.onRun = (_, request) => (isDown && isVideo(request) ? fail() : undefined);
      world.script.onProbe = () => (isDown ? fail() : undefined);
      const films: Job[] = [];
      for (const person of ['ann', 'ben', 'cid', 'ann', 'ben'])
        films.push(await world.submit(person, { request: video }));
      const pictures: Job[] = [];
      for (const person of ['ann', 'ben', 'dan', 'eve', 'dan']) pictures.push(await world.submit(person));
      const states = async (jobs: readonly Job[]) =>
        Promise.all(jobs.map(async ({ id }) => (await world.store.jobs.get(id))?.state));
      for (let i = 0; i < 60; i += 1) {
        await world.clock.advance(60_000);
        await settled();
        expect(Number(slots()[0])).toBeLessThanOrEqual(2);
      }
      expect(await states(pictures)).toEqual(pictures.map(() => 'done'));
      isDown = false;
      for (let i = 0; i < 30; i += 1) {
        await world.clock.advance(60_000);
        await settled();
      }
      const ends = await states(films);
      // Wrong credentials fail the first jobs at once, and the others wait for the owner.
      const failed = kind === 'unauthorized' ? 2 : 0;
      expect(ends.filter((state) => state === 'failed')).toHaveLength(failed);
      expect(ends.filter((state) => state === 'done')).toHaveLength(films.length - failed);
      expect(slots()).toEqual([0, 0, 0]);
    },
  );
});
