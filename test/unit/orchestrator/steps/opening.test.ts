import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CardRef } from '../../../../src/command/place.ts';
import { createWorld, orderOf, type World } from '../world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const answer: CardRef = { platform: 'web', ref: 'answer' };
const card: CardRef = { platform: 'web', ref: 'found' };
const HOUR = 3_600_000;
const accepted = (more = {}) => world.orchestrator.accept(orderOf('ann', { answer, ...more })).job;
const credits = () => world.orchestrator.usage('web:room', 'web:ann');

it('a card counts as shown only when that would survive a power cut', async () => {
  const job = accepted();
  const disk = Promise.withResolvers<void>();
  world.script.disk = () => disk.promise;
  const events: string[] = [];
  // Said twice, because the first time it could not be told whether it was heard.
  const shown = [1, 2].map(() => world.orchestrator.shown(job.id, card).then(() => events.push('known')));
  expect(world.orchestrator.get(job.id)?.state).toBe('waiting');
  await world.clock.advance(10);
  events.push('on the disk');
  disk.resolve();
  await Promise.all(shown);
  expect(events).toEqual(['on the disk', 'known', 'known']);
});

it('a card that cannot be shown to anybody ends its job at once: the credits are there for the next one', async () => {
  const job = accepted();
  await world.orchestrator.shown(job.id, undefined);
  expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: true });
  expect(credits()).toMatchObject({ spent: 0, reserved: 0 });
  // Said again, because the first time it could not be told whether it was heard.
  await world.orchestrator.shown(job.id, undefined);
  await world.clock.advance(HOUR);
  expect(world.runs).toEqual([]);
});

it('a card that is there stays, whatever becomes of showing it once more', async () => {
  const job = accepted();
  await world.orchestrator.shown(job.id, card);
  await world.orchestrator.shown(job.id, undefined);
  await world.clock.advance(60_000);
  expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card });
});

describe('a job that is cancelled before we heard of its card', () => {
  it('says so on the card, where that is there all the same', async () => {
    const job = accepted();
    world.script.findCard = () => card;
    world.orchestrator.cancel(job.id);
    // As long as it may be on its way it is not drawn over.
    await world.clock.advance(59_000);
    expect(world.finalDrawings(job.id)).toEqual([]);
    await world.clock.advance(2_000);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', card, settled: true });
    expect(credits()).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('is over where there is none', async () => {
    const job = accepted();
    world.orchestrator.cancel(job.id);
    await world.clock.advance(61_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: true });
    expect(world.finalDrawings(job.id)).toEqual([]);
  });

  it('is looked for until the platform answers', async () => {
    let down = true;
    world.script.findCard = () => {
      if (down) throw new Error('down');
      return card;
    };
    const job = accepted();
    world.orchestrator.cancel(job.id);
    await world.clock.advance(120_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: false });
    down = false;
    await world.clock.advance(120_000);
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });

  it('and whose card comes after all says so there, once', async () => {
    const job = accepted();
    world.script.findCard = () => card;
    world.orchestrator.cancel(job.id);
    await world.orchestrator.shown(job.id, card);
    await world.clock.advance(HOUR);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
  });
});

describe('a card of which nobody said that it was shown', () => {
  it('is looked for after a kill, and its job goes on', async () => {
    const job = accepted();
    world.script.findCard = (asked, { id }) => (asked.ref === answer.ref && id === job.id ? card : undefined);
    await world.restart();
    await world.clock.advance(60_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card });
    expect(world.orchestrator.get(job.id)).not.toHaveProperty('answer');
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });

  it('is looked for without a kill as well, when its receipt was lost', async () => {
    const job = accepted();
    world.script.findCard = () => card;
    await world.clock.advance(59_000);
    expect(world.orchestrator.get(job.id)?.state).toBe('opening');
    await world.clock.advance(60_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card });
  });

  it('and is not there: the job is over, and nothing was spent', async () => {
    const job = accepted();
    await world.restart();
    await world.clock.advance(1_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: true });
    expect(credits()).toMatchObject({ spent: 0, reserved: 0 });
    expect(world.runs).toEqual([]);
  });

  it('is looked for until the platform answers, and given up after ten minutes', async () => {
    let down = true;
    world.script.findCard = () => {
      if (down) throw new Error('down');
      return card;
    };
    const job = accepted();
    await world.restart();
    await world.clock.advance(240_000);
    expect(world.orchestrator.get(job.id)?.state).toBe('opening');
    down = false;
    await world.clock.advance(120_000);
    expect(world.orchestrator.get(job.id)?.state).toBe('done');
    down = true;
    const lost = accepted({ origin: 'another event' });
    await world.clock.advance(HOUR);
    expect(world.orchestrator.get(lost.id)?.state).toBe('cancelled');
  });

  it('of somebody who wants to be forgotten says that it was called off', async () => {
    const job = accepted();
    world.orchestrator.erase('web:ann');
    world.script.findCard = () => card;
    await world.clock.advance(120_000);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
    expect(world.orchestrator.get(job.id)).toBeUndefined();
  });

  it('that is reported after all while it is looked for is shown once', async () => {
    const job = accepted();
    const found = Promise.withResolvers<CardRef | undefined>();
    world.script.findCard = () => found.promise;
    await world.clock.advance(61_000);
    world.orchestrator.shown(job.id, { platform: 'web', ref: 'reported' });
    found.resolve(undefined);
    await world.clock.advance(60_000);
    expect(world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card: { ref: 'reported' } });
  });
});
