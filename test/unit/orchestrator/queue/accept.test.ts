import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/orchestrator/job/refusal.ts';
import { openWorld, orderOf, swap, type World, type WorldOptions, world } from '../world.ts';

const open = async (options: WorldOptions = {}): Promise<World> => {
  await openWorld(options);
  return world;
};

const refusalOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
};

describe('submissions a minute', () => {
  it('are counted for each person, across a restart, and free up again', async () => {
    const { clock } = await open({ limits: { userJobsPerMinute: 2, userWaitingJobs: 100 } });
    const order = () => world.orchestrator.accept(orderOf('ann'));
    await order();
    await clock.advance(20_000);
    await order();
    await world.restart();
    expect(await refusalOf(order)).toEqual({ code: 'rate', limit: 2, retryAfterMs: 40_000 });
    await world.orchestrator.accept(orderOf('ben'));
    await clock.advance(40_000);
    expect(await refusalOf(order)).toBeUndefined();
    expect(await refusalOf(order)).toEqual({ code: 'rate', limit: 2, retryAfterMs: 20_000 });
  });
});

describe('submissions per minute of a person who deletes jobs', () => {
  it('count as before, and are forgotten after that minute', async () => {
    const { clock } = await open({ limits: { userJobsPerMinute: 2, userWaitingJobs: 100 } });
    const order = () => world.submit('ann');
    const first = await order();
    await clock.advance(20_000);
    await order();
    await world.orchestrator.remove(first.id);
    expect(await refusalOf(order)).toEqual({ code: 'rate', limit: 2, retryAfterMs: 40_000 });
    await world.orchestrator.erase('web:ann');
    expect(await refusalOf(order)).toEqual({ code: 'rate', limit: 2, retryAfterMs: 40_000 });
    await world.submit('ben');
    await clock.advance(40_000);
    expect(await refusalOf(order)).toBeUndefined();
    expect(await refusalOf(order)).toMatchObject({ code: 'rate' });
  });
});

describe('jobs waiting', () => {
  it('are limited for each person, whatever has begun to run', async () => {
    await open({ limits: { userConcurrentJobs: 2, userWaitingJobs: 3 } });
    for (let i = 0; i < 5; i += 1) await world.submit('ann');
    await world.clock.advance(1_000);
    expect(await refusalOf(() => world.submit('ann'))).toEqual({ code: 'waiting', limit: 3, unfinished: 5 });
    await world.submit('ben');
    await world.clock.advance(60_000);
    expect(await refusalOf(() => world.submit('ann'))).toBeUndefined();
  });
});

