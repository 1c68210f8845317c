// @module-tag slow
// @module-tag longest
/** The end of a job on the card of a platform that is away for days: it is tried rarely then, for a week. */
import { beforeEach, expect, it } from 'vitest';
import { platformGoesAway } from '../../fakes/away-platform.ts';
import {
  DAY,
  failing,
  HOUR,
  MINUTE,
  openWorld,
  serviceError,
  world,
} from '../../fakes/orchestrator-world.ts';

beforeEach(() => openWorld({ sweep: async () => false }));

const shown = { state: 'done', settled: true, charge: 'spent' };

it('a result is kept while the platform is away for three days, and shown when it is back', async () => {
  const platform = platformGoesAway();
  const job = await world.submitAndPass(3 * DAY);

  expect(await world.jobOf(job)).toMatchObject({ state: 'delivering', settled: false });

  platform.isAway = false;
  await world.pass(HOUR + MINUTE);

  expect(await world.jobOf(job)).toMatchObject(shown);
  expect(world.endsShown(job)).toEqual(['done']);
});

it('a failure is kept while the platform is away for a day, and shown when it is back', async () => {
  const platform = platformGoesAway();
  world.script.onRun = failing('refused', false);
  const job = await world.submitAndPass(DAY);

  expect(await world.jobOf(job)).toMatchObject({ state: 'failed', settled: false });

  platform.isAway = false;
  await world.pass(HOUR + MINUTE);

  expect(await world.jobOf(job)).toMatchObject({ state: 'failed', settled: true });
  expect(world.endsShown(job)).toEqual(['failed']);
});

it('a result is tried often at first, then about every half hour', async () => {
  const platform = platformGoesAway();
  await world.submitAndPass(HOUR);

  expect(platform.tries).toBeGreaterThan(60);

  await world.pass(11 * HOUR);
  platform.tries = 0;
  await world.pass(3 * DAY);

  // After six hours a try is two: on the card, and in the person's own messages.
  expect(platform.tries).toBeGreaterThan(2 * 3 * 24);
  expect(platform.tries).toBeLessThan(2 * 3 * 60);
});

it('a result that has waited for two days is shown soon after a start, however far away the next try was', async () => {
  const platform = platformGoesAway();
  const job = await world.submitAndPass(2 * DAY);

  await world.restart();
  // The platforms are connected a moment after the jobs are taken up.
  await world.pass(2_000);
  platform.isAway = false;
  await world.pass(10_000);

  expect(await world.jobOf(job)).toMatchObject(shown);
  expect(world.endsShown(job)).toHaveLength(1);
});

it('a result that the service briefly misses is not given up, although its card was tried for two days', async () => {
  const platform = platformGoesAway();
  const job = await world.submitAndPass(2 * DAY);

  let misses = 3;

  world.script.onLook = () => {
    misses -= 1;
    if (misses >= 0) throw serviceError('not-found', false, { status: 404 });
  };
  platform.isAway = false;
  await world.pass(HOUR + 10 * MINUTE);

  expect(await world.stateOf(job)).toBe('done');
  expect(world.finalDrawings(job.id).map(({ withResult }) => withResult)).toEqual([true]);
});

it('a result whose new card in a direct chat cannot be edited for a day is not given up', async () => {
  let isAway = false;
  world.onFinalEdit(({ card }) => {
    if (!card?.ref.startsWith('elsewhere')) return { state: 'gone' };
    if (isAway) throw new Error('the platform is away');
    return { state: 'drawn' };
  });
  world.script.newCard = () => {
    isAway = true;
    return { platform: 'web', ref: 'elsewhere' };
  };
  const job = await world.submitAndPass(DAY);

  expect(await world.stateOf(job)).toBe('delivering');

  isAway = false;
  await world.pass(HOUR + MINUTE);

  expect(await world.jobOf(job)).toMatchObject({ state: 'done', card: { ref: 'elsewhere' } });
  expect(world.endsShown(job)).toHaveLength(1);
});

it('a result is given up after a week, and nothing is due then', async () => {
  const platform = platformGoesAway();
  const job = await world.submitAndPass(7 * DAY + 2 * HOUR);

  expect(await world.jobOf(job)).toMatchObject({ state: 'done', settled: true });
  expect((await world.jobOf(job))?.due).toBeUndefined();

  platform.tries = 0;
  await world.pass(DAY);

  expect(platform.tries).toBe(0);
});
