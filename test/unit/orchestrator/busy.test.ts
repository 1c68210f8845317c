import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorld, serviceError, type World } from './world.ts';

/** A service that answers 429 to every run: each try costs a photo that is fetched and read anew. */

const MINUTE = 60_000;
const people = Array.from({ length: 20 }, (_, index) => `person ${index}`);

let world: World;
let photos = 0;
let isBusy = true;
beforeEach(async () => {
  world = await createWorld();
  photos = 0;
  isBusy = true;
  world.script.photo = async () => {
    photos += 1;
  };
  world.script.onRun = () => {
    if (isBusy) throw serviceError('rate-limited', false);
  };
});
afterEach(() => world.close());

const state = (id: string) => world.orchestrator.get(id)?.state;

it('is tried by one at a time, and all go on in their order as soon as it takes one', async () => {
  const jobs = people.map((person) => world.submit(person));
  await world.clock.advance(MINUTE);
  photos = 0;
  await world.clock.advance(5 * MINUTE);
  expect(photos).toBeGreaterThan(20);
  expect(photos).toBeLessThan(120);
  expect(jobs.map(({ id }) => state(id))).toEqual(jobs.map(() => 'waiting'));
  isBusy = false;
  const late = world.submit('late');
  await world.clock.advance(20_000);
  const all = [...jobs, late].map(({ id }) => world.orchestrator.get(id));
  expect(all.map((job) => job?.serviceId).filter((id) => id !== undefined)).toHaveLength(21);
  // All but the one that tried are sent in the order of the line.
  const order = all.map((job) => Number(job?.serviceId?.split('-')[1]));
  const first = Math.min(...order);
  const others = order.filter((run) => run !== first);
  expect(others).toEqual(others.toSorted((one, other) => one - other));
  await world.clock.advance(MINUTE);
  for (const { id } of jobs)
    expect(world.orchestrator.get(id)).toMatchObject({ state: 'done', charge: 'spent' });
});

it('is nothing that a photo’s later trouble is counted with', async () => {
  const job = world.submit('ann');
  await world.clock.advance(10 * MINUTE);
  isBusy = false;
  world.script.photo = async () => {
    photos += 1;
    world.script.photo = async () => undefined;
    throw new Error('the platform is slow');
  };
  await world.clock.advance(2 * MINUTE);
  expect(state(job.id)).toBe('done');
});
