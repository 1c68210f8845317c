/** Calls that are not answered, for people who have nothing to do with each other. */
import { beforeEach, expect, it } from 'vitest';
import { sleep } from '../../../src/base/clock.ts';
import { requestOf } from '../../fakes/requests.ts';
import {
  crowd,
  MINUTE,
  openWorld,
  pass,
  serviceError,
  stateOf,
  statesOf,
  submitAll,
  world,
} from './world.ts';

beforeEach(() => openWorld({ limits: { serviceConcurrentJobs: 100 } }));

/** Another endpoint than that of the others. */
const request = requestOf('face-swap-v5');

let hanging: number;
/** Not answered within a minute, as the client gives a run call. */
const hang = async (): Promise<never> => {
  hanging += 1;
  await sleep(world.clock, MINUTE);
  throw serviceError('unknown-outcome', true);
};
beforeEach(() => {
  hanging = 0;
});

it('run calls that hang do not block others, while they hang or after they failed', async () => {
  world.script.onRun = (_, { endpoint }) => (endpoint === 'face-swap-v5' ? hang() : undefined);
  await submitAll(crowd(12), { request });
  await pass(1_000);
  expect(hanging).toBe(12);
  const calm = await world.submit('calm');
  await pass(20_000);
  expect(await stateOf(calm)).toBe('done');
  await pass(40_000);
  const after = await world.submit('calm');
  await pass(500);
  expect(await stateOf(after)).toBe('running');
});

it('run calls that hang use a limited share per person, also when their jobs are cancelled', async () => {
  world.script.onRun = hang;
  for (let round = 0; round < 30; round += 1) {
    const job = await world.submit('eve');
    await pass(100);
    await world.orchestrator.cancel(job.id);
  }
  expect(hanging).toBe(10);
  world.script.onRun = () => undefined;
  const calm = await world.submit('calm');
  await pass(500);
  expect(await stateOf(calm)).toBe('running');
});

it('submissions go on after as many as can be under way hung', async () => {
  await openWorld({ limits: { serviceConcurrentJobs: 1 } });
  const answered = Promise.withResolvers<void>();
  world.script.onRun = () => answered.promise;
  for (const person of crowd(4)) {
    const job = await world.submit(person);
    await pass(500);
    await world.orchestrator.cancel(job.id);
  }
  const calm = await world.submit('calm');
  await pass(2_000);
  expect(world.runs).toHaveLength(0);
  answered.resolve();
  await pass(2_000);
  expect(await stateOf(calm)).toBe('running');
});

it('status calls that hang do not delay those of others', async () => {
  await submitAll(crowd(40));
  await pass(1_000);
  const hung = new Set(world.runs.map(({ id }) => id));
  expect(hung.size).toBe(40);
  world.script.onLook = async (id) => {
    if (!hung.has(id)) return;
    await sleep(world.clock, 15_000);
    throw serviceError('unavailable', true);
  };
  await pass(40_000);
  for (let round = 0; round < 5; round += 1) {
    const calm = await world.submit('calm');
    await pass(20_000);
    expect(await stateOf(calm)).toBe('done');
  }
});

it('polls do not begin while many calls wait for their turn, and all begin afterwards', async () => {
  const jobs = await submitAll(crowd(20));
  await pass(500);
  world.script.callsWaiting = () => 64;
  await pass(30_000);
  expect(world.looks).toEqual([]);
  world.script.callsWaiting = () => 63;
  await pass(30_000);
  expect(await statesOf(jobs)).toEqual(jobs.map(() => 'done'));
});

it('jobs stay in line, for other processes, while a second’s submissions wait for their turn', async () => {
  world.script.callsWaiting = () => hanging;
  world.script.onRun = hang;
  const jobs = await submitAll(crowd(60));
  await pass(10_000);
  expect(hanging).toBe(20);
  world.script.onRun = () => undefined;
  hanging = 0;
  await pass(30_000);
  expect((await statesOf(jobs)).filter((state) => state === 'done')).toHaveLength(40);
});
