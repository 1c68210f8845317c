import { beforeEach, describe, expect, it } from 'vitest';
import type { Drawn } from '../../../src/command/reply.ts';
import { wasRemoved } from '../../contract/store/suite/driver.ts';
import { openWorld, orderOf, serviceError, world } from './world.ts';

beforeEach(() => openWorld());

const HOUR = 3_600_000;

/** The final edit of the card hangs until it is told how it went. */
const slowFinalDraw = (): { answer: (drawn: Drawn) => void; tries: () => number } => {
  const drawing = Promise.withResolvers<Drawn>();
  let tries = 0;
  world.script.draw = (_, importance) => {
    if (importance === 'cosmetic') return { state: 'drawn' };
    tries += 1;
    return tries === 1 ? drawing.promise : { state: 'gone' };
  };
  return { answer: drawing.resolve, tries: () => tries };
};

describe('a result that is deleted as soon as it appears', () => {
  it.each([
    ['removed', 'drawn'],
    ['removed', 'gone'],
    ['erased with its person', 'drawn'],
    ['erased with its person', 'gone'],
  ] as const)(
    '%s while its card is %s: it does not return, nor come by direct message',
    async (how, state) => {
      const { answer, tries } = slowFinalDraw();
      const job = await world.submit('ann');
      await world.clock.advance(30_000);
      expect((await world.orchestrator.get(job.id))?.state).toBe('delivering');
      if (how === 'removed') {
        await world.orchestrator.remove(job.id);
        expect(await world.orchestrator.get(job.id)).toBeUndefined();
      } else await world.orchestrator.erase('web:ann');
      expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 2, reserved: 0 });
      expect((await world.orchestrator.stats()).running).toBe(0);
      answer({ state });
      await world.clock.advance(HOUR);
      expect(tries()).toBe(1);
      expect(world.newCards).toEqual([]);
      expect(await world.orchestrator.get(job.id)).toBeUndefined();
    },
  );

  it('is not shown elsewhere while its card is being removed', async () => {
    const { answer, tries } = slowFinalDraw();
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    // The platform has removed the card already, but its answer to that is slower than the one to the edit.
    await world.orchestrator.withdraw(job.id);
    answer({ state: 'gone' });
    await world.clock.advance(1_000);
    expect(world.newCards).toEqual([]);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
    await world.orchestrator.remove(job.id);
    await world.clock.advance(HOUR);
    expect(tries()).toBe(1);
    expect(world.newCards).toEqual([]);
  });

  it('removes the replacement card that was just created', async () => {
    const given = Promise.withResolvers<{ platform: 'web'; ref: string }>();
    world.script.newCard = () => given.promise;
    world.script.draw = () => ({ state: 'gone' });
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    expect(world.newCards).toEqual([job.id]);
    await world.orchestrator.remove(job.id);
    given.resolve({ platform: 'web', ref: 'direct' });
    await world.clock.advance(HOUR);
    expect(world.discarded).toEqual(['direct']);
    expect(world.finalDrawings(job.id)).toEqual([]);
  });
});

describe('a job that is removed', () => {
  it('is removed with its card although the removal was interrupted', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(60_000);
    const drawings = world.finalDrawings(job.id).length;
    await world.orchestrator.withdraw(job.id);
    await world.restart();
    await world.clock.advance(HOUR);
    expect(world.discarded).toEqual([`card-${job.id}`]);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    expect(world.finalDrawings(job.id)).toHaveLength(drawings);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 2, reserved: 0 });
  });

  it('is removed from the chat once', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(60_000);
    await world.orchestrator.withdraw(job.id);
    await world.orchestrator.remove(job.id);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    await world.clock.advance(HOUR);
    expect(world.discarded).toEqual([]);
  });

  it('while it waits returns its credits, edits no card and leaves the queue', async () => {
    world.script.photo = () => new Promise(() => undefined);
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    await world.orchestrator.remove(job.id);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 0, reserved: 0 });
    await world.clock.advance(HOUR);
    expect(world.finalDrawings(job.id)).toEqual([]);
    expect(await world.orchestrator.stats()).toMatchObject({ waiting: 0, running: 0 });
  });
});