describe('the allowance', () => {
  it('is never exceeded, and what is refused costs nothing', async () => {
    await open({ limits: { userWaitingJobs: 100 } });
    const order = (credits: number) => () => world.submit('ann', { credits, dailyCredits: 5 });
    expect(await refusalOf(order(3))).toBeUndefined();
    expect(await refusalOf(order(3))).toMatchObject({
      code: 'allowance',
      needed: 3,
      left: 2,
      limit: 5,
      resetsAt: Date.UTC(2026, 0, 6),
    });
    expect(await refusalOf(order(2))).toBeUndefined();
    expect(await refusalOf(order(1))).toMatchObject({ left: 0 });
    const { reserved, spent, jobs } = await world.orchestrator.usage('web:room', 'web:ann');
    expect({ taken: reserved + spent, jobs }).toEqual({ taken: 5, jobs: 2 });
  });

  it('is each person’s own; the community’s count has all of them', async () => {
    await open();
    for (const person of ['ann', 'ben'])
      expect(await refusalOf(() => world.submit(person, { dailyCredits: 2 }))).toBeUndefined();
    const { reserved, spent, people, jobs } = await world.orchestrator.communityUsage('web:room');
    expect({ taken: reserved + spent, people, jobs }).toEqual({ taken: 4, people: 2, jobs: 2 });
  });

  it('is counted apart in every community', async () => {
    await open();
    const elsewhere = { platform: 'web', community: 'web:other', channel: 'other', direct: false } as const;
    expect(await refusalOf(() => world.submit('ann', { dailyCredits: 2 }))).toBeUndefined();
    expect(await refusalOf(() => world.submit('ann', { dailyCredits: 2, place: elsewhere }))).toBeUndefined();
    expect(await refusalOf(() => world.submit('ann', { dailyCredits: 2 }))).toMatchObject({
      code: 'allowance',
    });
  });

  it('resets at midnight UTC; yesterday’s jobs settle on yesterday’s account', async () => {
    await open();
    await world.clock.advance(11.999 * 3_600_000);
    const job = await world.submit('ann', { dailyCredits: 2 });
    expect(await refusalOf(() => world.submit('ann', { dailyCredits: 2 }))).toMatchObject({
      code: 'allowance',
    });
    await world.clock.advance(60_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('done');
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({
      reserved: 0,
      spent: 0,
      jobs: 0,
    });
    expect((await world.store.usage.person('2026-01-05', 'web:room', 'web:ann')).spent).toBe(2);
    expect(await refusalOf(() => world.submit('ann', { dailyCredits: 2 }))).toBeUndefined();
  });

  it('comes back when a job fails, so that Retry is possible', async () => {
    await open();
    world.script.outcome = () => ({ state: 'failed', reason: undefined });
    await world.submit('ann', { dailyCredits: 2 });
    await world.clock.advance(60_000);
    expect(await refusalOf(() => world.submit('ann', { dailyCredits: 2 }))).toBeUndefined();
  });
});

it('limits running jobs per person and in total', async () => {
  await open({ limits: { userConcurrentJobs: 2, serviceConcurrentJobs: 3 } });
  world.script.durationMs = () => 30_000;
  for (let i = 0; i < 4; i += 1) await world.submit('ann', { request: swap });
  for (let i = 0; i < 4; i += 1) await world.submit('ben', { request: swap });
  await world.clock.advance(5_000);
  const running = async (person: string) =>
    (await world.orchestrator.mine(person, 50)).filter(({ state }) => state === 'running').length;
  expect([await running('web:ann'), await running('web:ben')]).toEqual([2, 1]);
  expect(await world.orchestrator.stats()).toMatchObject({ running: 3, waiting: 5 });
  const all = [
    ...(await world.orchestrator.mine('web:ann', 50)),
    ...(await world.orchestrator.mine('web:ben', 50)),
  ];
  const waiting = all.filter(({ state }) => state === 'waiting');
  const places = await Promise.all(
    waiting.map(async (job) => (await world.orchestrator.jobStatus(job)).position),
  );
  expect([...places].sort()).toEqual([1, 2, 3, 4, 5]);
  await world.restart();
  await world.clock.advance(100);
  expect(await world.orchestrator.stats()).toMatchObject({ running: 3, waiting: 5 });
  await world.clock.advance(300_000);
  expect(world.runs).toHaveLength(8);
});

it('what is stored together with a job is stored for new jobs only, and rolled back with it', async () => {
  const { orchestrator, store } = await open();
  const order = orderOf('ann', { origin: 'discord:1' });
  const first = await orchestrator.accept(order, { kind: 'face-swap-v6' });
  await orchestrator.accept(order, { kind: 'face-swap-v6' });
  const lines = await store.audit.recent('web:room', 10);
  expect(lines).toMatchObject([{ actor: 'web:ann', action: 'job', detail: { job: first.job.id } }]);
  const endless: Record<string, unknown> = {};
  endless.itself = endless;
  await expect(orchestrator.accept(orderOf('ann', { origin: 'discord:2' }), endless)).rejects.toThrow(
    'circular',
  );
  expect((await orchestrator.mine('web:ann', 10)).map(({ id }) => id)).toEqual([first.job.id]);
  expect((await orchestrator.usage('web:room', 'web:ann')).reserved).toBe(first.job.credits);
});

describe('a repeated press', () => {
  const press = (againOf: string, origin: string) => ({ againOf, origin });

  it('returns the unfinished job, and makes another after its end, even when the first was deleted', async () => {
    const { clock, orchestrator } = await open();
    const first = await world.submit('ann', press('job-1', 'discord:1'));
    expect(await orchestrator.accept(orderOf('ann', press('job-1', 'discord:2')))).toMatchObject({
      known: true,
      job: { id: first.id },
    });
    expect((await orchestrator.usage('web:room', 'web:ann')).reserved).toBe(first.credits);
    await clock.advance(60_000);
    await orchestrator.remove(first.id);
    expect(await orchestrator.accept(orderOf('ann', press('job-1', 'discord:3')))).toMatchObject({
      known: false,
    });
  });

  it('is still known after a restart', async () => {
    await open();
    const first = await world.submit('ann', press('job-1', 'discord:1'));
    await world.restart();
    expect(await world.orchestrator.accept(orderOf('ann', press('job-1', 'discord:2')))).toMatchObject({
      known: true,
      job: { id: first.id },
    });
  });

  it('makes another job as soon as the result is being shown', async () => {
    const { clock, orchestrator, script } = await open();
    script.draw = (_, importance) =>
      importance === 'final' ? { state: 'later', afterMs: 20_000 } : { state: 'drawn' };
    const first = await world.submit('ann', press('job-1', 'discord:1'));
    await clock.advance(60_000);
    expect((await orchestrator.get(first.id))?.state).toBe('delivering');
    expect(await orchestrator.accept(orderOf('ann', press('job-1', 'discord:2')))).toMatchObject({
      known: false,
    });
  });

  it('makes another job for another button or person', async () => {
    const { orchestrator } = await open();
    await world.submit('ann', press('job-1', 'discord:1'));
    for (const [person, order] of [
      ['ann', press('job-2', 'discord:2')],
      ['ben', press('job-1', 'discord:3')],
    ] as const)
      expect(await orchestrator.accept(orderOf(person, order))).toMatchObject({ known: false });
  });
});
