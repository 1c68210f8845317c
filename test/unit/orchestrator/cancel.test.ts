import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, serviceError, world } from './world.ts';

beforeEach(() => openWorld({ limits: { userConcurrentJobs: 1 } }));

const usage = () => world.orchestrator.usage('web:room', 'web:ann');

describe('cancel', () => {
  it('while it is queued: it is never sent, and the credits are returned', async () => {
    await world.submit('ann');
    const second = await world.submit('ann');
    await world.clock.advance(1_000);
    expect((await world.orchestrator.cancel(second.id))?.job).toMatchObject({
      state: 'cancelled',
      charge: 'returned',
    });
    await world.clock.advance(120_000);
    expect(world.runs).toHaveLength(1);
    expect(world.finalDrawings(second.id)).toHaveLength(1);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 2 });
    expect(await world.orchestrator.cancel('no such job')).toBeUndefined();
  });

  it('while its photo is fetched: it is never sent', async () => {
    const photo = Promise.withResolvers<void>();
    world.script.photo = () => photo.promise;
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    await world.orchestrator.cancel(job.id);
    photo.resolve();
    await world.clock.advance(60_000);
    expect(world.runs).toHaveLength(0);
    expect(await usage()).toMatchObject({ reserved: 0, spent: 0 });
  });

  it('while it waits for its call: it is never sent', async () => {
    const turn = Promise.withResolvers<void>();
    world.script.turn = () => turn.promise;
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    expect((await world.orchestrator.cancel(job.id))?.job).toMatchObject({
      state: 'cancelled',
      charge: 'returned',
    });
    turn.resolve();
    await world.clock.advance(60_000);
    expect(world.runs).toHaveLength(0);
    expect(world.finalDrawings(job.id).map(({ job: { charge } }) => charge)).toEqual(['returned']);
  });

  it('while it is being sent: spent, unless the service did not accept it', async () => {
    const run = Promise.withResolvers<void>();
    world.script.onRun = () => run.promise;
    const taken = await world.submit('ann');
    await world.clock.advance(1_000);
    expect((await world.orchestrator.cancel(taken.id))?.job).toMatchObject({
      state: 'cancelled',
      charge: 'spent',
    });
    run.resolve();
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(taken.id)).toMatchObject({ state: 'cancelled', charge: 'spent' });

    const refused = Promise.withResolvers<void>();
    world.script.onRun = async () => {
      await refused.promise;
      throw serviceError('refused', false);
    };
    const notTaken = await world.submit('ann');
    await world.clock.advance(1_000);
    await world.orchestrator.cancel(notTaken.id);
    refused.resolve();
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(notTaken.id)).toMatchObject({
      state: 'cancelled',
      charge: 'returned',
    });
    expect(world.finalDrawings(notTaken.id).at(-1)?.job.charge).toBe('returned');
    expect(await usage()).toMatchObject({ reserved: 0, spent: 2 });
  });

  it('while it runs: the slot is free immediately, the credits stay spent, polling stops', async () => {
    const first = await world.submit('ann');
    const second = await world.submit('ann');
    await world.clock.advance(2_000);
    expect((await world.orchestrator.cancel(first.id))?.job).toMatchObject({
      state: 'cancelled',
      charge: 'spent',
    });
    await world.clock.advance(500);
    expect((await world.orchestrator.get(second.id))?.state).toBe('running');
    const looks = world.looks.filter(({ id }) => id === 'service-1').length;
    await world.clock.advance(60_000);
    expect(world.looks.filter(({ id }) => id === 'service-1')).toHaveLength(looks);
    expect(world.finalDrawings(first.id).map(({ state }) => state)).toEqual(['cancelled']);
  });

  it('while its poll is queued: it is not polled, and the card shows the end once', async () => {
    const people = Array.from({ length: 20 }, (_, i) => `person ${i}`);
    const jobs = await Promise.all(people.map((person) => world.submit(person)));
    await world.clock.advance(500);
    const looked: string[] = [];
    const others = async (id: string): Promise<string[]> => {
      const all = await Promise.all(jobs.map((job) => world.orchestrator.get(job.id)));
      return all.flatMap((job) => (job === undefined || job.serviceId === id ? [] : [job.id]));
    };
    world.script.onLook = async (id) => {
      // The first look of many that fell due in the same moment.
      if (looked.push(id) === 1) for (const other of await others(id)) await world.orchestrator.cancel(other);
    };
    await world.clock.advance(60_000);
    const [first = ''] = looked;
    expect(looked.filter((id) => id !== first)).toHaveLength(new Set(looked).size - 1);
    for (const id of await others(first)) {
      expect(world.finalDrawings(id).map(({ state }) => state)).toEqual(['cancelled']);
    }
  });

  it('racing with the poll that sees it completed: one wins, and the card shows which', async () => {
    const look = Promise.withResolvers<void>();
    world.script.onLook = () => look.promise;
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    await world.orchestrator.cancel(job.id);
    look.resolve();
    await world.clock.advance(60_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('cancelled');
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
  });

  it('while it is being sent: the credits are returned although somebody else writes at that moment', async () => {
    const refusing = Promise.withResolvers<void>();
    world.script.onRun = () => refusing.promise;
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    await world.orchestrator.cancel(job.id);
    await world.clock.advance(10_000);
    const told = (await world.orchestrator.get(job.id)) ?? expect.fail('it is gone');
    let saves = 0;
    world.script.onStore = (call) => {
      if (call === 'save') saves += 1;
      // The first is that of the refused run; before the second, somebody else has written.
      if (call === 'save' && saves === 2) void world.store.jobs.save(told, { ...told, attempts: 1 });
    };
    refusing.reject(serviceError('refused', false));
    await world.clock.advance(1_000);
    expect(saves).toBeGreaterThan(1);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', charge: 'returned' });
    expect(await usage()).toMatchObject({ spent: 0, reserved: 0 });
  });
});

describe('erasing a person', () => {
  it('removes everything immediately except unfinished cards and today’s counter', async () => {
    const done = await world.submit('ann');
    await world.clock.advance(60_000);
    const running = await world.submit('ann');
    const waiting = await world.submit('ann');
    const others = await world.submit('ben');
    await world.clock.advance(2_000);
    const { finished: erased } = await world.orchestrator.erase('web:ann');
    expect(await world.orchestrator.get(done.id)).toBeUndefined();
    await world.clock.advance(60_000);
    expect(await erased).toBe(3);
    expect(await world.orchestrator.mine('web:ann', 10)).toEqual([]);
    for (const { id } of [running, waiting]) {
      expect(world.finalDrawings(id).map(({ state }) => state)).toEqual(['cancelled']);
    }
    expect((await world.orchestrator.get(others.id))?.state).toBe('done');
    expect(await usage()).toMatchObject({ reserved: 0, spent: 4 });
  });
});
