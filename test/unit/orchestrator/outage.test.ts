import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { openWorld, serviceError, world } from './world.ts';

beforeEach(async () => {
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  await openWorld({ limits: { userConcurrentJobs: 10, userWaitingJobs: 200 }, random });
});

describe('when the service is down', () => {
  it('stops calling, says why on waiting cards, and continues by itself', async () => {
    let calls = 0;
    const end = world.clock.now() + 10 * 60_000;
    world.script.onRun = () => {
      calls += 1;
      if (world.clock.now() < end) throw serviceError('unreachable', false);
    };
    const jobs = await Promise.all(Array.from({ length: 40 }, (_, i) => world.submit(`person ${i}`)));
    await world.clock.advance(9 * 60_000);
    // Without a breaker, forty jobs that come back every minute or sooner would have called some 400 times.
    expect(calls).toBeLessThan(180);
    expect((await world.orchestrator.stats()).outages).toEqual({ key: 'unavailable', token: undefined });
    const stored = await Promise.all(jobs.map(({ id }) => world.orchestrator.get(id)));
    const waiting = stored.find((job) => job?.state === 'waiting');
    if (waiting === undefined) throw new Error('Somebody should be waiting.');
    expect(await world.orchestrator.jobStatus(waiting)).toMatchObject({ outage: 'unavailable' });
    await world.clock.advance(6 * 60_000);
    expect(await Promise.all(jobs.map(async ({ id }) => (await world.orchestrator.get(id))?.state))).toEqual(
      jobs.map(() => 'done'),
    );
    expect(world.runs).toHaveLength(40);
  });

  it.each([
    ['it is back', 'unavailable', 'unavailable'],
    ['the page of a proxy has gone', 'unknown-outcome', 'bad-response'],
  ] as const)(
    'waiting jobs are not used as probes: a free call checks whether %s',
    async (_, onRun, onProbe) => {
      const end = world.clock.now() + 10 * 60_000;
      const down = (kind: typeof onRun | typeof onProbe) => (): void => {
        if (world.clock.now() < end) throw serviceError(kind, true);
      };
      let probes = 0;
      world.script.onRun = down(onRun);
      world.script.onProbe = () => {
        probes += 1;
        down(onProbe)();
      };
      const first = await Promise.all(Array.from({ length: 5 }, (_, i) => world.submit(`person ${i}`)));
      await world.clock.advance(1_000);
      const others = await Promise.all(Array.from({ length: 20 }, (_, i) => world.submit(`other ${i}`)));
      await world.clock.advance(9 * 60_000);
      const statesOf = async (jobs: readonly { id: string }[]) =>
        await Promise.all(jobs.map(async ({ id }) => (await world.orchestrator.get(id))?.state));
      // Nobody can know what became of those that found it out.
      expect(await statesOf(first)).toEqual(first.map(() => 'uncertain'));
      expect(await statesOf(others)).toEqual(others.map(() => 'waiting'));
      expect(probes).toBeGreaterThan(50);
      expect(probes).toBeLessThan(250);
      await world.clock.advance(3 * 60_000);
      expect(await statesOf(others)).toEqual(others.map(() => 'done'));
      expect(world.runs).toHaveLength(others.length);
    },
  );

  it('for submissions only stops those, whatever polls return', async () => {
    world.script.durationMs = () => 9 * 60_000;
    const running = await world.submit('before');
    await world.clock.advance(2_000);
    const end = world.clock.now() + 10 * 60_000;
    let calls = 0;
    world.script.onRun = () => {
      calls += 1;
      if (world.clock.now() < end) throw serviceError('unavailable', true);
    };
    world.script.durationMs = () => 8_000;
    const jobs: Job[] = [];
    for (let i = 0; i < 100; i += 1) {
      jobs.push(await world.submit(`person ${i}`));
      await world.clock.advance(3_000);
    }
    expect(calls).toBeLessThan(30);
    const inState = async (state: Job['state']): Promise<Job[]> => {
      const all = await Promise.all(jobs.map(({ id }) => world.orchestrator.get(id)));
      return all.flatMap((job) => (job?.state === state ? [job] : []));
    };
    const waiting = await inState('waiting');
    expect(waiting.length).toBeGreaterThan(70);
    for (const job of waiting)
      expect(await world.orchestrator.jobStatus(job)).toMatchObject({ outage: 'unavailable' });
    const seen = await world.orchestrator.get(running.id);
    if (seen === undefined) throw new Error('It should be running.');
    expect(await world.orchestrator.jobStatus(seen)).not.toHaveProperty('outage');
    await world.clock.advance(10 * 60_000);
    expect((await inState('done')).length).toBeGreaterThan(50);
    expect((await world.orchestrator.get(running.id))?.state).toBe('done');
  });

  it('can be cancelled while the service is probed', async () => {
    world.script.onRun = () => {
      throw serviceError('unavailable', true);
    };
    for (let i = 0; i < 5; i += 1) await world.submit(`person ${i}`);
    await world.clock.advance(100);
    const knocked = Promise.withResolvers<void>();
    world.script.onProbe = () => knocked.promise;
    const job = await world.submit('ann');
    await world.clock.advance(10_000);
    expect((await world.orchestrator.cancel(job.id))?.job.state).toBe('cancelled');
    knocked.reject(serviceError('unavailable', true));
    await world.clock.advance(10_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', charge: 'returned' });
  });

  it.each([5_000, 20_000, 45_000])(
    'loses nothing in %i ms without polls, and sees results soon after',
    async (ms) => {
      const jobs = await Promise.all(Array.from({ length: 100 }, (_, i) => world.submit(`person ${i % 10}`)));
      await world.clock.advance(4_000);
      const end = world.clock.now() + ms;
      let looksAtEnd = 0;
      world.script.onLook = () => {
        if (world.clock.now() < end) throw serviceError('unavailable', true);
        if (world.clock.now() < end + 200) looksAtEnd += 1;
      };
      await world.clock.advance(ms + 10_000);
      const firstFifty = await Promise.all(
        jobs.slice(0, 50).map(async ({ id }) => (await world.orchestrator.get(id))?.state),
      );
      expect(firstFifty.filter((state) => state === 'done').length).toBe(50);
      // Fifty are waiting to be seen; they come one after the other, not as one crowd.
      expect(looksAtEnd).toBeLessThan(25);
      await world.clock.advance(120_000);
      const all = await Promise.all(jobs.map(({ id }) => world.orchestrator.get(id)));
      expect(all.every((job) => job?.state === 'done')).toBe(true);
    },
  );
});

it('a photo that hangs does not delay results when the service is back', async () => {
  const running = await world.submit('ann');
  await world.clock.advance(500);
  world.script.onLook = () => {
    throw serviceError('unavailable', true);
  };
  await world.clock.advance(60_000);
  expect((await world.orchestrator.stats()).outages.key).toBe('unavailable');
  world.script.photo = () => new Promise(() => undefined);
  for (const person of ['ben', 'cleo', 'dan', 'eve', 'fay', 'gus']) await world.submit(person);
  await world.clock.advance(10_000);
  world.script.onLook = () => undefined;
  await world.clock.advance(20_000);
  expect((await world.orchestrator.get(running.id))?.state).toBe('done');
});
