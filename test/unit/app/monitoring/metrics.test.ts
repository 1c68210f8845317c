import { expect, it } from 'vitest';
import { createMetrics } from '../../../../src/app/monitoring/metrics.ts';
import type { FinalJob } from '../../../../src/orchestrator/job/job.ts';
import { openStore } from '../../../../src/store/sqlite/store.ts';
import { orderOf } from '../../../contract/store/suite/driver.ts';
import { jobWith } from '../../../fakes/job.ts';
import { soleMember } from '../../../fakes/sole-member.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

const metricsOf = (isShared = false) =>
  createMetrics({
    stats: async () => ({
      ...{ waiting: 3, running: 2, steps: 0, submissions: 0 },
      outages: { key: undefined, token: 'credits' },
    }),
    damaged: () => 1,
    callsWaiting: () => 4,
    adapters: () => [
      { platform: 'discord', trouble: () => 'not connected' },
      { platform: 'web', trouble: () => undefined },
    ],
    members: { ...soleMember, id: () => '7' },
    isShared,
  });

it('tells how things stand, by every reason an outage can have', async () => {
  const text = await metricsOf(true).registry.metrics();
  expect(text).toContain('darkroom_jobs{where="waiting",member="7"} 3');
  expect(text).toContain('darkroom_service_outage{credentials="token",reason="credits",member="7"} 1');
  expect(text.match(/^darkroom_service_outage\{.*\} 0$/gm)).toHaveLength(7);
  expect(text).toContain('darkroom_platform_outage{platform="discord",member="7"} 1');
  expect(text).toContain('darkroom_platform_outage{platform="web",member="7"} 0');
  expect(text).toContain('darkroom_service_calls_waiting{member="7"} 4');
});

it('counts jobs by kind and end, with their times, and names neither people nor communities', async () => {
  const metrics = metricsOf();
  const base = sampleJob({ createdAt: 1_000_000, credits: 3, charge: 'spent' });
  const times = { submittedAt: 1_004_000, lastLookAt: 1_018_000, finishedAt: 1_020_000, looks: 3 };
  for (const community of ['discord:777777777', 'discord:dm:424242424242'])
    metrics.finished(
      jobWith({ ...base, ...times, state: 'done', place: { ...base.place, community } }) as FinalJob,
    );
  metrics.finished(
    jobWith({
      ...base,
      ...{ state: 'failed', failure: { code: 'deadline' }, charge: 'returned', finishedAt: 1 },
    }) as FinalJob,
  );
  const text = await metrics.registry.metrics();
  const { kind } = base.request;
  expect(text).toContain(`{kind="${kind}",state="failed",failure="deadline"} 1`);
  expect(text).toContain(`darkroom_credits_spent_total{kind="${kind}"} 6`);
  const sums = Object.fromEntries(
    [...text.matchAll(/^darkroom_(\w+)_sum\{kind=.*\} (\S+)$/gm)].map(([, name, sum]) => [name, Number(sum)]),
  );
  expect(sums).toEqual({
    job_duration_seconds: 40,
    job_submission_seconds: 8,
    result_unseen_seconds: 4,
    job_status_calls: 6,
  });
  expect(text).not.toMatch(/777777777|424242424242|Annabella|:dm/);
});

it('measures transactions, also those that fail, and what it is told of', async () => {
  const metrics = metricsOf();
  metrics.answered('web', 2_000);
  const store = await openStore({ path: ':memory:', keys: [] });
  const jobs = metrics.timed(store.jobs);
  const { job } = await jobs.accept(orderOf(sampleJob({ state: 'opening' })));
  expect(await jobs.get(job.id)).toEqual(job);
  await expect(jobs.accept(orderOf(sampleJob({ state: 'opening' }), { dailyCredits: 0 }))).rejects.toThrow();
  store.close();
  metrics.polled(-5);
  metrics.called('poll', 250);
  const text = await metrics.registry.metrics();
  expect(text).toContain('darkroom_first_answer_seconds_sum{platform="web"} 2');
  expect(text).toContain('darkroom_store_transaction_duration_seconds_count{transaction="accept"} 2');
  expect(text).toContain('darkroom_poll_lateness_seconds_sum 0');
  expect(text).toContain('darkroom_service_call_duration_seconds_sum{lane="poll"} 0.25');
});
