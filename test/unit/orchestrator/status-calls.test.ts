/** A job's record has the number of status calls that the service received for it. */
import { beforeEach, expect, it } from 'vitest';
import { openWorld, serviceError, world } from './world.ts';

let received: number;
let fails: () => boolean;
let saves: number;
beforeEach(async () => {
  await openWorld({ deadlines: { imageMs: 120_000 } });
  [received, fails, saves] = [0, () => false, 0];
  world.script.onLook = () => {
    received += 1;
    if (fails()) throw serviceError('unavailable', true);
  };
  world.script.onStore = (call) => {
    if (call === 'save') saves += 1;
  };
});

const shown = async (id: string) => {
  const job = await world.orchestrator.get(id);
  return { state: job?.state, calls: job?.looks };
};

it('of a job that is done, also those that failed, in as many writes as before', async () => {
  const { id } = await world.submit('ann');
  await world.clock.advance(300_000);
  expect(await shown(id)).toEqual({ state: 'done', calls: received });
  const [plain, calls] = [saves, received];
  const other = await world.submit('bob');
  fails = () => received - calls <= 2;
  await world.clock.advance(300_000);
  expect(await shown(other.id)).toEqual({ state: 'done', calls: received - calls });
  expect(received - calls).toBeGreaterThan(2);
  // One for each poll, and what a job needs beside them.
  expect(saves - plain - (received - calls)).toBe(plain - calls);
  expect(world.finished.map(({ looks }) => looks)).toEqual([calls, received - calls]);
});

it('of a job that is cancelled while it runs, also during a poll', async () => {
  world.script.durationMs = () => 100_000;
  const first = await world.submit('ann');
  await world.clock.advance(20_000);
  await world.orchestrator.cancel(first.id);
  await world.clock.advance(5_000);
  expect(received).toBeGreaterThan(0);
  expect(await shown(first.id)).toEqual({ state: 'cancelled', calls: received });

  received = 0;
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  world.script.onLook = async () => {
    received += 1;
    asked.resolve();
    await answer.promise;
  };
  const second = await world.submit('bob');
  await world.clock.advance(60_000);
  await asked.promise;
  await world.orchestrator.cancel(second.id);
  answer.resolve();
  await world.clock.advance(10_000);
  expect(await shown(second.id)).toEqual({ state: 'cancelled', calls: received });
});

it('of a job that fails at its deadline in an outage: those that were held back are none', async () => {
  world.script.durationMs = () => Number.POSITIVE_INFINITY;
  fails = () => received > 3;
  const { id } = await world.submit('ann');
  await world.clock.advance(300_000);
  expect(received).toBeGreaterThan(5);
  expect(await shown(id)).toEqual({ state: 'failed', calls: received });
});

it('of a job whose run was not answered: none', async () => {
  world.script.onRun = () => {
    throw serviceError('unknown-outcome', true);
  };
  const { id } = await world.submit('ann');
  await world.clock.advance(60_000);
  expect([await shown(id), received]).toEqual([{ state: 'uncertain', calls: 0 }, 0]);
});

it('that could not be written are counted with the next write', async () => {
  const { id } = await world.submit('ann');
  let isFull = false;
  world.script.onStore = (call) => {
    if (isFull && call === 'save') throw new Error('database or disk is full');
  };
  world.script.onLook = () => {
    received += 1;
    isFull = received === 1;
  };
  await world.clock.advance(30_000);
  isFull = false;
  await world.clock.advance(300_000);
  expect(received).toBeGreaterThan(1);
  expect(await shown(id)).toEqual({ state: 'done', calls: received });
});