describe('an event that the platform delivers again', () => {
  it('makes none after its person was erased; the event id expires in time', async () => {
    const order = orderOf('ann');
    const { job } = await world.orchestrator.accept(order);
    await world.orchestrator.shown(job.id, { platform: 'web', ref: 'card' });
    await world.clock.advance(1_000);
    await world.orchestrator.erase('web:ann');
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    expect(await wasRemoved(world.store, order.origin)).toBe(true);
    await world.clock.advance(49 * HOUR);
    expect(await wasRemoved(world.store, order.origin)).toBe(false);
  });
});

describe('a person who is erased', () => {
  it('is erased in the end although the disk failed when that began', async () => {
    const done = await world.submit('ann');
    await world.clock.advance(60_000);
    world.script.durationMs = () => HOUR;
    const running = await world.submit('ann');
    await world.clock.advance(1_000);
    world.script.onStore = (call) => {
      if (call === 'save') throw new Error('disk I/O error');
    };
    await expect(world.orchestrator.erase('web:ann')).rejects.toThrow('disk I/O error');
    world.script.onStore = () => undefined;
    await world.clock.advance(60_000);
    expect(await world.store.erasures.pending()).toEqual([]);
    await world.clock.advance(HOUR);
    for (const { id } of [done, running]) expect(await world.orchestrator.get(id)).toBeUndefined();
  });

  it('keeps a job that was accepted after that began', async () => {
    const erasing = world.orchestrator.erase('web:ann');
    const job = await world.submit('ann');
    await erasing;
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
  });

  it('leaves no record, whenever the process dies', async () => {
    const save = world.store.jobs.save;
    const job = await world.submit('ann');
    await world.clock.advance(60_000);
    const settled = await world.orchestrator.get(job.id);
    if (settled === undefined) throw new Error('It should be there.');
    // The very write that settles a job of somebody forgotten takes it out: there is no moment in between.
    const before = await save(settled, { ...settled, settled: false, forget: true });
    if (before === undefined) throw new Error('It should be saved.');
    expect(await save(before, { ...before, settled: true })).toMatchObject({ settled: true });
    expect(await world.store.jobs.get(job.id)).toBeUndefined();
  });

  it('while a card is being sent sees it cancelled', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    world.orchestrator.erase('web:ann');
    await world.orchestrator.shown(job.id, { platform: 'web', ref: 'late' });
    await world.clock.advance(1_000);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    expect(world.runs).toEqual([]);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('leaves nothing of a job whose card never appeared', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    world.orchestrator.erase('web:ann');
    await world.clock.advance(HOUR);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('while a job is submitted gets the credits back if the service refuses it', async () => {
    const refusing = Promise.withResolvers<void>();
    world.script.onRun = () => refusing.promise;
    await world.submit('ann');
    await world.clock.advance(1_000);
    await world.orchestrator.erase('web:ann');
    await world.clock.advance(1_000);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 2, reserved: 0 });
    refusing.reject(serviceError('refused', false));
    await world.clock.advance(1_000);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 0, reserved: 0 });
    expect(await world.orchestrator.communityUsage('web:room')).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('between two attempts of a run call gets the credits back once', async () => {
    const pause = Promise.withResolvers<void>();
    world.script.pause = () => pause.promise;
    for (let count = 0; count < 2; count += 1) await world.submit('ann');
    await world.submit('ben');
    await world.clock.advance(1_000);
    await world.orchestrator.erase('web:ann');
    await world.clock.advance(1_000);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 0, reserved: 0 });
    pause.resolve();
    await world.clock.advance(60_000);
    expect(world.runs).toHaveLength(1);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ spent: 0, reserved: 0 });
    expect(await world.orchestrator.communityUsage('web:room')).toMatchObject({ spent: 2, reserved: 0 });
  });

  it('after midnight leaves no personal counter of the previous day', async () => {
    const refusing = Promise.withResolvers<void>();
    world.script.onRun = () => refusing.promise;
    const job = await world.submit('ann');
    await world.clock.advance(24 * HOUR);
    const { job: late } = await world.orchestrator.accept(orderOf('ann'));
    await world.orchestrator.erase('web:ann');
    refusing.reject(serviceError('refused', false));
    await world.clock.advance(HOUR);
    const counted = (day: string) => world.store.usage.community(day, 'web:room');
    expect(await counted(job.day)).toEqual({ reserved: 0, spent: 0, jobs: 1, people: 0 });
    expect(await counted(late.day)).toEqual({ reserved: 0, spent: 0, jobs: 1, people: 1 });
  });
});
