/** A platform that is away for hours or days: cards are tried rarely then, for a week, and soon after every start. */
import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, serviceError, world } from './world.ts';

let away = false;
let tries = 0;

beforeEach(async () => {
  await openWorld({ sweep: async () => false });
  away = false;
  tries = 0;
  const unlessAway = (): void => {
    tries += 1;
    if (away) throw new Error('the platform is away');
  };
  world.script.draw = (_, importance) => {
    if (importance === 'final') unlessAway();
    return { state: 'drawn' };
  };
  world.script.newCard = (job) => {
    unlessAway();
    return { platform: 'web', ref: `elsewhere-${job.id}` };
  };
  world.script.discard = unlessAway;
  world.script.findCard = () => {
    unlessAway();
    return { platform: 'web', ref: 'found' };
  };
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a result', () => {
  it.each([
    ['7 hours', 7 * HOUR],
    ['3 days', 3 * DAY],
  ])('is shown after the platform was away for %s', async (_, ms) => {
    away = true;
    const job = await world.submit('ann');
    await world.clock.advance(ms);
    expect((await world.orchestrator.get(job.id))?.state).toBe('delivering');
    away = false;
    await world.clock.advance(HOUR + MINUTE);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'done',
      settled: true,
      charge: 'spent',
    });
    expect(world.finalDrawings(job.id).map(({ withResult }) => withResult)).toEqual([true]);
  });

  it('is tried often at first, then about every half hour', async () => {
    away = true;
    await world.submit('ann');
    await world.clock.advance(HOUR);
    expect(tries).toBeGreaterThan(60);
    await world.clock.advance(11 * HOUR);
    tries = 0;
    await world.clock.advance(3 * DAY);
    // After six hours a try is two: on the card, and in the person's own messages.
    expect(tries).toBeGreaterThan(2 * 3 * 24);
    expect(tries).toBeLessThan(2 * 3 * 60);
  });

  it('is shown soon after a start, however far away the next try was', async () => {
    away = true;
    const job = await world.submit('ann');
    await world.clock.advance(2 * DAY);
    await world.restart();
    // The platforms are connected a moment after the jobs are taken up.
    await world.clock.advance(2_000);
    away = false;
    await world.clock.advance(10_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });

  it('that is briefly missing is not given up, however often the card was tried before', async () => {
    away = true;
    const job = await world.submit('ann');
    await world.clock.advance(2 * DAY);
    let misses = 3;
    world.script.onLook = () => {
      if (misses-- > 0) throw serviceError('not-found', false, { status: 404 });
    };
    away = false;
    await world.clock.advance(HOUR + 10 * MINUTE);
    expect((await world.orchestrator.get(job.id))?.state).toBe('done');
    expect(world.finalDrawings(job.id).map(({ withResult }) => withResult)).toEqual([true]);
  });

  it('whose card in a direct chat cannot be edited is not given up', async () => {
    const job = await world.submit('ann');
    world.script.draw = ({ card }, importance) => {
      if (importance === 'cosmetic') return { state: 'drawn' };
      if (!card?.ref.startsWith('elsewhere')) return { state: 'gone' };
      if (away) throw new Error('the platform is away');
      return { state: 'drawn' };
    };
    world.script.newCard = () => {
      away = true;
      return { platform: 'web', ref: 'elsewhere' };
    };
    await world.clock.advance(DAY);
    expect((await world.orchestrator.get(job.id))?.state).toBe('delivering');
    away = false;
    await world.clock.advance(HOUR + MINUTE);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card: { ref: 'elsewhere' } });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });

  it('is given up after a week, and nothing is due', async () => {
    away = true;
    const job = await world.submit('ann');
    await world.clock.advance(7 * DAY + 2 * HOUR);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true });
    expect((await world.orchestrator.get(job.id))?.due).toBeUndefined();
    tries = 0;
    await world.clock.advance(DAY);
    expect(tries).toBe(0);
  });
});

describe('the end of a job without a result', () => {
  const fail = (): void => {
    world.script.onRun = () => {
      throw serviceError('refused', false);
    };
  };

  it('is shown after the platform was away for a day', async () => {
    away = true;
    fail();
    const job = await world.submit('ann');
    await world.clock.advance(DAY);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'failed', settled: false });
    away = false;
    await world.clock.advance(HOUR + MINUTE);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'failed', settled: true });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });

  it('is shown by the one try after a start a week later', async () => {
    away = true;
    fail();
    const job = await world.submit('ann');
    await world.clock.advance(MINUTE);
    const stopped = world.orchestrator.stop();
    await world.clock.advance(8 * DAY);
    await stopped;
    away = false;
    await world.restart();
    await world.clock.advance(10_000);
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });
});

it('a deleted result is removed from the chat when the platform is back', async () => {
  const job = await world.submit('ann');
  await world.clock.advance(MINUTE);
  away = true;
  await world.orchestrator.withdraw(job.id);
  await world.clock.advance(5 * HOUR);
  expect(world.discarded).toEqual([]);
  away = false;
  await world.clock.advance(HOUR);
  expect(world.discarded).toEqual([`card-${job.id}`]);
  expect(await world.orchestrator.get(job.id)).toBeUndefined();
});
