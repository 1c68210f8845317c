import { describe, expect, it } from 'vitest';
import { createEgress } from '../../../src/app/egress.ts';
import { createJobPorts } from '../../../src/app/job-ports.ts';
import type { Aliases } from '../../../src/community/aliases.ts';
import { CommunityProblem, type Problem } from '../../../src/community/problem.ts';
import { DownloadMissing } from '../../../src/media/download.ts';
import { JobFailure } from '../../../src/orchestrator/failure.ts';
import type { Job } from '../../../src/orchestrator/job.ts';
import { orderOf, video } from '../orchestrator/world.ts';

const unused = (): never => {
  throw new Error('not part of this test');
};
const aliases: Aliases = {
  create: unused,
  list: unused,
  show: unused,
  repoint: unused,
  delete: unused,
  named: unused,
  use: unused,
  move: unused,
  heal: unused,
};
const { dailyCredits: _, ...order } = orderOf('ann', { request: video });
const job: Job = {
  ...order,
  id: 'job',
  state: 'delivering',
  day: '2026-01-05',
  charge: 'spent',
  card: { platform: 'web', ref: 'card' },
  createdAt: 0,
  looks: 1,
  attempts: 0,
  shownProgress: 0,
  settled: false,
  version: 1,
};

describe('a result whose link leads nowhere', () => {
  const ports = createJobPorts({
    aliases,
    egress: createEgress(new Map()),
    dressed: async () => {
      throw new DownloadMissing('download answered 404');
    },
    finished: unused,
    aliasBroken: unused,
    ownerNotice: unused,
  });
  const output = { kind: 'video', url: 'https://cdn.example.com/v.mp4' } as const;
  const draw = (attempts: number) => ports.draw({ ...job, attempts }, {}, 'final', output);

  it('is waited for a little, then given up, long before the hours that a chat is given', async () => {
    await expect(draw(0)).rejects.toBeInstanceOf(DownloadMissing);
    await expect(draw(8)).rejects.toBeInstanceOf(JobFailure);
  });
});

describe('an alias that cannot be used', () => {
  const failing = (problem: Problem) => {
    const told: unknown[] = [];
    const ports = createJobPorts({
      aliases: { ...aliases, use: () => Promise.reject(new CommunityProblem(problem)) },
      egress: createEgress(new Map()),
      dressed: unused,
      finished: unused,
      aliasBroken: (_job, name, { code }) => void told.push([name, code]),
      ownerNotice: unused,
    });
    return { told, resolve: () => ports.resolve({ by: 'alias', id: 'id', name: 'xmas' }, job) };
  };

  it.each([
    [{ code: 'alias-gone', name: 'xmas' }, 'alias-gone'],
    [{ code: 'wrong-model', name: 'xmas', needed: 'face', found: 'group' }, 'alias-mismatch'],
  ] as const)(
    '$0.code ends the job with its own words, and the moderators are told',
    async (problem, code) => {
      const { told, resolve } = failing(problem);
      await expect(resolve()).rejects.toMatchObject({ failure: { code, detail: 'xmas' } });
      expect(told).toEqual([['xmas', problem.code]]);
    },
  );
});
