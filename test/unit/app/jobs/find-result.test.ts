import { beforeEach, expect, it } from 'vitest';
import { createFindResult } from '../../../../src/app/jobs/find-result.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { JobQuery } from '../../../../src/store/tables/job-search.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

const sample = sampleJob({ state: 'done' });
/** A job of a group of Telegram, whose result is in the message with this number. */
const jobIn = (group: string, message: number): Job =>
  jobWith({
    ...sample,
    id: `${group}/${message}`,
    place: { ...sample.place, platform: 'telegram', community: `telegram:-100${group}` },
    card: { platform: 'telegram', ref: `${group}/${message}` },
  });

let jobs: readonly Job[];
/** The communities that were asked for, in turn; undefined: all. */
let searched: (string | undefined)[];

beforeEach(() => {
  jobs = [];
  searched = [];
});

const find = (link: string, communities?: readonly string[]): Promise<Job | undefined> =>
  createFindResult({
    orchestrator: { get: async (id) => jobs.find((job) => job.id === id) },
    jobSearch: {
      async find({ community }: JobQuery, limit, after) {
        searched.push(community);
        const begin = after?.seq ?? 0;
        const fitting = jobs.filter(({ place }) => community === undefined || place.community === community);
        const seq = begin + limit;
        return {
          jobs: fitting.slice(begin, seq),
          ...(seq < fitting.length && { next: { createdAt: 0, seq } }),
        };
      },
    },
    platforms: { of: () => ({ link: ({ ref }: { ref: string }) => `https://t.me/c/${ref}` }) as never },
    resultMessages: { findJobs: async function* () {} },
  })(link, communities);

it('a result is looked for in the chat that its link names, before all others', async () => {
  jobs = [jobIn('9', 45), jobIn('123', 45)];

  expect((await find('https://t.me/c/123/45'))?.id).toBe('123/45');

  expect(searched).toEqual(['discord:123', 'telegram:-100123']);
});

it('a result that is in another chat than that of its job is found among all', async () => {
  const moved = { platform: 'telegram', ref: '77/5' } as const;
  jobs = [jobWith({ ...jobIn('123', 45), card: moved })];

  expect((await find('https://t.me/c/77/5'))?.id).toBe('123/45');

  expect(searched).toEqual(['discord:77', 'telegram:-10077', undefined]);
});

it('a result is looked for in the given communities alone', async () => {
  jobs = [jobIn('9', 45)];

  expect(await find('https://t.me/c/9/45', ['telegram:-100123'])).toBeUndefined();

  expect(searched).toEqual(['telegram:-100123']);
});

it('other work comes in between the pages of a long search for a link', async () => {
  jobs = Array.from({ length: 1_000 }, (_, number) => jobIn('9', number));
  let others = 0;
  let isOver = false;
  const comeAgain = (): void => {
    others += 1;
    if (!isOver) setImmediate(comeAgain);
  };
  setImmediate(comeAgain);

  expect(await find('https://t.me/c/8/5000')).toBeUndefined();
  isOver = true;

  expect(others).toBeGreaterThan(5);
});
