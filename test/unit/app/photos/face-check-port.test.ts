import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PhotoGone } from '../../../../src/adapters/adapter.ts';
import { createFaceCheckPort } from '../../../../src/app/photos/face-check-port.ts';
import { createUsePhoto } from '../../../../src/app/photos/use-photo.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { WorkerNotStarted } from '../../../../src/base/worker-pool.ts';
import type { PhotoRef, WantedPeople } from '../../../../src/command/photo.ts';
import type { Face } from '../../../../src/faces/face.ts';
import type { FaceFinder, FindOptions } from '../../../../src/faces/finder.ts';
import { createCheckedPhotos } from '../../../../src/media/checked-photos.ts';
import { cleanPhoto } from '../../../../src/media/photo.ts';
import { createDecoder, type Decoder } from '../../../../src/picture/decoder.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { photoOf } from '../../../e2e/stage/pictures.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { ann, bob, photo, room } from '../../../fakes/call.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';

let decoder: Decoder;
let jpeg: Buffer;

beforeAll(async () => {
  decoder = createDecoder({ clock: systemClock });
  jpeg = await photoOf('#c08040', 3_200, 1_600);
});

afterAll(() => decoder.close());

const faceAt = (left: number): Face => ({
  points: new Float32Array(),
  box: { left, top: 200, width: 100, height: 120 },
  score: 1,
  pose: { yaw: 0, pitch: 0, roll: 0 },
});

interface Options {
  readonly find?: FaceFinder['find'];
  readonly photo?: () => Promise<Uint8Array>;
  readonly clock?: FakeClock;
  readonly off?: true;
  /** Whether the process that finds faces can be started, as far as the finder knows. */
  readonly warm?: () => boolean;
  /** The program stops, and has closed the finder. */
  readonly isStopping?: boolean;
}

const faceCheckWith = ({
  find = async () => [],
  photo: fetch,
  clock = createFakeClock(),
  off,
  warm = () => true,
  isStopping = false,
}: Options = {}) => {
  const fetched = vi.fn(fetch ?? (async () => jpeg));
  const counted: string[] = [];
  const warn = vi.fn();
  const platforms = createPlatformRegistry([{ ...idleAdapter, photo: fetched }]);
  const checkedPhotos = createCheckedPhotos(createFakeClock());
  const faceCheckOf = createFaceCheckPort({
    finder: off ? undefined : { find, warm, isClosed: isStopping },
    usePhoto: createUsePhoto(platforms),
    checkedPhotos,
    decoder,
    clock,
    log: { debug: () => undefined, warn },
    counted: (event) => void counted.push(event),
  });
  const check = (each: PhotoRef = photo, wanted: WantedPeople = 'one', caller = ann) =>
    faceCheckOf({ caller, place: room, event: 'event-1' }, wordsFor('en')).check(each, wanted);
  return { check, checkedPhotos, fetched, counted, warn, clock };
};

it('the face check reports that there is nobody, or too few', async () => {
  const { check, counted } = faceCheckWith();
  expect(await check()).toEqual({ wrong: 'no-face', people: [] });
  expect(await check(photo, 'several')).toEqual({ wrong: 'too-few', people: [] });
  expect(counted).toEqual(['no-face', 'too-few']);
});

it('the face check shows several people as a numbered sheet, from left to right, that is never stored', async () => {
  const { check, counted } = faceCheckWith({ find: async () => [faceAt(1_000), faceAt(100), faceAt(600)] });

  const result = await check({ from: 'web', ref: 'photo-1', spoiler: true });

  expect(result).toMatchObject({ wrong: 'several', sheet: { showsPhoto: true, spoiler: true } });

  const { people = [], spots = [], sheet } = result ?? {};
  expect(people.map(({ left }) => left)).toEqual(people.map(({ left }) => left).toSorted((a, b) => a - b));
  // The finder looks at a photo of half the size, in which the part of a person is 512 pixels wide: a sixth of its width.
  expect(people.map(({ width }) => width)).toEqual([0.16, 0.16, 0.16]);
  expect(spots).toHaveLength(3);

  if (sheet?.kind !== 'image') return expect.fail('there is no sheet');
  const { width, height } = await sharp(sheet.bytes).metadata();
  expect(sheet.width).toEqual(width);
  expect(sheet.height).toEqual(height);
  expect(counted).toEqual(['several']);
});

