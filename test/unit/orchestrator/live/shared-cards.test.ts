/** Cards of jobs that several processes work on, one after the other. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import { createActiveJobs } from '../../../../src/orchestrator/live/active-jobs.ts';
import { createProgressEdit } from '../../../../src/orchestrator/live/progress-edit.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { jobWith } from '../../../fakes/job.ts';
import { sampleJob } from '../../store/sqlite/open-store.ts';

const card = { platform: 'telegram', ref: '1' } as const;
const common = sampleJob({ id: 'a', card });

let clock: FakeClock;
let stored: Job | undefined;
let reads: number;
let isReadable: () => boolean;
const records = {
  get: async () => {
    reads += 1;
    if (!isReadable()) throw new Error('Connection terminated');
    return stored;
  },
  place: async () => undefined,
  expectedPlace: async () => undefined,
};

beforeEach(() => {
  clock = createFakeClock();
  reads = 0;
  isReadable = () => true;
  stored = jobWith({ ...common, state: 'running', version: 3 });
});

describe('the progress of a job that another process brings to its end', () => {
  const draws: string[] = [];
  let meanwhile: () => void;
  let isAway: () => boolean;
  let ending: AbortController;
  const draw = (isShared: boolean) =>
    createProgressEdit({
      clock,
      records,
      isShared,
      isStopped: () => false,
      log: { warn: () => undefined },
      ports: {
        async draw(job, _status, importance) {
          if (isAway()) return { state: 'later', afterMs: 0 };
          draws.push(`${job.state} ${importance}`);
          meanwhile();
          return { state: 'drawn' };
        },
      },
    })('a', { progress: 0.5 }, ending.signal);
  beforeEach(() => {
    draws.length = 0;
    ending = new AbortController();
    meanwhile = () => undefined;
    isAway = () => false;
  });

  it('is replaced by the end, which it has overwritten', async () => {
    meanwhile = () => {
      stored = jobWith({ ...common, state: 'failed', version: 4 });
    };
    await draw(true);
    expect(draws).toEqual(['running cosmetic', 'failed final']);
  });

  it('waits for the end to be written down, and leaves the result in its place', async () => {
    meanwhile = () => {
      stored = jobWith({ ...common, state: 'delivering', version: 4 });
    };
    const drawn = draw(true);
    await clock.advance(1_500);
    expect(draws).toEqual(['running cosmetic']);
    stored = jobWith({ ...common, state: 'done', version: 5 });
    meanwhile = () => undefined;
    await clock.advance(1_500);
    await drawn;
    expect(draws).toEqual(['running cosmetic', 'done cosmetic']);
  });

  it.each(['the store', 'the platform'])(
    'is replaced by the end after %s was away for minutes',
    async (which) => {
      meanwhile = () => {
        stored = jobWith({ ...common, state: 'done', version: 4 });
        meanwhile = () => undefined;
        const end = clock.now() + 300_000;
        if (which === 'the store') isReadable = () => clock.now() >= end;
        else isAway = () => clock.now() < end;
      };
      const drawn = draw(true);
      await clock.advance(5_000);
      // Other cards do not wait for that.
      await drawn;
      await clock.advance(290_000);
      expect(draws).toEqual(['running cosmetic']);
      await clock.advance(60_000);
      expect(draws).toEqual(['running cosmetic', 'done cosmetic']);
      expect(clock.pending).toBe(0);
    },
  );

  it('does not keep the result of this process waiting', async () => {
    meanwhile = () => {
      stored = jobWith({ ...common, state: 'delivering', version: 4 });
    };
    const drawn = draw(true);
    await clock.advance(0);
    ending.abort();
    await drawn;
    expect(draws).toEqual(['running cosmetic']);
  });

  it('is followed by nothing while the job runs', async () => {
    await draw(true);
    expect(draws).toEqual(['running cosmetic']);
  });
});

describe('a job that another process has taken on', () => {
  let counts: { began: number; ended: number };
  let forgotten: string[];
  const follow = (isShared: boolean) => {
    counts = { began: 0, ended: 0 };
    forgotten = [];
    const timing = {
      began: () => {
        counts.began += 1;
      },
      ended: () => {
        counts.ended += 1;
      },
      progress: () => ({ fraction: 0.5 }),
    };
    const gate = { outage: () => undefined, pollOutage: () => undefined };
    const active = createActiveJobs({
      records,
      isShared,
      now: clock.now,
      limits: { perPerson: 1, inAll: 1 },
      timing,
      gates: { key: gate, token: gate },
      cardRefresh: {
        follow: () => undefined,
        hurry: () => undefined,
        forget: (id: string) => void forgotten.push(id),
      },
    } as unknown as Parameters<typeof createActiveJobs>[0]);
    if (stored !== undefined) active.saved(stored);
    return active;
  };

  it.each(['written', 'removed'])('is followed no longer once it was %s', async (how) => {
    const active = follow(true);
    expect(await active.cardState('a')).toMatchObject({ state: 'running' });
    stored = how === 'removed' ? undefined : jobWith({ ...common, state: 'done', version: 4 });
    await clock.advance(10_000);
    expect(await active.cardState('a')).toBeUndefined();
    expect(forgotten).toEqual(['a']);
    expect(counts).toEqual({ began: 1, ended: 1 });
  });

  it('is followed again when it comes back', async () => {
    const active = follow(true);
    stored = jobWith({ ...common, state: 'running', version: 4 });
    await clock.advance(10_000);
    expect(await active.cardState('a')).toBeUndefined();
    active.saved(stored);
    expect(await active.cardState('a')).toMatchObject({ state: 'running' });
  });

  it('costs one read in ten seconds, and none where nobody else is', async () => {
    for (const [isShared, expected] of [
      [true, 3],
      [false, 0],
    ] as const) {
      const active = follow(isShared);
      reads = 0;
      for (let second = 0; second < 30; second += 1) {
        await clock.advance(1_000);
        expect(await active.cardState('a')).toBeDefined();
      }
      expect(reads).toBe(expected);
    }
  });
});
