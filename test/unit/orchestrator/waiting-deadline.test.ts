import { describe, expect, it } from 'vitest';
import { openWorld, serviceError, video, type WorldOptions, world } from './world.ts';

const open = async (options: WorldOptions = {}): Promise<void> => {
  await openWorld({ deadlines: { waitingMs: 30 * MINUTE }, ...options });
};

const MINUTE = 60_000;
const jobOf = ({ id }: { readonly id: string }) => world.orchestrator.get(id);
const givenUp = { state: 'failed', failure: { code: 'deadline' }, charge: 'returned', settled: true };

describe('a waiting job fails at its deadline', () => {
  it('behind a job that does not end', async () => {
    await open({ limits: { serviceConcurrentJobs: 1 }, deadlines: { waitingMs: 5 * MINUTE } });
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    await world.submit('ann');
    const behind = await world.submit('ben');
    await world.clock.advance(5 * MINUTE - 1_000);
    expect((await jobOf(behind))?.state).toBe('waiting');
    await world.clock.advance(2_000);
    expect(await jobOf(behind)).toMatchObject(givenUp);
    expect(await world.orchestrator.stats()).toMatchObject({ waiting: 0, running: 1 });
    expect(world.runs).toHaveLength(1);
  });

  it('behind an open breaker, also across restarts', async () => {
    await open();
    world.script.onRun = () => {
      throw serviceError('unreachable', false);
    };
    const jobs = await Promise.all(Array.from({ length: 10 }, (_, i) => world.submit(`person ${i}`)));
    await world.clock.advance(29 * MINUTE);
    expect(await Promise.all(jobs.map(async (job) => (await jobOf(job))?.state))).toEqual(
      jobs.map(() => 'waiting'),
    );
    await world.restart();
    await world.clock.advance(2 * MINUTE);
    expect(await Promise.all(jobs.map(jobOf))).toMatchObject(jobs.map(() => givenUp));
    expect((await world.orchestrator.stats()).waiting).toBe(0);
  });

  it('while the program is not running', async () => {
    await open();
    world.script.photo = () => new Promise(() => undefined);
    const job = await world.submit('ann');
    const stopped = world.orchestrator.stop();
    await world.clock.advance(31 * MINUTE);
    await stopped;
    await world.restart();
    await world.clock.advance(1_000);
    expect(await jobOf(job)).toMatchObject(givenUp);
  });

  it('but not if it was sent before', async () => {
    await open({ deadlines: { waitingMs: 10_000 } });
    world.script.durationMs = () => 20_000;
    const job = await world.submit('ann', { request: video });
    await world.clock.advance(2 * MINUTE);
    expect((await jobOf(job))?.state).toBe('done');
  });
});

describe('a result that cannot be read', () => {
  it('is fetched a few times, then the job fails and the credits are returned', async () => {
    await open();
    world.script.outcome = () => {
      throw serviceError('unusable-result', true);
    };
    const job = await world.submit('ann');
    let asked = 0;
    world.script.onLook = () => {
      asked += 1;
    };
    await world.clock.advance(2 * MINUTE);
    expect(await jobOf(job)).toMatchObject({
      state: 'failed',
      failure: { code: 'result-unusable' },
      charge: 'returned',
      settled: true,
    });
    expect(asked).toBeLessThan(25);
    const before = asked;
    await world.clock.advance(60 * MINUTE);
    expect(asked).toBe(before);
  });

  it('is shown when it can be read later', async () => {
    await open();
    const { outcome } = world.script;
    let bad = 5;
    world.script.outcome = (id) => {
      bad -= 1;
      if (bad >= 0) throw serviceError('unusable-result', true);
      return outcome(id);
    };
    const job = await world.submit('ann');
    await world.clock.advance(2 * MINUTE);
    expect((await jobOf(job))?.state).toBe('done');
  });

  it('is not assumed for garbage from a proxy: that is an outage and loses nothing', async () => {
    await open();
    const end = world.clock.now() + 9 * MINUTE;
    world.script.onLook = () => {
      if (world.clock.now() < end) throw serviceError('bad-response', true);
    };
    const job = await world.submit('ann');
    await world.clock.advance(10 * MINUTE);
    expect((await jobOf(job))?.state).toBe('done');
  });

  it('that is fetched again for a card is given up as well', async () => {
    await open();
    let broken = true;
    world.script.draw = (_, importance) => {
      if (broken && importance === 'final') throw new Error('down');
      return { state: 'drawn' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    expect((await jobOf(job))?.state).toBe('delivering');
    broken = false;
    world.script.outcome = () => {
      throw serviceError('unusable-result', true);
    };
    await world.clock.advance(60 * MINUTE);
    expect(await jobOf(job)).toMatchObject({ state: 'failed', failure: { code: 'result-gone' } });
  });
});