it.each([
  { what: 'of one person', options: { find: async () => [faceAt(100)] } },
  { what: 'that cannot be fetched', options: { photo: async () => Promise.reject(new PhotoGone('gone')) } },
  { what: 'that cannot be read', options: { photo: async () => Buffer.from('no picture') } },
  {
    what: 'that the finder does not survive',
    options: { find: async () => Promise.reject(new Error('crashed')) },
  },
])('the face check finds nothing wrong about a photo $what', async ({ options }) => {
  const { check, counted, clock } = faceCheckWith(options);
  expect(await check()).toBeUndefined();
  expect(counted).toEqual([]);
  expect(clock.pending).toBe(0);
});

it.each([
  { what: 'the platform', optionsOf: (stuck: () => Promise<never>) => ({ photo: stuck }) },
  { what: 'the finder', optionsOf: (stuck: () => Promise<never>) => ({ find: stuck }) },
])('the face check waits fifteen seconds for $what and then goes on', async ({ optionsOf }) => {
  const clock = createFakeClock();
  const begun = Promise.withResolvers<void>();
  const stuck = (): Promise<never> => {
    begun.resolve();
    return new Promise(() => undefined);
  };

  const checked = faceCheckWith({ ...optionsOf(stuck), clock }).check();

  await begun.promise;
  await clock.advance(14_999);

  expect(clock.pending).toBe(1);

  await clock.advance(1);
  expect(await checked).toBeUndefined();
});

it('a face check that is too late leaves the finder’s line, under its own name', async () => {
  const clock = createFakeClock();
  const asked = Promise.withResolvers<FindOptions>();
  const checked = faceCheckWith({
    clock,
    find: (_, options = {}) => {
      asked.resolve(options);
      return new Promise(() => undefined);
    },
  }).check(photo, 'one', bob);

  const { person, signal } = await asked.promise;
  expect(person).toBe('web:bob');
  expect(signal?.aborted).toBe(false);

  await clock.advance(15_000);
  expect(await checked).toBeUndefined();
  expect(signal?.aborted).toBe(true);
});

it('the face check counts everybody where several are wanted, also people far behind', async () => {
  const near = { ...faceAt(600), box: { left: 600, top: 100, width: 500, height: 600 } };
  const { check } = faceCheckWith({ find: async () => [near, faceAt(100)] });
  expect(await check(photo, 'one')).toBeUndefined();
  expect(await check(photo, 'several')).toBeUndefined();
});

it('the face check reports that the finder cannot be started, and fetches nothing while it rests', async () => {
  let rests = false;
  const find = async () => {
    rests = true;
    throw new WorkerNotStarted('no such file');
  };

  const { check, fetched, warn } = faceCheckWith({ find, warm: () => !rests });

  expect(await check()).toBeUndefined();
  expect(await check()).toBeUndefined();
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('the face check rejects when the program stops meanwhile, so that nothing is spent without it', async () => {
  const find = async () => Promise.reject(new Error('the face finder stopped'));
  const { check } = faceCheckWith({ find, isStopping: true });
  await expect(check()).rejects.toThrow('the face finder stopped');
});

it('the face check asks for no more faces than it shows', async () => {
  const find = vi.fn(async () => []);
  await faceCheckWith({ find }).check();
  expect(find).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ most: 25 }));
});

it('the face check fetches neither links nor saved faces, no photo that was asked about, and nothing when it is off', async () => {
  const { check, fetched } = faceCheckWith();

  await check({ from: 'link', url: 'https://pictures.example/me.jpg' });
  await check({ from: 'face', name: 'me' });
  await check({ from: 'web', ref: 'photo-1', part: { left: 0, top: 0, width: 1, height: 1 } });

  expect(fetched).not.toHaveBeenCalled();

  const off = faceCheckWith({ off: true });
  expect(await off.check()).toBeUndefined();
  expect(off.fetched).not.toHaveBeenCalled();
});

const sent = { from: 'web', ref: 'photo-1' } as const;
const noMemory = async (): Promise<void> => undefined;

it('the face check keeps a large photo as it was fetched, for the job that follows', async () => {
  const { check, checkedPhotos } = faceCheckWith({ find: async () => [faceAt(600)] });
  expect(await check(sent)).toBeUndefined();
  expect(await checkedPhotos.take(ann, sent, noMemory)).toMatchObject({ bytes: jpeg, clean: undefined });
});

it('the face check keeps the clean copy of a photo that is not larger than it, exactly as the service gets it', async () => {
  const small = await photoOf('#c08040', 1_280, 960);
  const { check, checkedPhotos } = faceCheckWith({
    find: async () => [faceAt(600)],
    photo: async () => small,
  });
  await check(sent);
  const kept = await checkedPhotos.take(ann, sent, noMemory);
  const { bytes } = await cleanPhoto(small, decoder, 'ann');

  expect(kept?.clean).toEqual(bytes);
});
