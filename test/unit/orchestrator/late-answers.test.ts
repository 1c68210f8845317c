/** A store that answers late, or in another order than it was asked in. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type StoreCall, serviceError, world } from './world.ts';

beforeEach(() => openWorld({ sweep: async () => false }));
afterEach(() => {
  world.script.onStore = undefined;
  world.script.onAnswer = undefined;
  world.script.lag = undefined;
});

/** The next answer of this kind waits until it is let go. */
const holdNext = (which: StoreCall): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  world.script.onAnswer = (call) => {
    if (call !== which) return undefined;
    world.script.onAnswer = undefined;
    return promise;
  };
  return resolve;
};

/** Something fails once, and not for want of a store. */
const failOnce = (which: StoreCall): void => {
  let isOver = false;
  world.script.onStore = (call) => {
    if (call !== which || isOver) return;
    isOver = true;
    throw new Error('fails once');
  };
};

/** The timers that are left by a job that was cancelled while it ran. */
const timersAtRest = async (): Promise<number> => {
  const { id } = await world.submit('somebody');
  await world.clock.advance(1_000);
  expect((await world.orchestrator.cancel(id))?.isChanged).toBe(true);
  await world.clock.advance(10_000);
  return world.clock.pending;
};

describe('an answer that comes late', () => {
  it('does not bring a job back that has ended meanwhile', async () => {
    const atRest = await timersAtRest();
    let arrives: () => void = () => undefined;
    world.script.onRun = () => {
      arrives = holdNext('save');
    };
    const { id } = await world.submit('ann');
    await world.clock.advance(1_000);
    expect((await world.store.jobs.get(id))?.state).toBe('running');
    await world.orchestrator.cancel(id);
    await world.clock.advance(10_000);
    expect(await world.orchestrator.get(id)).toMatchObject({ state: 'cancelled', settled: true });
    arrives();
    await world.clock.advance(10_000);
    expect(world.clock.pending, 'its card is followed no more').toBe(atRest);
  });

  it('does not bring a job back that was being taken up', async () => {
    const atRest = await timersAtRest();
    const runs = world.runs.length;
    const job = await world.submit('ann');
    failOnce('save');
    await world.clock.advance(1_000);
    expect((await world.store.jobs.get(job.id))?.state).toBe('waiting');
    const arrives = holdNext('get');
    await world.clock.advance(5_000);
    await world.orchestrator.cancel(job.id);
    await world.clock.advance(10_000);
    expect((await world.store.jobs.get(job.id))?.settled).toBe(true);
    arrives();
    await world.clock.advance(10_000);
    expect(world.clock.pending).toBe(atRest);
    expect(world.runs).toHaveLength(runs);
  });

  it('does not begin what was taken when the gate has closed meanwhile: it stands where it stood', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    world.script.onRun = async () => {
      await answered;
      throw serviceError('unreachable', false);
    };
    for (const person of ['ann', 'ben', 'cid', 'dan', 'eve']) await world.submit(person);
    await world.clock.advance(100);
    const arrives = holdNext('take');
    const late = await world.submit('fay');
    await world.clock.advance(100);
    expect(await world.store.jobs.place(late.id)).toBeUndefined();
    answer();
    await world.clock.advance(100);
    expect((await world.orchestrator.stats()).outages.key).toBe('unavailable');
    arrives();
    await world.clock.advance(0);
    expect(await world.store.jobs.place(late.id)).toBeDefined();
    world.script.onRun = () => undefined;
    await world.clock.advance(120_000);
    expect((await world.orchestrator.get(late.id))?.state).toBe('done');
  });
});

it('an outcome that cannot be stored is not taken for unknown while the store is being checked for long', async () => {
  let isBroken = false;
  world.script.onRun = () => {
    isBroken = true;
  };
  world.script.onStore = (call) => {
    if (call === 'save' && isBroken) {
      isBroken = false;
      // What follows is the check.
      world.script.onAnswer = (answered) =>
        answered === 'save' ? new Promise((resolve) => world.clock.after(20_000, resolve)) : undefined;
      throw new Error('no answer');
    }
  };
  const { id } = await world.submit('ann');
  await world.clock.advance(15_000);
  expect((await world.store.jobs.get(id))?.state).toBe('submitting');
  await world.clock.advance(10_000);
  world.script.onAnswer = undefined;
  await world.clock.advance(60_000);
  expect(await world.orchestrator.get(id)).toMatchObject({ state: 'done', settled: true });
  expect(world.runs).toHaveLength(1);
});

describe('a stop', () => {
  it('gives back a job that was being taken', async () => {
    const { promise, resolve: arrives } = Promise.withResolvers<void>();
    // Not of a look at an empty line.
    world.script.onAnswer = async (call) => {
      if (call === 'take' && (await world.store.jobs.counts()).running === 1) await promise;
    };
    const { id } = await world.submit('ann');
    await world.clock.advance(0);
    expect(await world.store.jobs.counts()).toEqual({ waiting: 0, running: 1 });
    const stopped = world.orchestrator.stop();
    arrives();
    await world.clock.advance(0);
    await stopped;
    expect(await world.store.jobs.place(id)).toEqual({ position: 1, own: 0 });
    expect(await world.store.jobs.counts()).toEqual({ waiting: 1, running: 0 });
    await world.restart();
    await world.clock.advance(60_000);
    expect(world.runs).toHaveLength(1);
  });

  it('gives back a job whose submission broke, without waiting for its pause', async () => {
    const { id } = await world.submit('ann');
    failOnce('save');
    await world.clock.advance(100);
    expect(await world.store.jobs.counts()).toEqual({ waiting: 0, running: 1 });
    await world.orchestrator.stop();
    expect(await world.store.jobs.place(id)).toEqual({ position: 1, own: 0 });
    await world.clock.advance(60_000);
    expect(world.clock.pending).toBe(0);
  });

  it('ends a start that is still under way', async () => {
    world.script.admit = () => {
      throw new Error('later');
    };
    for (const person of ['ann', 'ben']) await world.submit(person);
    await world.clock.advance(100);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.script.lag = () => promise;
    const restarted = world.restart();
    await world.clock.advance(0);
    const stopped = world.orchestrator.stop();
    world.script.lag = undefined;
    resolve();
    await Promise.all([restarted, stopped]);
    await world.clock.advance(120_000);
    expect(world.runs).toEqual([]);
    expect(world.clock.pending).toBe(0);
  });
});

describe('when jobs cannot be taken for a while', () => {
  it('that is tried again, and not all the time', async () => {
    let tries = 0;
    world.script.onStore = (call) => {
      if (call !== 'take') return;
      tries += 1;
      throw new Error('no answer');
    };
    const { id } = await world.submit('ann');
    await world.clock.advance(60_000);
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(15);
    world.script.onStore = undefined;
    await world.clock.advance(60_000);
    expect((await world.orchestrator.get(id))?.state).toBe('done');
  });

  it('a card that has to be stored does not replace an outcome that has to be', async () => {
    const { id } = await world.submit('ann');
    let isBroken = false;
    world.script.onRun = () => {
      isBroken = true;
    };
    world.script.onStore = (call) => {
      if (isBroken && call !== 'take') throw new Error('disk I/O error');
    };
    await world.clock.advance(1_000);
    await expect(world.orchestrator.shown(id, { platform: 'web', ref: 'a copy' })).rejects.toThrow('disk');
    isBroken = false;
    await world.clock.advance(60_000);
    expect((await world.orchestrator.get(id))?.state).toBe('done');
  });
});
