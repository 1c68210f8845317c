import { beforeEach, describe, expect, it } from 'vitest';
import { drawCard } from '../../../src/cards/card.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { openWorld, orderOf, serviceError, video, world } from './world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(() =>
  openWorld({
    limits: { serviceConcurrentJobs: 1, userJobsPerMinute: 10, userWaitingJobs: 100 },
  }),
);

const stateOf = async (id: string) => (await world.orchestrator.get(id))?.state;

describe('when the clock jumps ahead by a day', () => {
  it('waiting and running jobs are not late', async () => {
    const jobs = await Promise.all(['ann', 'ben', 'cid'].map((person) => world.submit(person)));
    await world.clock.advance(2_000);
    world.clock.leap(24 * HOUR);
    await world.clock.advance(3 * MINUTE);
    expect(await Promise.all(jobs.map(({ id }) => stateOf(id)))).toEqual(['done', 'done', 'done']);
    expect(world.runs).toHaveLength(3);
  });

  it('no card says that a short job took a day', async () => {
    const [before, after] = await Promise.all([world.submit('ann'), world.submit('ben')]);
    await world.clock.advance(2_000);
    world.clock.leap(72 * HOUR);
    await world.clock.advance(3 * MINUTE);
    const lines = async (id: string): Promise<unknown[]> => {
      const job = await world.orchestrator.get(id);
      return job === undefined ? [] : [...drawCard(job, {}, wordsFor('en')).lines];
    };
    expect(await lines(before.id)).toContain('2 credits');
    expect(await lines(after.id)).toContainEqual(expect.stringMatching(/^Took \d+ s · 2 credits$/));
  });

  it('no card says to wait for a day', async () => {
    const [, , , last] = await Promise.all(
      ['ann', 'ben', 'cid', 'dan'].map((person) => world.submit(person)),
    );
    await world.clock.advance(2_000);
    world.clock.leap(24 * HOUR);
    await world.clock.advance(15_000);
    expect(world.finished).not.toHaveLength(0);
    const waiting = await world.orchestrator.get(last?.id ?? '');
    const { waitMs } = waiting === undefined ? {} : await world.orchestrator.jobStatus(waiting);
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThan(HOUR);
  });

  it('a running job gets its full time again, and is polled as if just started', async () => {
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    const job = await world.submit('ann');
    await world.clock.advance(MINUTE);
    world.clock.leap(24 * HOUR);
    const looks = world.looks.length;
    await world.clock.advance(9 * MINUTE);
    expect(await stateOf(job.id)).toBe('running');
    expect(world.looks.length - looks).toBeGreaterThan(5);
    // Not closer than any two looks may be.
    expect(world.looks.length - looks).toBeLessThanOrEqual(9 * 60);
    await world.clock.advance(2 * MINUTE);
    expect(await stateOf(job.id)).toBe('failed');
  });

  it('a job that cannot be submitted pauses between attempts, and fails in the end', async () => {
    let tries = 0;
    world.script.photo = async () => {
      tries += 1;
      throw serviceError('unreachable', false);
    };
    const job = await world.submit('ann');
    await world.clock.advance(MINUTE);
    world.clock.leap(24 * HOUR);
    tries = 0;
    await world.clock.advance(10 * MINUTE);
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(60);
    expect(await stateOf(job.id)).toBe('waiting');
    await world.clock.advance(6 * HOUR);
    expect(await stateOf(job.id)).toBe('failed');
  });

  it('a result that cannot be shown at that moment is shown later', async () => {
    world.script.draw = (_, importance) =>
      importance === 'final' ? { state: 'later', afterMs: 1_000 } : { state: 'drawn' };
    const job = await world.submit('ann');
    await world.clock.advance(MINUTE);
    expect(await stateOf(job.id)).toBe('delivering');
    world.clock.leap(24 * HOUR);
    await world.clock.advance(2 * MINUTE);
    world.script.draw = () => ({ state: 'drawn' });
    await world.clock.advance(3 * MINUTE);
    expect(await stateOf(job.id)).toBe('done');
    expect(world.newCards).toEqual([]);
  });
});

describe('when the clock was set back by an hour before the start', () => {
  it('nothing waits for that hour', async () => {
    // Finished there, whichever time it is here.
    world.script.durationMs = () => -2 * HOUR;
    const jobs = [
      await world.submit('ann', { request: video }),
      ...(await Promise.all(['ben', 'cid'].map((person) => world.submit(person)))),
    ];
    await world.clock.advance(3_000);
    expect(await Promise.all(jobs.map(({ id }) => stateOf(id)))).toEqual(['running', 'waiting', 'waiting']);
    world.clock.leap(-HOUR);
    await world.restart();
    await world.clock.advance(5 * MINUTE);
    expect(await Promise.all(jobs.map(({ id }) => stateOf(id)))).toEqual(['done', 'done', 'done']);
    expect(world.runs).toHaveLength(3);
  });

  it('submissions of that hour do not count for the minute', async () => {
    for (let count = 0; count < 10; count += 1) await world.submit('ann');
    await expect(world.submit('ann')).rejects.toThrow('not accepted: rate');
    world.clock.leap(-HOUR);
    await world.restart();
    for (let count = 0; count < 10; count += 1) await world.orchestrator.accept(orderOf('ann'));
    await expect(world.orchestrator.accept(orderOf('ann'))).rejects.toThrow('not accepted: rate');
  });
});
