import { describe, expect, it } from 'vitest';
import { JOB_STATES } from '../../../../src/command/ports.ts';
import { parseJob } from '../../../../src/orchestrator/job/job.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

describe('the record of a job', () => {
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['an unknown state', { state: 'dancing' }],
    ['an unknown kind', { request: { ...sampleJob().request, kind: 'nothing' } }],
    ['no request', { request: undefined }],
    ['a photo that is none', { request: { ...sampleJob().request, photo: 7 } }],
    ['no caller', { caller: null }],
    ['an unknown platform', { place: { ...sampleJob().place, platform: 'icq' } }],
    ['a time that is none', { createdAt: null }],
    ['a negative time', { createdAt: -5 }],
    ['a time after all times', { due: 1e300 }],
    ['a text for a time', { due: 'soon' }],
    ['negative credits', { credits: -2 }],
    ['a wrong charge', { charge: 'free' }],
    ['a wrong day', { day: 'Monday' }],
  ])('that has %s is damaged', (_, change) => {
    expect(() => parseJob(JSON.stringify({ ...sampleJob(), ...change }))).toThrow('is not as it should be');
  });

  it.each([
    ['submitting', 'submittedAt'],
    ['running', 'serviceId'],
    ['running', 'submittedAt'],
    ['delivering', 'finishedAt'],
    ['done', 'finishedAt'],
    ['failed', 'failure'],
    ['cancelled', 'finishedAt'],
    ['uncertain', 'finishedAt'],
  ] as const)('that is %s is damaged without its %s', (state, field) => {
    const text = JSON.stringify({ ...sampleJob({ state }), [field]: undefined });
    expect(() => parseJob(text)).toThrow(`${field} is not as it should be`);
  });

  it.each(JOB_STATES)('that an earlier version wrote (%s) is read with what it left there', (state) => {
    const left = { resting: 'unknown', unsent: true, missed: { since: 1, count: 2 } };
    expect(parseJob(JSON.stringify({ ...sampleJob({ state }), ...left }))).toMatchObject({ state, ...left });
  });
});
