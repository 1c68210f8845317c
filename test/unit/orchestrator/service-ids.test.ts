import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, video, world } from './world.ts';

beforeEach(() => openWorld());

it('a run that is answered with the id of another active job is uncertain and shows no picture', async () => {
  world.script.serviceId = () => 'service-1';
  const a = await world.submit('ann');
  const b = await world.submit('ben');
  await world.clock.advance(60_000);
  expect(await world.orchestrator.get(a.id)).toMatchObject({ state: 'done', charge: 'spent' });
  expect(await world.orchestrator.get(b.id)).toMatchObject({
    state: 'uncertain',
    charge: 'spent',
    settled: true,
  });
  expect(await world.orchestrator.get(b.id)).not.toHaveProperty('serviceId');
  expect(world.finalDrawings(b.id).map(({ withResult }) => withResult)).toEqual([false]);
  expect(world.warnings).toHaveLength(1);
  expect(world.finished.map(({ id }) => id).toSorted()).toEqual([a.id, b.id].toSorted());
});

it('the id of a finished job stays taken, also after a restart', async () => {
  world.script.serviceId = () => 'service-1';
  await world.submit('ann');
  await world.clock.advance(60_000);
  await world.restart();
  const later = await world.submit('ben');
  await world.clock.advance(60_000);
  expect((await world.orchestrator.get(later.id))?.state).toBe('uncertain');
});

it('pictures and videos have different status paths, and may have the same id', async () => {
  world.script.serviceId = () => 'service-1';
  const picture = await world.submit('ann');
  const film = await world.submit('ben', { request: video });
  await world.clock.advance(60_000);
  for (const { id } of [picture, film]) expect((await world.orchestrator.get(id))?.state).toBe('done');
});

it('a disk error at the moment of the response does not lose the id', async () => {
  world.script.serviceId = () => 'service-1';
  await world.submit('ann');
  await world.clock.advance(60_000);
  const job = await world.submit('ben');
  world.script.onRun = () => {
    world.script.onStore = () => {
      throw new Error('the disk is full');
    };
  };
  await world.clock.advance(1_000);
  world.script.onStore = undefined;
  await world.clock.advance(60_000);
  expect((await world.orchestrator.get(job.id))?.state).toBe('uncertain');
  expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
});

describe('the id of a job stays taken', () => {
  const second = async (): Promise<string | undefined> => {
    const job = await world.submit('ben');
    await world.clock.advance(60_000);
    expect(world.finalDrawings(job.id).map(({ withResult }) => withResult)).toEqual([false]);
    return (await world.orchestrator.get(job.id))?.state;
  };

  it.each(['cancelled', 'removed'] as const)('when it was %s while its call was in progress', async (how) => {
    world.script.serviceId = () => 'service-1';
    const answered = Promise.withResolvers<void>();
    world.script.onRun = (run) => (run === 1 ? answered.promise : undefined);
    const { id } = await world.submit('ann');
    await world.clock.advance(1_000);
    if (how === 'cancelled') await world.orchestrator.cancel(id);
    else await world.orchestrator.remove(id);
    await world.clock.advance(5_000);
    answered.resolve();
    await world.clock.advance(5_000);
    expect(await second()).toBe('uncertain');
  });

  it.each(['running', 'done'] as const)('when it is deleted while it is %s', async (state) => {
    world.script.serviceId = () => 'service-1';
    const { id } = await world.submit('ann');
    await world.clock.advance(state === 'done' ? 60_000 : 1_000);
    expect((await world.orchestrator.get(id))?.state).toBe(state);
    await world.orchestrator.remove(id);
    await world.clock.advance(5_000);
    expect(await world.orchestrator.get(id)).toBeUndefined();
    await world.restart();
    expect(await second()).toBe('uncertain');
  });

  it('when all data of its person is deleted', async () => {
    world.script.serviceId = () => 'service-1';
    await world.submit('ann');
    await world.clock.advance(60_000);
    const { finished: erased } = await world.orchestrator.erase('web:ann');
    await world.clock.advance(60_000);
    expect(await erased).toBe(1);
    expect(await second()).toBe('uncertain');
  });
});
