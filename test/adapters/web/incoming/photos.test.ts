import { expect, it } from 'vitest';
import { createPhotos } from '../../../../src/adapters/web/incoming/photos.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

it('when full, the photos of whoever sent most are dropped', () => {
  const photos = createPhotos(createFakeClock());
  photos.put('ann', new Uint8Array(1_000), '203.0.113.1');
  for (let each = 0; each < 1_000; each += 1)
    photos.put(`eve ${each}`, new Uint8Array(5_000), '203.0.113.66');
  expect(photos.get('ann')).toBeDefined();
  expect(photos.get('eve 0')).toBeUndefined();
  expect(photos.get('eve 999')).toBeDefined();
});

it('photos are kept for an hour', async () => {
  const clock = createFakeClock();
  const photos = createPhotos(clock);
  photos.put('ann', new Uint8Array(1_000), '203.0.113.1');
  await clock.advance(3_599_000);
  expect(photos.get('ann')).toBeDefined();
  await clock.advance(2_000);
  expect(photos.get('ann')).toBeUndefined();
});
