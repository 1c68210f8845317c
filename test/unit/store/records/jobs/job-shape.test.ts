import { describe, expect, it } from 'vitest';
import { JOB_STATES } from '../../../../../src/command/ports.ts';
import { parseJob } from '../../../../../src/store/tables/job-shape.ts';
import { sampleJob } from '../../sqlite/open-store.ts';

describe('the record of a job', () => {
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
