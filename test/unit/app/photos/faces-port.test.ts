/** Which photos cannot be kept as a face. */
import sharp from 'sharp';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createFacesPort } from '../../../../src/app/photos/faces-port.ts';
import { createUsePhoto } from '../../../../src/app/photos/use-photo.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import type { PhotoRef } from '../../../../src/command/photo.ts';
import { createDecoder } from '../../../../src/picture/decoder.ts';
import { createBlockedPhotos } from '../../../../src/safety/blocked-photos/blocked-photos.ts';
import { createCompareWithBlocked } from '../../../../src/safety/blocked-photos/compare-with-blocked.ts';
import { textOfHash } from '../../../../src/safety/hash/perceptual-hash.ts';
import { createPictureHasher } from '../../../../src/safety/hash/picture-hasher.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { ann, room } from '../../../fakes/call.ts';
import { createRecords } from '../../../fakes/records.ts';
import { samplePhoto } from '../../../fakes/sample-photo.ts';
import { createFacesInMemory } from '../../../fakes/saved-faces.ts';

const portrait = await samplePhoto('portrait');
const group = await samplePhoto('group');
const words = wordsFor('en');
const ref: PhotoRef = { from: 'web', ref: 'photo' };

let sent: Buffer;
beforeEach(() => {
  sent = portrait;
});

/** All tests share one decoder, because the start of its child process takes longer than most of them. */
const decoder = createDecoder({ clock: systemClock });
afterAll(() => decoder.close());

const opened = async (isIntimate: () => Promise<boolean> = async () => false) => {
  const hasher = createPictureHasher(decoder);
  const blocked = createBlockedPhotos(createRecords(), Date.now);
  const { hash } = await hasher.hashes(portrait, 'owner');
  const hashes = [hash, ...(await hasher.cropHashes(portrait, 'owner'))].map(textOfHash);
  await blocked.block('removed', { until: Date.now() + 60_000, hashes });
  const port = createFacesPort({
    faces: createFacesInMemory(systemClock),
    contentCheck: { isIntimate, counted: () => undefined },
    audit: { note: async () => undefined },
    decoder,
    clock: systemClock,
    usePhoto: createUsePhoto(createPlatformRegistry([{ ...idleAdapter, photo: async () => sent }])),
    compareWithBlocked: createCompareWithBlocked(hasher, blocked),
    erasedMeanwhile: async () => false,
  });
  return port({ event: 'event', caller: ann, place: room }, words);
};

const { width = 0, height = 0 } = await sharp(portrait).metadata();
const cropped = () =>
  sharp(portrait)
    .extract({ left: 0, top: 0, width, height: Math.round(height * 0.92) })
    .jpeg()
    .toBuffer();

it.each([
  { what: 'itself', copy: async () => portrait },
  {
    what: 'mirrored, smaller and recompressed',
    copy: () => sharp(portrait).flop().resize(640).jpeg({ quality: 60 }).toBuffer(),
  },
  { what: 'a little cropped', copy: cropped },
])('a photo that is on the block list is not saved: $what', async ({ copy }) => {
  sent = await copy();
  const faces = await opened();

  await expect(faces.save('me', ref, undefined)).rejects.toThrow(words.failure['photo-blocked']);
  expect(await faces.list()).toEqual([]);
});

it('a part of a photo that is on the block list is not saved either, because the whole photo is compared, too', async () => {
  const faces = await opened();
  const part = { left: 0.3, top: 0.1, width: 0.4, height: 0.5 };

  await expect(faces.save('me', { ...ref, part }, undefined)).rejects.toThrow(words.failure['photo-blocked']);
});

it('a photo that is not like one on the block list is saved as a face', async () => {
  sent = group;
  const faces = await opened();

  await faces.save('me', ref, undefined);

  expect(await faces.list()).toMatchObject([{ name: 'me' }]);
});

it.each<{ what: string; isIntimate: () => Promise<boolean>; why: string }>([
  { what: 'seems to show nudity', isIntimate: async () => true, why: words.failure['photo-content'] },
  {
    what: 'could not be looked at',
    isIntimate: () => Promise.reject(new Error('no model')),
    why: words.face.unchecked,
  },
])('a photo that $what is not saved', async ({ isIntimate, why }) => {
  sent = group;
  const faces = await opened(isIntimate);

  await expect(faces.save('me', ref, undefined)).rejects.toThrow(why);
  expect(await faces.list()).toEqual([]);
});
