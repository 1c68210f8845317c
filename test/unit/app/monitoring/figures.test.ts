import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFigures } from '../../../../src/app/monitoring/figures.ts';
import { createMetrics } from '../../../../src/app/monitoring/metrics.ts';
import type { DoneJob } from '../../../../src/orchestrator/job/job.ts';
import { jobWith } from '../../../fakes/job.ts';
import { createWorld, type World } from '../../orchestrator/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const finishedIn = async (community: string): Promise<DoneJob> => {
  const job = await world.submit('ann');
  return jobWith({ ...job, state: 'done', charge: 'spent', credits: 2, place: { ...job.place, community } });
};

it('direct chats are counted together, so that no label identifies a person', async () => {
  const figures = createFigures(world.clock);
  const metrics = createMetrics(world.orchestrator.stats, figures);
  const places = ['telegram:dm:50001', 'telegram:dm:50002', 'discord:dm:7', 'web:dm:ann', 'telegram:-100123'];
  for (const community of places) {
    const job = await finishedIn(community);
    figures.finished(job);
    metrics.finished(job);
  }
  const text = await metrics.registry.metrics();
  const labels = [...text.matchAll(/community="([^"]*)"\} (\d+)/g)].map(([, name, value]) => [name, value]);
  expect(labels).toEqual([
    ['telegram:dm', '4'],
    ['discord:dm', '2'],
    ['web:dm', '2'],
    ['telegram:-100123', '2'],
  ]);
  expect(text).not.toMatch(/\{[^}]*(5000[12]|dm:)/);
  expect(figures.communities().map(({ community }) => community)).toEqual(labels.map(([name]) => name));
});

it('the number of labels is limited', async () => {
  const figures = createFigures(world.clock);
  const metrics = createMetrics(world.orchestrator.stats, figures);
  const job = await finishedIn('telegram:-1');
  for (let id = 0; id < 5_000; id += 1) {
    const kind = id % 2 === 0 ? 'telegram:dm:' : 'telegram:-';
    figures.finished({ ...job, place: { ...job.place, community: `${kind}${id}` } });
  }
  const text = await metrics.registry.metrics();
  expect(text.match(/^darkroom_community_credits\{/gm)).toHaveLength(20);
});
