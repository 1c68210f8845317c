import { beforeEach, expect, it } from 'vitest';
import { openWorld, video, world } from '../world.ts';

/** Memory for results: whoever waits for it holds none, and ordinary ones do not wait for large ones. */

const MB = 1024 * 1024;
const MINUTE = 60_000;

beforeEach(() => openWorld());

const people = ['ann', 'ben', 'cat', 'dan', 'eve', 'fay'];
const never = new Promise<never>(() => undefined);
const state = async (id: string) => (await world.orchestrator.get(id))?.state;

it('large videos whose cards were deleted are shown elsewhere, and none waits for memory of another', async () => {
  world.script.outcome = () => ({
    state: 'completed',
    output: { kind: 'video', url: 'https://example.com/a.mp4' },
  });
  world.script.draw = async (job, _, output, reserve) => {
    if (output === undefined) return { state: 'drawn' };
    await reserve?.(49 * MB);
    return { state: job.moved ? 'drawn' : 'gone' };
  };
  const jobs = await Promise.all(people.map((person) => world.submit(person, { request: video })));
  await world.clock.advance(5 * MINUTE);
  expect(await Promise.all(jobs.map(({ id }) => state(id)))).toEqual(jobs.map(() => 'done'));
  expect(world.newCards).toHaveLength(jobs.length);
});

it('large videos that use all their memory do not delay pictures or ordinary videos', async () => {
  world.script.outcome = () => ({
    state: 'completed',
    output: { kind: 'video', url: 'https://example.com/a.mp4' },
  });
  world.script.draw = async ({ caller }, _, output, reserve) => {
    if (output?.kind !== 'video') return { state: 'drawn' };
    await reserve?.(caller.id === 'calm' ? 3 * MB : 49 * MB);
    return caller.id === 'calm' ? { state: 'drawn' } : never;
  };
  for (const person of people) await world.submit(person, { request: video });
  await world.clock.advance(2 * MINUTE);
  const film = await world.submit('calm', { request: video });
  await world.clock.advance(2 * MINUTE);
  expect(await state(film.id)).toBe('done');
  world.script.outcome = () => ({
    state: 'completed',
    output: { kind: 'image', bytes: Buffer.from('picture') },
  });
  world.script.onLook = (_, reserve) => reserve(12 * MB);
  const picture = await world.submit('calm');
  await world.clock.advance(2 * MINUTE);
  expect(await state(picture.id)).toBe('done');
});
