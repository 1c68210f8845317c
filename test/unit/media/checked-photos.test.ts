import { beforeEach, expect, it } from 'vitest';
import { type CheckedPhotos, createCheckedPhotos } from '../../../src/media/checked-photos.ts';
import { ann, bob } from '../../fakes/call.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';

const MB = 1024 * 1024;
const photo = { from: 'web', ref: 'photo-1' } as const;

let clock: FakeClock;
let photos: CheckedPhotos;

beforeEach(() => {
  clock = createFakeClock();
  photos = createCheckedPhotos(clock);
});

const keep = (caller: typeof ann, ref: string, bytes = new Uint8Array(3)): void =>
  photos.begin(caller, { from: 'web', ref })({ bytes, clean: undefined });

const take = (caller = ann, ref = 'photo-1', reserve = async (_: number): Promise<void> => undefined) =>
  photos.take(caller, { from: 'web', ref }, reserve);

it('a checked photo is given to one job, which reserves its memory first', async () => {
  const bytes = new Uint8Array([1, 2, 3]);

  photos.begin(ann, photo)({ bytes, clean: undefined });
  const reserved: number[] = [];
  const taken = await take(ann, 'photo-1', async (size) => void reserved.push(size));

  expect(taken?.bytes).toBe(bytes);
  expect(reserved).toEqual([3]);
  expect(await take()).toBeUndefined();
});

it('a checked photo of another person is given to nobody', async () => {
  keep(ann, 'photo-1');

  expect(await take(bob)).toBeUndefined();
  expect(await take(ann)).toBeDefined();
});

it('a checked photo is kept for a minute', async () => {
  keep(ann, 'photo-1');
  keep(ann, 'photo-2');
  await clock.advance(59_000);

  expect(await take(ann, 'photo-1')).toBeDefined();

  await clock.advance(2_000);

  expect(await take(ann, 'photo-2')).toBeUndefined();
});

it('checked photos take twenty megabytes per person and sixty-four in all, and displace nobody else’s', async () => {
  keep(ann, 'photo-1', new Uint8Array(12 * MB));
  keep(ann, 'photo-2', new Uint8Array(12 * MB));

  expect(await take(ann, 'photo-2')).toBeUndefined();

  const people = ['bob', 'cid', 'dan', 'eve', 'fay'].map((name) => ({ ...bob, id: name, name }));
  for (const each of people) keep(each, 'photo-1', new Uint8Array(12 * MB));

  expect(await take(ann, 'photo-1')).toBeDefined();

  const left = await Promise.all(people.map((each) => take(each)));

  expect(left.map((each) => each !== undefined)).toEqual([true, true, true, true, false]);
});

it('checked photos that a person has removed are forgotten, also while they are being checked or taken', async () => {
  keep(ann, 'photo-1');
  keep(bob, 'photo-1');
  const keepLater = photos.begin(ann, { from: 'web', ref: 'photo-2' });
  const taking = take(ann, 'photo-1', async () => photos.forget(ann));

  expect(await taking).toBeUndefined();

  keepLater({ bytes: new Uint8Array(3), clean: undefined });

  expect(await take(ann, 'photo-2')).toBeUndefined();
  expect(await take(bob)).toBeDefined();
});
