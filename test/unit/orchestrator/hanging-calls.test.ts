import { beforeEach, describe, expect, it } from 'vitest';
import { sleep } from '../../../src/base/clock.ts';
import type { GenerateRequest } from '../../../src/command/kinds.ts';
import { createWorld, openWorld, serviceError, world } from './world.ts';

/** Calls that are not answered, for people who have nothing to do with each other. */

beforeEach(() => openWorld({ limits: { serviceConcurrentJobs: 100 } }));

/** Another endpoint than `swap` has. */
const request: GenerateRequest = {
  kind: 'face-swap-v5',
  photo: { from: 'web', ref: 'photo-1' },
  filter: { by: 'number', id: 12, name: 'Pop Art' },
  gender: 'female',
};

const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `person ${index}`);
const state = async (id: string) => (await world.orchestrator.get(id))?.state;

/** Not answered within a minute, as the client gives a run call. */
const hang = async (): Promise<never> => {
  await sleep(world.clock, 60_000);
  throw serviceError('unknown-outcome', true);
};

describe('run calls that hang', () => {
  it('do not block others, while they hang or after they failed', async () => {
    let hanging = 0;
    world.script.onRun = async (_, { endpoint }) => {
      if (endpoint !== 'face-swap-v5') return;
      hanging += 1;
      await hang();
    };
    for (const person of people(12)) await world.submit(person, { request });
    await world.clock.advance(1_000);
    expect(hanging).toBe(12);
    const calm = await world.submit('calm');
    await world.clock.advance(20_000);
    expect(await state(calm.id)).toBe('done');
    await world.clock.advance(40_000);
    const after = await world.submit('calm');
    await world.clock.advance(500);
    expect(await state(after.id)).toBe('running');
  });

  it('use a limited share per person, also when their jobs are cancelled', async () => {
    let hanging = 0;
    world.script.onRun = async () => {
      hanging += 1;
      await hang();
    };
    for (let round = 0; round < 30; round += 1) {
      const job = await world.submit('eve');
      await world.clock.advance(100);
      await world.orchestrator.cancel(job.id);
    }
    expect(hanging).toBe(10);
    world.script.onRun = () => undefined;
    const calm = await world.submit('calm');
    await world.clock.advance(500);
    expect(await state(calm.id)).toBe('running');
  });
});

it('submissions go on after as many as can be under way hung', async () => {
  const small = await createWorld({ limits: { serviceConcurrentJobs: 1 } });
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  small.script.onRun = () => answered;
  for (const person of people(4)) {
    const job = await small.submit(person);
    await small.clock.advance(500);
    await small.orchestrator.cancel(job.id);
  }
  const calm = await small.submit('calm');
  await small.clock.advance(2_000);
  expect(small.runs).toHaveLength(0);
  answer();
  await small.clock.advance(2_000);
  expect((await small.orchestrator.get(calm.id))?.state).toBe('running');
  await small.close();
});

describe('status calls that hang', () => {
  it('do not delay those of others', async () => {
    for (const person of people(40)) await world.submit(person);
    await world.clock.advance(1_000);
    const hung = new Set(world.runs.map(({ id }) => id));
    expect(hung.size).toBe(40);
    world.script.onLook = async (id) => {
      if (!hung.has(id)) return;
      await sleep(world.clock, 15_000);
      throw serviceError('unavailable', true);
    };
    await world.clock.advance(40_000);
    for (let round = 0; round < 5; round += 1) {
      const calm = await world.submit('calm');
      await world.clock.advance(20_000);
      expect(await state(calm.id)).toBe('done');
    }
  });
});

it('polls do not begin while many calls wait for their turn, and all begin afterwards', async () => {
  const jobs = await Promise.all(people(20).map((person) => world.submit(person)));
  await world.clock.advance(500);
  world.script.callsWaiting = () => 64;
  await world.clock.advance(30_000);
  expect(world.looks).toEqual([]);
  world.script.callsWaiting = () => 63;
  await world.clock.advance(30_000);
  for (const { id } of jobs) expect(await state(id)).toBe('done');
});

it('jobs stay in line, for other processes, while a second’s submissions wait for their turn', async () => {
  let waiting = 0;
  world.script.callsWaiting = () => waiting;
  world.script.onRun = async () => {
    waiting += 1;
    await hang();
  };
  const jobs = await Promise.all(people(60).map((person) => world.submit(person)));
  await world.clock.advance(10_000);
  expect(waiting).toBe(20);
  world.script.onRun = () => undefined;
  waiting = 0;
  await world.clock.advance(30_000);
  const states = await Promise.all(jobs.map(({ id }) => state(id)));
  expect(states.filter((each) => each === 'done')).toHaveLength(40);
});
