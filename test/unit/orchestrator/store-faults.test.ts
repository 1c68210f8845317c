import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, orderOf, type StoreCall, serviceError, world } from './world.ts';

beforeEach(() => openWorld());

/** From now on, for so long, these calls to the records fail. */
const failFor = (ms: number, ...calls: readonly StoreCall[]): void => {
  const end = world.clock.now() + ms;
  world.script.onStore = (call) => {
    if (calls.includes(call) && world.clock.now() < end) throw new Error('disk I/O error');
  };
};

describe('when the disk fails for a while', () => {
  it('a job whose state could not be stored before sending is submitted later, once', async () => {
    world.script.photo = async () => failFor(30_000, 'save');
    const job = await world.submit('ann');
    await world.clock.advance(10_000);
    expect(world.runs).toHaveLength(0);
    world.script.photo = async () => undefined;
    await world.clock.advance(120_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
    expect(world.runs).toHaveLength(1);
  });

  it('an accepted run is kept in memory until it can be stored, and its result is shown', async () => {
    world.script.onRun = () => failFor(300_000, 'save');
    const job = await world.submit('ann');
    await world.clock.advance(290_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('submitting');
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'done',
      settled: true,
      charge: 'spent',
    });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
    expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('a refused run is kept in memory too, and costs nothing', async () => {
    world.script.onRun = () => {
      failFor(30_000, 'save');
      throw serviceError('refused', false);
    };
    const job = await world.submit('ann');
    await world.clock.advance(120_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'failed',
      settled: true,
      charge: 'returned',
    });
  });

  it('meanwhile nothing is called or drawn that would be repeated', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    failFor(3_600_000, 'save');
    await world.clock.advance(60_000);
    const [looks, drawings] = [world.looks.length, world.finalDrawings(job.id).length];
    await world.clock.advance(3_000_000);
    expect(world.looks).toHaveLength(looks);
    expect(world.finalDrawings(job.id)).toHaveLength(drawings);
    world.script.onStore = undefined;
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
  });

  it('a card that appeared meanwhile is stored later, and its job continues', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    failFor(120_000, 'save');
    const shown = world.orchestrator.shown(job.id, { platform: 'web', ref: 'card' });
    await expect(shown).rejects.toThrow('disk I/O error');
    await world.clock.advance(180_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card: { ref: 'card' } });
  });

  it('a result whose card was deleted does not create several new cards', async () => {
    world.script.draw = (job) => {
      if (job.state !== 'done' || job.moved) return { state: 'drawn' };
      failFor(120_000, 'save');
      return { state: 'gone' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(100_000);
    expect(world.newCards).toEqual([]);
    world.script.draw = ({ moved }) => ({ state: moved ? 'drawn' : 'gone' });
    await world.clock.advance(400_000);
    expect(world.newCards).toEqual([job.id]);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', moved: true });
  });

  it('a new card that could not be stored is removed', async () => {
    world.script.draw = ({ moved }) => ({ state: moved ? 'drawn' : 'gone' });
    world.script.newCard = ({ id }) => {
      failFor(20_000, 'save');
      world.script.newCard = () => ({ platform: 'web', ref: 'second' });
      return { platform: 'web', ref: `first-${id}` };
    };
    const job = await world.submit('ann');
    await world.clock.advance(400_000);
    expect(world.discarded).toEqual([`first-${job.id}`]);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card: { ref: 'second' } });
  });

  it('stopping meanwhile does not fail', async () => {
    await world.submit('ann');
    await world.clock.advance(30_000);
    failFor(60_000, 'save');
    const stopped = world.orchestrator.stop();
    await world.clock.advance(10_000);
    await expect(stopped).resolves.toBeUndefined();
  });

  it('that is logged and told once, however many jobs are in hand', async () => {
    for (const person of ['ann', 'ben', 'cid', 'dan']) await world.submit(person);
    await world.clock.advance(1_000);
    failFor(600_000, 'save', 'claim', 'release');
    await world.clock.advance(590_000);
    expect(world.errors).toEqual(['the store is not writable: work is suspended until it is']);
    expect(world.notices).toEqual(['store']);
    await world.clock.advance(120_000);
    expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0, steps: 0 });
  });

  it('a job that cannot be read when it is to probe the service does not block others', async () => {
    let credits = false;
    world.script.onRun = () => {
      if (!credits) throw serviceError('credits', false);
    };
    for (const person of ['ann', 'cid', 'dan']) await world.submit(person);
    await world.clock.advance(1_000);
    expect((await world.orchestrator.stats()).outages.key).toBe('credits');
    const next = await world.submit('ben');
    credits = true;
    failFor(90_000, 'get');
    await world.clock.advance(80_000);
    world.script.onStore = undefined;
    await world.clock.advance(180_000);
    expect((await world.orchestrator.get(next.id))?.state).toBe('done');
  });

  it('stopping does not wait for the disk', async () => {
    world.script.photo = async () => failFor(30_000, 'save');
    await world.submit('ann');
    await world.clock.advance(1_000);
    await world.orchestrator.stop();
    await world.clock.advance(60_000);
    expect(world.runs).toHaveLength(0);
  });
});
