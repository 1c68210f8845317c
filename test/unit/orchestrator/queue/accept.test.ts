import { expect, it } from 'vitest';
import { Refusal } from '../../../../src/orchestrator/job/refusal.ts';
import { openWorld, world } from '../world.ts';

const refusalOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
};

it('submissions a minute are counted for each person, whatever they delete, and free up again', async () => {
  await openWorld({ limits: { userJobsPerMinute: 2, userWaitingJobs: 100 } });
  const { clock } = world;
  const order = () => world.submit('ann');
  const first = await order();
  await clock.advance(20_000);
  await order();
  await world.orchestrator.remove(first.id);
  await world.restart();
  expect(await refusalOf(order)).toEqual({ code: 'rate', limit: 2, retryAfterMs: 40_000 });
  await world.orchestrator.erase('web:ann');
  expect(await refusalOf(order)).toEqual({ code: 'rate', limit: 2, retryAfterMs: 40_000 });
  await world.submit('ben');
  await clock.advance(40_000);
  expect(await refusalOf(order)).toBeUndefined();
  expect(await refusalOf(order)).toEqual({ code: 'rate', limit: 2, retryAfterMs: 20_000 });
});

it('the allowance resets at midnight UTC; yesterday’s jobs settle on yesterday’s account', async () => {
  await openWorld();
  const order = () => world.submit('ann', { dailyCredits: 2 });
  await world.clock.advance(11.999 * 3_600_000);
  const job = await order();
  expect(await refusalOf(order)).toMatchObject({ code: 'allowance' });
  await world.clock.advance(60_000);
  expect((await world.orchestrator.get(job.id))?.state).toBe('done');
  const nothing = { reserved: 0, spent: 0, jobs: 0 };
  expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject(nothing);
  expect((await world.store.usage.person('2026-01-05', 'web:room', 'web:ann')).spent).toBe(2);
  expect(await refusalOf(order)).toBeUndefined();
});
