// @module-tag slow
/** The line through the orchestrator, when things go wrong. */
import { expect, it } from 'vitest';
import { isFinal, type Job } from '../../../../src/orchestrator/job/job.ts';
import { MINUTE, openWorld, video, type WorldOptions, world } from '../../../fakes/orchestrator-world.ts';
import { changeStore, settled, slots } from '../../../fakes/slots.ts';

const start = (limits: NonNullable<WorldOptions['limits']>): Promise<void> =>
  openWorld({ limits: { userWaitingJobs: 1_000, ...limits } });

it.each([
  { what: '250 of them', damaged: 250, trigger: undefined },
  {
    what: 'one that cannot be set aside',
    damaged: 1,
    trigger: "CREATE TRIGGER broken BEFORE INSERT ON damaged BEGIN SELECT RAISE(ABORT, 'no'); END",
  },
])('damaged records at the head of the line keep nobody waiting: $what', async ({ damaged, trigger }) => {
  await start({ serviceConcurrentJobs: 1 });
  world.script.durationMs = () => MINUTE;
  const first = await world.submit('zoe');
  await settled();
  for (let i = 0; i < damaged; i += 1) await world.submit('ann');
  const last = await world.submit('ben');
  await settled();
  // All damaged jobs get the first turn, because jobs of one person would take turns with those of others.
  changeStore("UPDATE jobs SET body = CAST('nonsense' AS BLOB), turn = 1 WHERE owner = 'web:ann'");
  if (trigger !== undefined) changeStore(trigger);
  await world.orchestrator.cancel(first.id);
  await settled();

  expect(world.runs).toHaveLength(2);
  expect(await world.stateOf(last)).toBe('running');
  if (trigger === undefined) expect(world.store.damaged()).toBe(damaged);
  expect(slots()).toEqual({ inAll: 1, ofPeople: 1, ofJobs: 1 });
});

it.each([
  { limits: { userConcurrentJobs: 3, serviceConcurrentJobs: 9 }, most: 9 },
  { limits: { userConcurrentJobs: 1, serviceConcurrentJobs: 9 }, most: 4 },
  { limits: { userConcurrentJobs: 1, serviceConcurrentJobs: 2 }, most: 2 },
])('after a restart with other limits ($limits) $most run at once', async ({ limits, most }) => {
  await start({ userConcurrentJobs: 2, serviceConcurrentJobs: 6 });
  world.script.durationMs = () => 30_000;
  const all: Job[] = [];
  for (let i = 0; i < 5; i += 1) all.push(...(await world.submitAll(['ann', 'ben', 'cid', 'dan'])));
  await settled();

  expect(slots()).toEqual({ inAll: 6, ofPeople: 6, ofJobs: 6 });

  await world.restart({ userWaitingJobs: 1_000, ...limits });
  const seen: number[] = [];
  for (let i = 0; i < 180; i += 1) {
    await settled(2_000);
    const { inAll, ofPeople, ofJobs } = slots();
    expect(ofPeople).toBe(inAll);
    expect(ofJobs).toBe(inAll);
    seen.push(inAll);
  }

  // Jobs that ran before the restart go on, so the new limit holds only after they have ended.
  expect(Math.max(...seen.slice(18))).toBe(most);
  expect(await world.statesOf(all)).toEqual(all.map(() => 'done'));
  expect(world.runs).toHaveLength(all.length);
});

it.each([2, 3, 5, 7])('a store that fails at every %i. call: all end, every slot is free', async (nth) => {
  await start({ userConcurrentJobs: 2, serviceConcurrentJobs: 3 });
  const people = ['ann', 'ben', 'cid'];
  const all = [...(await world.submitAll(people)), ...(await world.submitAll(people, { request: video }))];
  all.push(...(await world.submitAll(people)), ...(await world.submitAll(people, { request: video })));
  let calls = 0;
  world.script.onStore = () => {
    calls += 1;
    if (calls % nth === 0) throw new Error('disk I/O error');
  };
  for (let i = 0; i < 60; i += 1) {
    await settled(2_000);
    if (i === 10) await world.orchestrator.cancel(all[7]?.id ?? '').catch(() => undefined);
    expect(slots().inAll).toBeLessThanOrEqual(3);
  }
  world.script.onStore = () => undefined;
  for (let i = 0; i < 60; i += 1) await settled(15_000);

  expect((await world.statesOf(all)).filter((state) => state === undefined || !isFinal(state))).toEqual([]);
  expect(slots()).toEqual({ inAll: 0, ofPeople: 0, ofJobs: 0 });
  expect(world.runs.length).toBeLessThanOrEqual(all.length);
});
