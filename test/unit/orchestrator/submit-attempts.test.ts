import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, world } from './world.ts';

let goOn: () => void;
beforeEach(async () => {
  await openWorld({ limits: { userConcurrentJobs: 1 } });
  const { promise, resolve } = Promise.withResolvers<void>();
  goOn = resolve;
  world.script.pause = () => promise;
});

const usage = () => world.orchestrator.usage('web:room', 'web:ann');
const stateOf = async (id: string) => (await world.orchestrator.get(id))?.state;

describe('between two attempts to submit a job, the first not having arrived', () => {
  it('the second is made after the pause', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(5_000);
    expect(await stateOf(job.id)).toBe('submitting');
    expect(world.runs).toHaveLength(0);
    goOn();
    await world.clock.advance(60_000);
    expect(await stateOf(job.id)).toBe('done');
    expect(await world.orchestrator.get(job.id)).not.toHaveProperty('unsent');
    expect(world.runs).toHaveLength(1);
  });

  it('a kill loses nothing: the job is queued again and submitted once', async () => {
    const job = await world.submit('ann');
    const behind = await world.submit('ann');
    await world.clock.advance(5_000);
    world.script.pause = undefined;
    await world.restart();
    await world.clock.advance(60_000);
    expect(await stateOf(job.id)).toBe('done');
    expect(await stateOf(behind.id)).toBe('done');
    expect(world.runs).toHaveLength(2);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 4 });
  });

  it('a kill during the second attempt makes it uncertain', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(5_000);
    world.script.onRun = () => new Promise(() => undefined);
    goOn();
    await world.clock.advance(5_000);
    await world.restart();
    await world.clock.advance(60_000);
    expect(await stateOf(job.id)).toBe('uncertain');
    expect(world.runs).toHaveLength(0);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 2 });
  });

  it('Cancel returns the credits, and nothing more is sent', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(5_000);
    expect((await world.orchestrator.cancel(job.id))?.job).toMatchObject({
      state: 'cancelled',
      charge: 'returned',
    });
    goOn();
    await world.clock.advance(60_000);
    expect(world.runs).toHaveLength(0);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 0 });
  });

  it('a disk error before the second attempt only delays it', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(5_000);
    world.script.onStore = (call) => {
      if (call === 'save') throw new Error('disk I/O error');
    };
    goOn();
    await world.clock.advance(30_000);
    expect(world.runs).toHaveLength(0);
    world.script.pause = undefined;
    world.script.onStore = () => undefined;
    await world.clock.advance(120_000);
    expect(await stateOf(job.id)).toBe('done');
    expect(world.runs).toHaveLength(1);
  });
});
