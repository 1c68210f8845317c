import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, serviceError, swap, video, world } from './world.ts';

beforeEach(() => openWorld());

const MINUTE = 60_000;

/** The service knows nothing of the first run's job, from the given look on. */
const loseFirst = (kind: 'not-found' | 'refused', status: number, fromLook = 1): void => {
  let count = 0;
  world.script.onLook = (id) => {
    if (id !== 'service-1') return;
    count += 1;
    if (count >= fromLook) throw serviceError(kind, false, { status });
  };
};

/** Somebody else's job that runs all the time, so that its status path answers. */
const bystander = async (): Promise<void> => {
  await world.submit('ben');
};

describe('a job that the service no longer knows, while it answers for others', () => {
  it.each([
    ['not-found', 404],
    ['not-found', 410],
    ['refused', 400],
    ['refused', 405],
    ['refused', 422],
  ] as const)(
    '%s (%i): fails after a few polls over a minute, and the credits are returned',
    async (kind, status) => {
      world.script.durationMs = () => 9 * MINUTE;
      loseFirst(kind, status, 2);
      const job = await world.submit('ann');
      await world.clock.advance(0);
      await bystander();
      await world.clock.advance(50_000);
      expect((await world.orchestrator.get(job.id))?.state).toBe('running');
      await world.clock.advance(2 * MINUTE);
      expect(await world.orchestrator.get(job.id)).toMatchObject({
        state: 'failed',
        failure: { code: 'job-unknown' },
        charge: 'returned',
        settled: true,
      });
      expect(world.finalDrawings(job.id)).toHaveLength(1);
    },
  );

  it('is polled for longer when it was never seen', async () => {
    world.script.durationMs = () => 9 * MINUTE;
    let appears = false;
    world.script.onLook = (id) => {
      if (id === 'service-1' && !appears) throw serviceError('not-found', false, { status: 404 });
    };
    const job = await world.submit('ann');
    await world.clock.advance(0);
    await bystander();
    await world.clock.advance(100_000);
    appears = true;
    await world.clock.advance(9 * MINUTE);
    expect((await world.orchestrator.get(job.id))?.state).toBe('done');
  });

  it('counts from the start when it was seen in between', async () => {
    world.script.durationMs = () => 9 * MINUTE;
    let count = 0;
    world.script.onLook = (id) => {
      if (id === 'service-1' && ++count % 4 !== 0) throw serviceError('not-found', false, { status: 404 });
    };
    const job = await world.submit('ann');
    await world.clock.advance(0);
    await bystander();
    await world.clock.advance(10 * MINUTE);
    expect((await world.orchestrator.get(job.id))?.state).toBe('done');
  });

  it('is still counted after a restart', async () => {
    world.script.durationMs = () => 9 * MINUTE;
    loseFirst('not-found', 404, 2);
    const job = await world.submit('ann');
    await world.clock.advance(0);
    await bystander();
    await world.clock.advance(40_000);
    await world.restart();
    await world.clock.advance(100_000);
    expect((await world.orchestrator.get(job.id))?.failure).toEqual({ code: 'job-unknown' });
  });
});

describe('when the service knows no job', () => {
  it('no job ends before its deadline', async () => {
    world.script.durationMs = () => 5 * MINUTE;
    let broken = true;
    world.script.onLook = () => {
      if (broken) throw serviceError('not-found', false, { status: 404 });
    };
    const jobs = await Promise.all(['ann', 'ben', 'cid'].map((person) => world.submit(person)));
    await world.clock.advance(8 * MINUTE);
    for (const { id } of jobs) expect((await world.orchestrator.get(id))?.state).toBe('running');
    broken = false;
    await world.clock.advance(MINUTE);
    for (const { id } of jobs) expect((await world.orchestrator.get(id))?.state).toBe('done');
  });

  it('responses of another status path prove nothing', async () => {
    world.script.durationMs = () => 20 * MINUTE;
    loseFirst('not-found', 404);
    const film = await world.submit('ann', { request: video });
    await world.clock.advance(0);
    for (const person of ['ben', 'cid']) await world.submit(person, { request: swap });
    await world.clock.advance(15 * MINUTE);
    expect((await world.orchestrator.get(film.id))?.state).toBe('running');
    await world.clock.advance(20 * MINUTE);
    expect(await world.orchestrator.get(film.id)).toMatchObject({
      failure: { code: 'job-unknown' },
      charge: 'returned',
    });
  });
});
