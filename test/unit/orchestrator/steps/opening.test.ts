import { beforeEach, describe, expect, it } from 'vitest';
import type { CardRef } from '../../../../src/command/place.ts';
import { openWorld, orderOf, world } from '../world.ts';

beforeEach(() => openWorld());

const answer: CardRef = { platform: 'web', ref: 'answer' };
const card: CardRef = { platform: 'web', ref: 'found' };
const HOUR = 3_600_000;
const accepted = async (more = {}) =>
  (await world.orchestrator.accept(orderOf('ann', { answer, ...more }))).job;
const credits = () => world.orchestrator.usage('web:room', 'web:ann');

it('a card counts as shown only when that would survive a power cut', async () => {
  const job = await accepted();
  const disk = Promise.withResolvers<void>();
  world.script.disk = () => disk.promise;
  const events: string[] = [];
  // Said twice, because the first time it could not be told whether it was heard.
  const shown = [1, 2].map(() => world.orchestrator.shown(job.id, card).then(() => events.push('known')));
  await world.clock.advance(10);
  expect((await world.orchestrator.get(job.id))?.card).toEqual(card);
  expect(events).toEqual([]);
  events.push('on the disk');
  disk.resolve();
  await Promise.all(shown);
  expect(events).toEqual(['on the disk', 'known', 'known']);
});

it('a card that cannot be shown ends its job immediately, and the credits are returned', async () => {
  const job = await accepted();
  await world.orchestrator.shown(job.id, undefined);
  expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: true });
  expect(await credits()).toMatchObject({ spent: 0, reserved: 0 });
  // Said again, because the first time it could not be told whether it was heard.
  await world.orchestrator.shown(job.id, undefined);
  await world.clock.advance(HOUR);
  expect(world.runs).toEqual([]);
});

it('an existing card stays, whatever happens when it is shown again', async () => {
  const job = await accepted();
  await world.orchestrator.shown(job.id, card);
  await world.orchestrator.shown(job.id, undefined);
  await world.clock.advance(60_000);
  expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card });
});

describe('a job that is cancelled before its card is confirmed', () => {
  it('shows that on the card, if there is one', async () => {
    const job = await accepted();
    world.script.findCard = () => card;
    await world.orchestrator.cancel(job.id);
    // As long as it may be on its way it is not drawn over.
    await world.clock.advance(59_000);
    expect(world.finalDrawings(job.id)).toEqual([]);
    await world.clock.advance(2_000);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', card, settled: true });
    expect(await credits()).toMatchObject({ spent: 0, reserved: 0 });
  });

  it('ends if there is none', async () => {
    const job = await accepted();
    await world.orchestrator.cancel(job.id);
    await world.clock.advance(61_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: true });
    expect(world.finalDrawings(job.id)).toEqual([]);
  });

  it('is searched for until the platform answers', async () => {
    let down = true;
    world.script.findCard = () => {
      if (down) throw new Error('down');
      return card;
    };
    const job = await accepted();
    await world.orchestrator.cancel(job.id);
    await world.clock.advance(120_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: false });
    down = false;
    await world.clock.advance(120_000);
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });

  it('shows that once on a card that appears later', async () => {
    const job = await accepted();
    world.script.findCard = () => card;
    await world.orchestrator.cancel(job.id);
    await world.orchestrator.shown(job.id, card);
    await world.clock.advance(HOUR);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
  });
});

describe('an unconfirmed card', () => {
  it('is searched for after a kill, and its job continues', async () => {
    const job = await accepted();
    world.script.findCard = (asked, { id }) => (asked.ref === answer.ref && id === job.id ? card : undefined);
    await world.restart();
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card });
    expect(await world.orchestrator.get(job.id)).not.toHaveProperty('answer');
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });

  it('is searched for without a kill, when the confirmation was lost', async () => {
    const job = await accepted();
    world.script.findCard = () => card;
    await world.clock.advance(59_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('opening');
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card });
  });

  it('that does not exist ends the job without cost', async () => {
    const job = await accepted();
    await world.restart();
    await world.clock.advance(1_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'cancelled', settled: true });
    expect(await credits()).toMatchObject({ spent: 0, reserved: 0 });
    expect(world.runs).toEqual([]);
  });

  it('is searched for until the platform answers, for ten minutes', async () => {
    let down = true;
    world.script.findCard = () => {
      if (down) throw new Error('down');
      return card;
    };
    const job = await accepted();
    await world.restart();
    await world.clock.advance(240_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('opening');
    down = false;
    await world.clock.advance(120_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('done');
    down = true;
    const lost = await accepted({ origin: 'another event' });
    await world.clock.advance(HOUR);
    expect((await world.orchestrator.get(lost.id))?.state).toBe('cancelled');
  });

  it('of a person who was erased shows the cancellation', async () => {
    const job = await accepted();
    world.orchestrator.erase('web:ann');
    world.script.findCard = () => card;
    await world.clock.advance(120_000);
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await world.orchestrator.get(job.id)).toBeUndefined();
  });

  it('that is confirmed during the search is shown once', async () => {
    const job = await accepted();
    const found = Promise.withResolvers<CardRef | undefined>();
    world.script.findCard = () => found.promise;
    await world.clock.advance(61_000);
    await world.orchestrator.shown(job.id, { platform: 'web', ref: 'reported' });
    found.resolve(undefined);
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card: { ref: 'reported' } });
  });
});
