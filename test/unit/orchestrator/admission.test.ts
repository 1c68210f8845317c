import { beforeEach, expect, it } from 'vitest';
import { JobFailure } from '../../../src/orchestrator/job/failure.ts';
import { openWorld, world } from './world.ts';

beforeEach(() => openWorld());

/** From now on the community does not let this person's jobs pass. */
const block = (person: string): void => {
  world.script.admit = ({ caller }) => {
    if (caller.id === person) throw new JobFailure({ code: 'blocked' });
  };
};

const refused = { state: 'failed', failure: { code: 'blocked' }, charge: 'returned', settled: true };

it('waiting jobs of a blocked person are not submitted; running jobs continue', async () => {
  const jobs = await Promise.all([1, 2, 3, 4].map(() => world.submit('ann')));
  const other = await world.submit('ben');
  await world.clock.advance(100);
  expect(world.runs).toHaveLength(3);
  block('ann');
  await world.clock.advance(60_000);
  expect(world.runs).toHaveLength(3);
  const states = await Promise.all(jobs.map(async ({ id }) => (await world.orchestrator.get(id))?.state));
  expect(states).toEqual(['done', 'done', 'failed', 'failed']);
  for (const { id } of jobs.slice(2)) {
    expect(await world.orchestrator.get(id)).toMatchObject(refused);
    expect(world.finalDrawings(id)).toHaveLength(1);
  }
  expect((await world.orchestrator.get(other.id))?.state).toBe('done');
  expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ reserved: 0, spent: 4 });
});

it('no photo is fetched for a job that is not admitted', async () => {
  block('ann');
  let fetched = 0;
  world.script.photo = async () => {
    fetched += 1;
  };
  await world.submit('ann');
  await world.clock.advance(10_000);
  expect(fetched).toBe(0);
});

it('a job that waits for its call is checked again before the call', async () => {
  let begin = (): void => undefined;
  world.script.turn = () => new Promise((resolve) => (begin = resolve));
  const job = await world.submit('ann');
  await world.clock.advance(1_000);
  block('ann');
  begin();
  await world.clock.advance(1_000);
  expect(world.runs).toHaveLength(0);
  expect(await world.orchestrator.get(job.id)).toMatchObject(refused);
  expect(await world.orchestrator.stats()).toMatchObject({ running: 0, waiting: 0 });
});

it('between two attempts of a rejected call the job can end without cost', async () => {
  let goOn = (): void => undefined;
  world.script.pause = () => new Promise((resolve) => (goOn = resolve));
  const job = await world.submit('ann');
  await world.clock.advance(1_000);
  expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'submitting', unsent: true });
  block('ann');
  goOn();
  await world.clock.advance(1_000);
  expect(world.runs).toHaveLength(0);
  expect(await world.orchestrator.get(job.id)).toMatchObject(refused);
  expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ reserved: 0, spent: 0 });
});
