// @module-tag slow
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
  type WorldOptions,
  world,
} from '../../fakes/orchestrator-world.ts';

beforeEach(() => openWorld());

describe('a waiting job fails at its deadline', () => {
  const open = (waitingMs: number, more: WorldOptions = {}): Promise<void> =>
    openWorld({ deadlines: { waitingMs }, ...more });
  const givenUp = { ...failedFor('deadline'), settled: true };

  it('a waiting job fails at its deadline behind a job that does not end', async () => {
    await open(5 * MINUTE, { limits: { serviceConcurrentJobs: 1 } });
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    await world.submit('ann');
    const behind = await world.submitAndPass(5 * MINUTE - 1_000, 'ben');

    expect(await world.stateOf(behind)).toBe('waiting');

    await world.pass(2_000);
    expect(await world.jobOf(behind)).toMatchObject(givenUp);
    expect(await world.orchestrator.stats()).toMatchObject({ waiting: 0, running: 1 });
    expect(world.runs).toHaveLength(1);
  });

  it('a waiting job fails at its deadline behind an open breaker', async () => {
    await open(30 * MINUTE);
    world.script.onRun = failing('unreachable', false);
    const jobs = await world.submitAll(crowd(10));
    await world.pass(31 * MINUTE);

    expect(await Promise.all(jobs.map(world.jobOf))).toMatchObject(jobs.map(() => givenUp));
  });

  it('a waiting job fails at its deadline while the program is not running', async () => {
    await open(30 * MINUTE);
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
    await open(10_000);
    world.script.durationMs = () => 20_000;
    const job = await world.submitAndPass(2 * MINUTE, 'ann', { request: video });

    expect(await world.stateOf(job)).toBe('done');
  });
});

describe('a result that cannot be read', () => {
  it('a result that cannot be read is fetched a few times, then the job fails and the credits are returned', async () => {
    world.script.outcome = failing('unusable-result', true);
    const job = await world.submit('ann');
    let asked = 0;
    world.script.onLook = () => {
      asked += 1;
    };
    await world.pass(2 * MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ ...failedFor('result-unusable'), settled: true });
    expect(asked).toBeLessThan(25);

    const before = asked;
    await world.pass(HOUR);

    expect(asked).toBe(before);
  });

  it('a result that cannot be read is not assumed for garbage from a proxy: that is an outage and loses nothing', async () => {
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
  /** The first run's job is not known when this says so, by the number of the look. */
  const loseFirst = (
    isLost: (look: number) => boolean,
    kind: 'not-found' | 'refused' = 'not-found',
  ): void => {
    let count = 0;
    world.script.onLook = (id) => {
      if (id === 'service-1' && isLost(++count)) throw serviceError(kind, false);
    };
  };
  /** Submits it, and then somebody else's, which runs all the time: so its status path answers. */
  const submit = async () => {
    const job = await world.submitAndPass(0);
    await world.submit('ben');
    return job;
  };

  it.each(['not-found', 'refused'] as const)(
    'a job that the service does not know any more (%s) fails after a minute of polls',
    async (kind) => {
      loseFirst((look) => look > 1, kind);
      const job = await submit();
      await world.pass(40_000);
      // They are still counted after it.
      await world.restart();
      await world.pass(10_000);

      expect(await world.stateOf(job)).toBe('running');

      await world.pass(90_000);
      expect(await world.jobOf(job)).toMatchObject({ ...failedFor('job-unknown'), settled: true });
      expect(world.endsShown(job)).toHaveLength(1);
    },
  );

  it('a job that the service does not know and never knew is polled for longer', async () => {
    let appears = false;
    loseFirst(() => !appears);
    const job = await submit();
    await world.pass(100_000);
    appears = true;
    await world.pass(9 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('a job that the service does not know now and then counts from the start when it was seen in between', async () => {
    loseFirst((look) => look % 4 !== 0);
    const job = await submit();
    await world.pass(10 * MINUTE);

    expect(await world.stateOf(job)).toBe('done');
  });

  it('a job that the service does not know as it knows none does not end before its deadline', async () => {
    world.script.durationMs = () => 5 * MINUTE;
    world.script.onLook = failing('not-found', false);
    const jobs = await world.submitAll(['ann', 'ben', 'cid']);
    await world.pass(8 * MINUTE);

    expect(await world.statesOf(jobs)).toEqual(['running', 'running', 'running']);

    world.script.onLook = () => undefined;
    await world.pass(MINUTE);

    expect(await world.statesOf(jobs)).toEqual(['done', 'done', 'done']);
  });

  it('a job that the service does not know is not proved by responses of another status path', async () => {
    world.script.durationMs = () => 20 * MINUTE;
    loseFirst(() => true);
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

  it('when the clock jumps ahead by a day, no waiting or running job is late, and no card says that one took a day or waits for one', async () => {
    const jobs = await world.submitAll(['ann', 'ben', 'cid', 'dan']);
    const [running = expect.fail(), waiting = expect.fail(), , last = expect.fail()] = jobs;

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
    expect(await lines(waiting)).toContainEqual(expect.stringMatching(/^Took \d+ s · 2 credits$/));
  });

  it('when the clock jumps ahead by a day, a running job gets its full time again, and is polled as if just started', async () => {
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    const job = await world.submitAndPass(MINUTE);
    world.clock.leap(24 * HOUR);
    const looks = world.looks.length;
    await world.pass(9 * MINUTE);

    expect(await world.stateOf(job)).toBe('running');
    expect(world.looks.length - looks).toBeGreaterThan(5);
    // Not closer than any two looks may be.
    expect(world.looks.length - looks).toBeLessThanOrEqual(9 * 60);

    await world.pass(2 * MINUTE);
    expect(await world.stateOf(job)).toBe('failed');
  });

  it('when the clock jumps ahead by a day, a job that cannot be submitted pauses between attempts, and fails in the end', async () => {
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

    await world.pass(6 * HOUR);
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

    expect([await world.stateOf(job), world.newCards]).toEqual(['done', []]);
  });
});

describe('when the clock was set back by an hour before the start', () => {
  it('when the clock was set back by an hour before the start, nothing waits for that hour', async () => {
    await openWorld({ limits: { serviceConcurrentJobs: 1 } });
    // Finished there, whichever time it is here.
    world.script.durationMs = () => -2 * HOUR;
    const jobs = [await world.submit('ann', { request: video }), ...(await world.submitAll(['ben', 'cid']))];
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
    const twoAndNoMore = async (): Promise<void> => {
      for (let count = 0; count < 2; count += 1) await world.orchestrator.accept(orderOf('ann'));
      await expect(world.orchestrator.accept(orderOf('ann'))).rejects.toThrow('not accepted: rate');
    };
    await twoAndNoMore();
    world.clock.leap(-HOUR);
    await world.restart();
    await twoAndNoMore();
  });
});
