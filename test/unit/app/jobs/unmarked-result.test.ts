import { beforeEach, expect, it } from 'vitest';
import { createUnmarkedResult } from '../../../../src/app/jobs/unmarked-result.ts';
import type { StatusReport } from '../../../../src/generation-client/result/status-report.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

const done = sampleJob({ state: 'done' });
const picture = Buffer.from('a picture');
const completed: StatusReport = { state: 'completed', output: { kind: 'image', bytes: picture } };

let job: Job | undefined;
let status: () => Promise<StatusReport>;
let calls: number;

beforeEach(() => {
  job = done;
  status = async () => completed;
  calls = 0;
});

const fetched = (hasMark = true, maxBytes = 100): Promise<Uint8Array | undefined> => {
  const unmarked = createUnmarkedResult({
    hasMark,
    getJob: async () => job,
    client: {
      status: () => {
        calls += 1;
        return status();
      },
    },
  });
  return unmarked(done.id, maxBytes, new AbortController().signal, async () => undefined);
};

it('a result is fetched again from the service, where it has no visible mark', async () => {
  expect(await fetched()).toBe(picture);
});

it('a result is not asked for where pictures get no mark', async () => {
  expect(await fetched(false)).toBeUndefined();
  expect(calls).toBe(0);
});

it('a result that was taken away, or is not shown yet, is not asked for', async () => {
  for (const gone of [
    undefined,
    jobWith({ ...done, withdrawn: true }),
    jobWith({ ...done, forget: true }),
    sampleJob({ state: 'held' }),
  ]) {
    job = gone;
    expect(await fetched()).toBeUndefined();
  }
  expect(calls).toBe(0);
});

it('a result that the service does not give, or that is too large for a photo, is none', async () => {
  expect(await fetched(true, picture.byteLength - 1)).toBeUndefined();

  status = async () => ({ state: 'failed' }) as StatusReport;
  expect(await fetched()).toBeUndefined();

  status = () => Promise.reject(new Error('the service is away'));
  expect(await fetched()).toBeUndefined();
});
