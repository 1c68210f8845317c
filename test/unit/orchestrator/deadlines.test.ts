/** When a job is given up: while it waits, when the service no longer knows it, and when the clock is wrong. */
import { beforeEach, describe, expect, it } from 'vitest';
import { drawCard } from '../../../src/cards/card.ts';
import { wordsFor } from '../../../src/words/words.ts';
import {
  crowd,
  failedFor,
  failing,
  HOUR,
  MINUTE,
  never,
  openWorld,
  orderOf,
  serviceError,
  video,
  world,
} from '../../fakes/orchestrator-world.ts';

beforeEach(() => openWorld());

describe('a waiting job', () => {
  const givenUp = { ...failedFor('deadline'), settled: true };

  it('a waiting job fails at its deadline behind a job that does not end', async () => {
    await openWorld({ deadlines: { waitingMs: 5 * MINUTE }, limits: { serviceConcurrentJobs: 1 } });
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    await world.submit('ann');
    const behind = await world.submit('ben');
    await world.pass(5 * MINUTE - 1_000);

    expect(await world.stateOf(behind)).toBe('waiting');

    await world.pass(2_000);

    expect(await world.jobOf(behind)).toMatchObject(givenUp);
    expect(await world.orchestrator.stats()).toMatchObject({ waiting: 0, running: 1 });
    expect(world.runs).toHaveLength(1);
  });

  it('a waiting job fails at its deadline behind an open breaker', async () => {
    await openWorld({ deadlines: { waitingMs: 30 * MINUTE } });
    world.script.onRun = failing('unreachable', false);
    const jobs = await world.submitAll(crowd(10));
    await world.pass(31 * MINUTE);
    const jobsThen = await Promise.all(jobs.map(world.jobOf));

    expect(jobsThen).toMatchObject(jobs.map(() => givenUp));
  });

  it('a waiting job fails at its deadline while the program is not running', async () => {
    await openWorld({ deadlines: { waitingMs: 30 * MINUTE } });
    world.script.photo = never;
    const job = await world.submit('ann');
    const stopped = world.orchestrator.stop();
    await world.pass(31 * MINUTE);
    await stopped;
    await world.restart();
    await world.pass(1_000);

    expect(await world.jobOf(job)).toMatchObject(givenUp);
  });

  it('a waiting job does not fail at its deadline if it was sent before', async () => {
    await openWorld({ deadlines: { waitingMs: 10_000 } });
    world.script.durationMs = () => 20_000;
    const job = await world.submitAndPass(2 * MINUTE, 'ann', { request: video });

    expect(await world.stateOf(job)).toBe('done');
  });
});

describe('a result that cannot be read', () => {
  it('a result that cannot be read is fetched a few times, then the job fails and the credits are returned', async () => {
    world.script.outcome = failing('unusable-result', true);
    const job = await world.submit('ann');
    let polls = 0;
    world.script.onLook = () => {
      polls += 1;
    };
    await world.pass(2 * MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ ...failedFor('result-unusable'), settled: true });
    expect(polls).toBeLessThan(25);

    const pollsUntilItFailed = polls;
    await world.pass(HOUR);

    expect(polls).toBe(pollsUntilItFailed);
  });

  it('an answer that cannot be read, as from a proxy, is an outage: the job goes on afterwards', async () => {
    world.script.onLook = failing('bad-response', true);
    const job = await world.submitAndPass(9 * MINUTE);
    world.script.onLook = () => undefined;
    await world.pass(MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });
});

