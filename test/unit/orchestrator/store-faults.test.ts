import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, serviceError, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

/** From now on, for so long, these calls to the records fail. */
const failFor = (ms: number, ...calls: readonly ('get' | 'save' | 'due')[]): void => {
  const end = world.clock.now() + ms;
  world.script.onStore = (call) => {
    if (calls.includes(call) && world.clock.now() < end) throw new Error('disk I/O error');
  };
};

describe('when the disk fails for a while', () => {
  it('a job that could not be written down as submitted is submitted afterwards, once', async () => {
    world.script.photo = async () => failFor(30_000, 'save');
    const job = world.submit('ann');
    await world.clock.advance(10_000);
    expect(world.runs).toHaveLength(0);
    world.script.photo = async () => undefined;
    await world.clock.advance(120_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
    expect(world.runs).toHaveLength(1);
  });

  it('a job whose submission could not be written down ends as uncertain instead of hanging', async () => {
    world.script.onRun = () => failFor(30_000, 'save');
    const job = world.submit('ann');
    await world.clock.advance(120_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'uncertain', settled: true });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
    expect(world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('the table of due jobs is asked again, and nothing breaks out of a timer', async () => {
    const job = world.submit('ann');
    await world.clock.advance(1_000);
    failFor(60_000, 'due');
    await world.clock.advance(70_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
  });

  it('the one that tries the service out again does not close the way for all others', async () => {
    let credits = false;
    world.script.onRun = () => {
      if (!credits) throw serviceError('credits', false);
    };
    for (const person of ['ann', 'cid', 'dan']) world.submit(person);
    await world.clock.advance(1_000);
    expect(world.orchestrator.stats().outages.key).toBe('credits');
    const next = world.submit('ben');
    credits = true;
    failFor(90_000, 'get');
    await world.clock.advance(80_000);
    world.script.onStore = undefined;
    await world.clock.advance(180_000);
    expect(world.orchestrator.get(next.id)?.state).toBe('done');
  });

  it('stopping does not wait for it', async () => {
    world.script.photo = async () => failFor(30_000, 'save');
    world.submit('ann');
    await world.clock.advance(1_000);
    await world.orchestrator.stop();
    await world.clock.advance(60_000);
    expect(world.runs).toHaveLength(0);
  });
});
