import { expect, it } from 'vitest';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { MOST_STATES, noted } from '../../../../src/orchestrator/job/job.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

it('notes a state when it is another one, with its time', () => {
  const waiting = sampleJob({ history: [{ state: 'opening', at: 1 }] });
  const submitting = noted(waiting, jobWith({ ...waiting, state: 'submitting' }), 5);
  expect(submitting.history).toEqual([
    { state: 'opening', at: 1 },
    { state: 'submitting', at: 5 },
  ]);
  expect(noted(submitting, { ...submitting, attempts: 3 }, 9).history).toEqual(submitting.history);
});

it('keeps the first state and the latest ones of a job that comes back again and again', () => {
  const first = { state: 'opening', at: 1 } as const;
  let job: Job = sampleJob({ history: [first] });
  for (let at = 2; at < 1_000; at += 1) {
    const state = job.state === 'waiting' ? 'submitting' : 'waiting';
    job = noted(job, jobWith({ ...sampleJob(), state }), at);
  }
  expect(job.history).toHaveLength(MOST_STATES);
  expect(job.history?.[0]).toEqual(first);
  expect(job.history?.at(-1)?.at).toBe(999);
});

it('leaves a job alone whose first states are not known', () => {
  const waiting = sampleJob();
  expect(noted(waiting, jobWith({ ...waiting, state: 'submitting' }), 5).history).toBeUndefined();
});
