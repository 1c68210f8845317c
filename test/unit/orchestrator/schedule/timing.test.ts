import { describe, expect, it } from 'vitest';
import type { RunningJob } from '../../../../src/orchestrator/job/job.ts';
import { createTiming } from '../../../../src/orchestrator/schedule/timing.ts';
import { orderOf } from '../world.ts';
import { modelOf, spreadAround } from './duration-models.ts';

const { dailyCredits: _, answer: __, ...order } = orderOf('ann');
const submitted = (submittedAt: number): RunningJob => ({
  ...order,
  id: `job-${submittedAt}`,
  state: 'running',
  day: '2026-01-05',
  charge: 'spent',
  createdAt: submittedAt,
  submittedAt,
  serviceId: `service-${submittedAt}`,
  looks: 0,
  attempts: 0,
  shownProgress: 0,
  settled: false,
  version: 1,
});

describe('timing', () => {
  it('postpones planned polls once other jobs were unfinished for too long', async () => {
    const model = modelOf('image', spreadAround(8_000, 0.3, 200));
    const timing = createTiming({
      models: { get: async () => model, set: async () => undefined },
      callsPerSecond: 20,
      random: () => 0.5,
    });
    await timing.load();
    for (let i = 0; i < 60; i++) timing.began(order.request.kind);
    const planned = submitted(50_000);
    const due = timing.nextPoll(planned, 50_000);
    expect(timing.postponed(planned, due)).toBeUndefined();

    for (let at = 40_000; at < 52_000; at += 500) timing.sawUnfinished(submitted(at), at + 13_000);
    expect(timing.postponed(planned, due)).toBeGreaterThan(due + 1_000);
    expect(timing.postponed({ ...planned, attempts: 1 }, due)).toBeUndefined();
  });
});
