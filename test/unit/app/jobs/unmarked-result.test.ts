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

const fetched = ({ hasMark = true, maxBytes = 100 } = {}): Promise<Uint8Array | undefined> => {
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
  expect(await fetched({ hasMark: false })).toBeUndefined();
  expect(calls).toBe(0);
});

it.each([
  { what: 'there is no more', stored: undefined },
  { what: 'was withdrawn', stored: jobWith({ ...done, withdrawn: true }) },
  { what: 'belongs to a person whose data is being deleted', stored: jobWith({ ...done, forget: true }) },
  { what: 'has a held result', stored: sampleJob({ state: 'held' }) },
])('a result is not asked for where its job $what', async ({ stored }) => {
  job = stored;

  expect(await fetched()).toBeUndefined();
  expect(calls).toBe(0);
});

it('a result that is too large for a photo is none', async () => {
  expect(await fetched({ maxBytes: picture.byteLength - 1 })).toBeUndefined();
});

it.each<{ what: string; answer: () => Promise<StatusReport> }>([
  { what: 'says that the job failed', answer: async () => ({ state: 'failed' }) as StatusReport },
  { what: 'is away', answer: () => Promise.reject(new Error('the service is away')) },
])('a result is none where the service $what', async ({ answer }) => {
  status = answer;

  expect(await fetched()).toBeUndefined();
});
