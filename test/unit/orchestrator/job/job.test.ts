import { describe, expect, it } from 'vitest';
import { JOB_STATES } from '../../../../src/command/jobs-port.ts';
import { type Job, MOST_STATES, messagesOf, noted, parseJob } from '../../../../src/orchestrator/job/job.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

describe('the record of a job', () => {
  it.each<{ readonly what: string; readonly change: Readonly<Record<string, unknown>> }>([
    { what: 'an unknown state', change: { state: 'dancing' } },
    { what: 'an unknown kind', change: { request: { ...sampleJob().request, kind: 'nothing' } } },
    { what: 'a photo that is none', change: { request: { ...sampleJob().request, photo: 7 } } },
    { what: 'an unknown platform', change: { place: { ...sampleJob().place, platform: 'icq' } } },
    { what: 'a negative time', change: { createdAt: -5 } },
    { what: 'a time after all times', change: { due: 1e300 } },
    { what: 'negative credits', change: { credits: -2 } },
    { what: 'a wrong day', change: { day: 'Monday' } },
  ])('the record of a job that has $what is damaged', ({ change }) => {
    expect(() => parseJob(JSON.stringify({ ...sampleJob(), ...change }))).toThrow('is not as it should be');
  });

  it.each([
    { state: 'submitting', field: 'submittedAt' },
    { state: 'running', field: 'serviceId' },
    { state: 'running', field: 'submittedAt' },
    { state: 'delivering', field: 'finishedAt' },
    { state: 'done', field: 'finishedAt' },
    { state: 'failed', field: 'failure' },
    { state: 'cancelled', field: 'finishedAt' },
    { state: 'uncertain', field: 'finishedAt' },
  ] as const)('the record of a job that is $state is damaged without its $field', ({ state, field }) => {
    const text = JSON.stringify({ ...sampleJob({ state }), [field]: undefined });
    expect(() => parseJob(text)).toThrow(`${field} is not as it should be`);
  });

  it.each(JOB_STATES)(
    'the record of a job that an earlier version wrote (%s) is read with what it left there',
    (state) => {
      const left = { resting: 'unknown', unsent: true, missed: { since: 1, count: 2 } };
      expect(parseJob(JSON.stringify({ ...sampleJob({ state }), ...left }))).toMatchObject({
        state,
        ...left,
      });
    },
  );
});

describe('the history of a job', () => {
  const first = { state: 'opening', at: 1 } as const;
  const submitting = (job: Job) => noted(job, jobWith({ ...job, state: 'submitting' }), 5);

  it('the history of a job has a state when it is another one, with its time, unless the first ones are not known', () => {
    const noticed = submitting(sampleJob({ history: [first] }));
    expect(noticed.history).toEqual([first, { state: 'submitting', at: 5 }]);
    expect(noted(noticed, { ...noticed, attempts: 3 }, 9).history).toEqual(noticed.history);
    expect(submitting(sampleJob()).history).toBeUndefined();
  });

  it('the history of a job has the first state and the latest ones of a job that comes back again and again', () => {
    let job: Job = sampleJob({ history: [first] });
    for (let at = 2; at < 1_000; at += 1) {
      const state = job.state === 'waiting' ? 'submitting' : 'waiting';
      job = noted(job, jobWith({ ...sampleJob(), state }), at);
    }

    expect(job.history).toHaveLength(MOST_STATES);
    expect(job.history?.[0]).toEqual(first);
    expect(job.history?.at(-1)?.at).toBe(999);
  });
});

it('a job is shown by its card, by the one it had before, and by what was shared of it', () => {
  const at = (ref: string) => ({ platform: 'web', ref }) as const;
  const shared = { at: 1, card: at('open') };
  const job = sampleJob({ state: 'done', card: at('here'), formerCard: at('before'), shared });

  expect(messagesOf(job)).toEqual([at('here'), at('before'), at('open')]);
});