describe('a job that the service does not know', () => {
  beforeEach(() => {
    world.script.durationMs = () => 9 * MINUTE;
  });
  /** `isLost` is given the number of the poll, and says whether the service denies the first job then. */
  const serviceDeniesFirstJob = (
    isLost: (poll: number) => boolean,
    kind: 'not-found' | 'refused' = 'not-found',
  ): void => {
    let poll = 0;
    world.script.onLook = (id) => {
      if (id !== 'service-1') return;
      poll += 1;
      if (isLost(poll)) throw serviceError(kind, false);
    };
  };
  /** The job of somebody else runs all the time, so polls on the same status path succeed. */
  const submitBesideAnotherJob = async () => {
    const job = await world.submitAndPass(0);
    await world.submit('ben');
    return job;
  };

  it.each(['not-found', 'refused'] as const)(
    'a job that the service does not know any more (it answers %s) fails after a minute of polls',
    async (kind) => {
      serviceDeniesFirstJob((poll) => poll > 1, kind);
      const job = await submitBesideAnotherJob();
      await world.pass(40_000);
      // The minute goes on over a restart.
      await world.restart();
      await world.pass(10_000);

      expect(await world.stateOf(job)).toBe('running');

      await world.pass(90_000);
      expect(await world.jobOf(job)).toMatchObject({ ...failedFor('job-unknown'), settled: true });
      expect(world.endsShown(job)).toHaveLength(1);
    },
  );

  it('a job that the service has not known so far is polled for longer than one that it has forgotten', async () => {
    let appears = false;
    serviceDeniesFirstJob(() => !appears);
    const job = await submitBesideAnotherJob();
    await world.pass(100_000);
    appears = true;
    await world.pass(9 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('a job that the service denies now and then, but knows in between, is not given up', async () => {
    serviceDeniesFirstJob((poll) => poll % 4 !== 0);
    const job = await submitBesideAnotherJob();
    await world.pass(10 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('while the service knows no job at all, none is given up before its deadline', async () => {
    world.script.durationMs = () => 5 * MINUTE;
    world.script.onLook = failing('not-found', false);
    const jobs = await world.submitAll(['ann', 'ben', 'cid']);
    await world.pass(8 * MINUTE);

    expect(await world.statesOf(jobs)).toEqual(['running', 'running', 'running']);

    world.script.onLook = () => undefined;
    await world.pass(MINUTE);

    expect(await world.statesOf(jobs)).toEqual(['done', 'done', 'done']);
  });

  it('answers of another status path do not prove that the service has forgotten a job', async () => {
    world.script.durationMs = () => 20 * MINUTE;
    serviceDeniesFirstJob(() => true);
    const film = await world.submitAndPass(0, 'ann', { request: video });
    await world.submitAll(['ben', 'cid']);
    await world.pass(15 * MINUTE);

    expect(await world.stateOf(film)).toBe('running');

    await world.pass(20 * MINUTE);
    expect(await world.jobOf(film)).toMatchObject(failedFor('job-unknown'));
  });
});

describe('when the clock jumps ahead by a day', () => {
  beforeEach(() => openWorld({ limits: { serviceConcurrentJobs: 1 } }));

  it('when the clock jumps ahead by a day, no job is late for it, and no card tells of a day', async () => {
    const jobs = await world.submitAll(['ann', 'ben', 'cid', 'dan']);
    const running = jobs[0] ?? expect.fail();
    const second = jobs[1] ?? expect.fail();
    const last = jobs[3] ?? expect.fail();

    await world.pass(2_000);
    world.clock.leap(24 * HOUR);
    await world.pass(15_000);

    expect(await world.statesOf([running, last])).toEqual(['done', 'waiting']);

    const { waitMs } = await world.statusOf(last);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThan(HOUR);

    await world.pass(3 * MINUTE);
    expect(await world.statesOf(jobs)).toEqual(jobs.map(() => 'done'));
    expect(world.runs).toHaveLength(4);

    const lines = async (job: typeof running): Promise<unknown> =>
      drawCard((await world.jobOf(job)) ?? expect.fail(), {}, wordsFor('en')).lines;
    expect(await lines(running)).toContain('2 credits');
    expect(await lines(second)).toContainEqual(expect.stringMatching(/^Took \d+ s · 2 credits$/));
  });

  it('when the clock jumps ahead by a day, a running job gets its full time again, and is polled as if just started', async () => {
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    const job = await world.submitAndPass(MINUTE);
    world.clock.leap(24 * HOUR);
    const looksBefore = world.looks.length;
    await world.pass(9 * MINUTE);

    expect(await world.stateOf(job)).toBe('running');
    const polls = world.looks.length - looksBefore;

    expect(polls).toBeGreaterThan(5);
    // A job is polled once a second at most.
    expect(polls).toBeLessThanOrEqual(9 * 60);

    await world.pass(2 * MINUTE);
    expect(await world.stateOf(job)).toBe('failed');
  });

  it('when the clock jumps ahead by a day, a job that cannot be submitted pauses between attempts, and fails in the end', async () => {
    await openWorld({ deadlines: { waitingMs: 20 * MINUTE } });
    let tries = 0;
    world.script.photo = async () => {
      tries += 1;
      throw serviceError('unreachable', false);
    };
    const job = await world.submitAndPass(MINUTE);
    world.clock.leap(24 * HOUR);
    tries = 0;
    await world.pass(10 * MINUTE);

    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(60);
    expect(await world.stateOf(job)).toBe('waiting');

    await world.pass(10 * MINUTE);
    expect(await world.stateOf(job)).toBe('failed');
  });

  it('when the clock jumps ahead by a day, a result that cannot be shown at that moment is shown later', async () => {
    world.onFinalEdit(() => ({ state: 'later', afterMs: 1_000 }));
    const job = await world.submitAndPass(MINUTE);

    expect(await world.stateOf(job)).toBe('delivering');

    world.clock.leap(24 * HOUR);
    await world.pass(2 * MINUTE);
    world.onFinalEdit(() => ({ state: 'drawn' }));
    await world.pass(3 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
    expect(world.newCards).toEqual([]);
  });
});

describe('when the clock was set back by an hour before the start', () => {
  it('when the clock was set back by an hour before the start, nothing waits for that hour', async () => {
    await openWorld({ limits: { serviceConcurrentJobs: 1 } });
    // The service has finished each job at once, whichever time it is here.
    world.script.durationMs = () => -2 * HOUR;
    const film = await world.submit('ann', { request: video });
    const pictures = await world.submitAll(['ben', 'cid']);
    const jobs = [film, ...pictures];
    await world.pass(3_000);

    expect(await world.statesOf(jobs)).toEqual(['running', 'waiting', 'waiting']);

    world.clock.leap(-HOUR);
    await world.restart();
    await world.pass(5 * MINUTE);

    expect(await world.statesOf(jobs)).toEqual(['done', 'done', 'done']);
    expect(world.runs).toHaveLength(3);
  });

  it('when the clock was set back by an hour before the start, submissions of that hour do not count for the minute', async () => {
    await openWorld({ limits: { userJobsPerMinute: 2 } });
    const expectTwoAndNoMore = async (): Promise<void> => {
      await world.orchestrator.accept(orderOf('ann'));
      await world.orchestrator.accept(orderOf('ann'));
      await expect(world.orchestrator.accept(orderOf('ann'))).rejects.toThrow('not accepted: rate');
    };
    await expectTwoAndNoMore();
    world.clock.leap(-HOUR);
    await world.restart();
    await expectTwoAndNoMore();
  });
});
