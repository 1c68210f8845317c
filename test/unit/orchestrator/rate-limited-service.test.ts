import { beforeEach, describe, expect, it } from 'vitest';
import type { GenerationRequest } from '../../../src/generation-client/endpoints.ts';
import { openWorld, serviceError, swap, world } from './world.ts';

/** A service that answers 429 to every run: each try costs a photo that is fetched and read anew. */

const MINUTE = 60_000;
const people = Array.from({ length: 20 }, (_, index) => `person ${index}`);

let photos = 0;
let isBusy = true;
beforeEach(async () => {
  await openWorld();
  photos = 0;
  isBusy = true;
  world.script.photo = async () => {
    photos += 1;
  };
  world.script.onRun = () => {
    if (isBusy) throw serviceError('rate-limited', false);
  };
});

const state = async (id: string) => (await world.orchestrator.get(id))?.state;

it('a busy service is tried by one job at a time, and all continue in order once it accepts one', async () => {
  const jobs = await Promise.all(people.map((person) => world.submit(person)));
  await world.clock.advance(MINUTE);
  photos = 0;
  await world.clock.advance(5 * MINUTE);
  expect(photos).toBeGreaterThan(20);
  expect(photos).toBeLessThan(120);
  expect(await Promise.all(jobs.map(({ id }) => state(id)))).toEqual(jobs.map(() => 'waiting'));
  isBusy = false;
  const late = await world.submit('late');
  await world.clock.advance(20_000);
  const all = await Promise.all([...jobs, late].map(({ id }) => world.orchestrator.get(id)));
  expect(all.map((job) => job?.serviceId).filter((id) => id !== undefined)).toHaveLength(21);
  // All but the one that tried are sent in the order of the line.
  const order = all.map((job) => Number(job?.serviceId?.split('-')[1]));
  const first = Math.min(...order);
  const others = order.filter((run) => run !== first);
  expect(others).toEqual(others.toSorted((one, other) => one - other));
  await world.clock.advance(MINUTE);
  for (const { id } of jobs)
    expect(await world.orchestrator.get(id)).toMatchObject({ state: 'done', charge: 'spent' });
});

it('a busy service is not counted with later photo errors', async () => {
  const job = await world.submit('ann');
  await world.clock.advance(10 * MINUTE);
  isBusy = false;
  world.script.photo = async () => {
    photos += 1;
    world.script.photo = async () => undefined;
    throw new Error('the platform is slow');
  };
  await world.clock.advance(2 * MINUTE);
  expect(await state(job.id)).toBe('done');
});

describe('a service that answers 429 to one job only', () => {
  const limited = (request: GenerationRequest): boolean =>
    request.endpoint === 'face-swap-v6' && request.input.filter === 13;
  const odd = { request: { ...swap, filter: { by: 'number', id: 13, name: 'Thirteen' } } } as const;
  let tries: number[] = [];
  beforeEach(() => {
    tries = [];
    world.script.onRun = (_, request) => {
      if (!limited(request)) return;
      tries.push(world.clock.now());
      if (isBusy) throw serviceError('rate-limited', false, { retryAfterMs: 30_000 });
    };
  });

  it('does not delay other jobs; that job is retried as asked until accepted', async () => {
    const one = await world.submit('odd', odd);
    await world.clock.advance(1_000);
    for (const person of people) {
      const other = await world.submit(person);
      await world.clock.advance(500);
      expect(await state(other.id)).toBe('running');
    }
    await world.clock.advance(10 * MINUTE);
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? at));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(30_000);
    expect(Math.max(...pauses)).toBeLessThan(35_000);
    expect(await state(one.id)).toBe('waiting');
    isBusy = false;
    await world.clock.advance(MINUTE);
    expect(await world.orchestrator.get(one.id)).toMatchObject({ state: 'done', charge: 'spent' });
  });

  it('says on its card that the service is busy, and until when, also after a restart', async () => {
    const { id } = await world.submit('odd', odd);
    const status = async () =>
      world.orchestrator.jobStatus((await world.orchestrator.get(id)) ?? expect.fail('gone'));
    await world.clock.advance(2_000);
    expect(await status()).toEqual({ resting: 'service-busy', waitMs: 30_000 });
    await world.clock.advance(5_000);
    expect(world.drawings.at(-1)).toMatchObject({
      id,
      jobStatus: { resting: 'service-busy' },
    });
    await world.restart();
    expect(await status()).toEqual({ resting: 'service-busy', waitMs: 25_000 });
    isBusy = false;
    await world.clock.advance(30_000);
    expect(await state(id)).toBe('running');
    expect(await status()).not.toHaveProperty('resting');
  });
});

it('a poll that is answered with 429 delays only that job', async () => {
  isBusy = false;
  const ann = await world.submit('ann');
  await world.clock.advance(500);
  world.script.onLook = async (id) => {
    if (id === (await world.orchestrator.get(ann.id))?.serviceId)
      throw serviceError('rate-limited', false, { retryAfterMs: 60_000 });
  };
  await world.clock.advance(10_000);
  const ben = await world.submit('ben');
  await world.clock.advance(30_000);
  expect(await Promise.all([state(ann.id), state(ben.id)])).toEqual(['running', 'done']);
});
