import { expect, it } from 'vitest';
import { createPlaygroundPhotos, photoId } from '../../../../src/adapters/web/outgoing/photos.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
import { openWeb } from '../../../fakes/web/open-web.ts';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const ofAnn = photoId('ann', 'message-1', 0);
const ofBob = photoId('bob', 'message-2', 0);

const withTwoPhotos = () => {
  const clock = createFakeClock();
  const photos = createPlaygroundPhotos(clock);
  photos.put([[ofAnn, png]], '203.0.113.1');
  photos.put([[ofBob, png]], '203.0.113.2');
  return { clock, photos };
};

it('the photos of a person who is erased are gone at once, and those of others stay', () => {
  const { photos } = withTwoPhotos();
  photos.erase('ann');
  expect(photos.get(ofAnn)).toBeUndefined();
  expect(photos.get(ofBob)?.bytes).toEqual(png);
});

it('a visitor’s photo is kept for an hour', async () => {
  const { clock, photos } = withTwoPhotos();
  await clock.advance(3_599_000);
  expect(photos.get(ofAnn)?.bytes).toEqual(png);

  await clock.advance(1_000);
  expect(photos.get(ofAnn)).toBeUndefined();
});

it('no timer looks for old photos when there are none any more', async () => {
  const { clock } = withTwoPhotos();
  await clock.advance(3_720_000);
  expect(clock.pending).toBe(0);
});

it('a photo that was sent again after a lost response is kept once', () => {
  const { photos } = withTwoPhotos();
  photos.put([[ofAnn, new Uint8Array([1, 2, 3])]], '203.0.113.1');
  expect(photos.get(ofAnn)?.bytes).toEqual(png);
});

it('a visitor’s photo is in memory only, and after a restart its message says that it is lost', async () => {
  const before = await openWeb();
  const bob = await openBrowser(before.url, 'bob');

  await bob.say('studio', 'hello', [png]);
  expect((await bob.messages('studio'))[0]).not.toHaveProperty('lost');

  await before.stop();

  const after = await openWeb({}, before.folder);
  const again = await openBrowser(after.url, 'bob');
  const [said] = await again.messages('studio');

  expect(said).toMatchObject({ text: 'hello', lost: said?.photos });
});
