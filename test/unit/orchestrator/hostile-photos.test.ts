import { afterEach, beforeEach, expect, it } from 'vitest';
import { cleanPhoto, PhotoRejected } from '../../../src/media/photo.ts';
import { JobFailure } from '../../../src/orchestrator/job/failure.ts';
import { createDecoder, type Decoder, wallMsFor } from '../../../src/picture/decoder.ts';
import { eventually } from '../../eventually.ts';
import { plainPng, polyglot } from '../../fakes/hostile-pictures.ts';
import { openWorld, world } from './world.ts';

const size = { width: 64, height: 48 };
const photoThat = (does: string): Buffer => polyglot(plainPng(size), Buffer.from(`\ndo ${does}`));
let decoder: Decoder;
beforeEach(async () => {
  await openWorld();
  const program = new URL('../../fakes/odd-decoder.ts', import.meta.url);
  decoder = createDecoder({ clock: world.clock, program, atOnce: 1 });
});
afterEach(() => decoder.close());

it('a photo that hangs in the decoder fails its job once without cost, and the next person is served', async () => {
  const tries: string[] = [];
  world.script.photo = async ({ caller: { id } }) => {
    tries.push(id);
    try {
      await cleanPhoto(photoThat(id === 'ann' ? 'answer' : 'hang'), decoder, id);
    } catch (error) {
      throw error instanceof PhotoRejected ? new JobFailure({ code: 'photo-too-complex' }) : error;
    }
  };
  const hostile = await world.submit('mallory');
  await world.clock.advance(100);
  await eventually(() => decoder.pids().length === 1);
  const calm = await world.submit('ann');
  await world.clock.advance(wallMsFor(size.width * size.height));
  await eventually(() => world.runs.length === 1);
  await world.clock.advance(3_600_000);

  expect(await world.orchestrator.get(hostile.id)).toMatchObject({
    state: 'failed',
    failure: { code: 'photo-too-complex' },
    charge: 'returned',
  });
  expect(await world.orchestrator.get(calm.id)).toMatchObject({ state: 'done', charge: 'spent' });
  expect(tries).toEqual(['mallory', 'ann']);
  expect(world.finalDrawings(hostile.id)).toHaveLength(1);
});
