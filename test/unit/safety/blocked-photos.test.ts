import { beforeEach, expect, it } from 'vitest';
import type { Records } from '../../../src/base/keyv/records.ts';
import {
  blockedPhotoRecordRules,
  createBlockedPhotos,
} from '../../../src/safety/blocked-photos/blocked-photos.ts';
import { textOfHash } from '../../../src/safety/hash/perceptual-hash.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import { createRecords } from '../../fakes/records.ts';

const DAY_MS = 86_400_000;
let clock: FakeClock;
let records: Records;
beforeEach(() => {
  clock = createFakeClock();
  records = createRecords();
});

/** A hash of which the first `bits` differ from those of a hash without any. */
function hashWith(bits: number): Uint32Array {
  const hash = new Uint32Array(8);
  for (let at = 0; at < bits; at += 1)
    hash[Math.floor(at / 32)] = (hash[Math.floor(at / 32)] ?? 0) | (1 << (at % 32));
  return hash;
}
/** Far from all others. */
const other = (): Uint32Array => crypto.getRandomValues(new Uint32Array(8));
const picture = (hash: Uint32Array, mirrored = other()) => ({ hash, mirrored });
const textOf = (hash: Uint32Array): string => textOfHash(hash);

it('the block list has a picture that differs from a blocked one in at most 40 bits, and its mirror image', async () => {
  const blocked = createBlockedPhotos(records, clock.now);
  await blocked.block('job-1', { until: clock.now() + DAY_MS, hashes: [textOf(hashWith(0))] });

  expect(await blocked.has([picture(hashWith(40))])).toBe(true);
  expect(await blocked.has([picture(hashWith(41))])).toBe(false);
  expect(await blocked.has([picture(other(), hashWith(12))])).toBe(true);
  expect(await blocked.has([picture(other()), picture(hashWith(3))])).toBe(true);
  expect(await blocked.has([])).toBe(false);
});

it('the block list has a photo from then on in every process that shares the store, and no longer once it is unblocked', async () => {
  const here = createBlockedPhotos(records, clock.now);
  const elsewhere = createBlockedPhotos(records, clock.now);
  const photo = [picture(hashWith(0))];
  expect(await elsewhere.has(photo)).toBe(false);

  await here.block('job-1', { until: clock.now() + DAY_MS, hashes: [textOf(hashWith(0))] });
  expect(await elsewhere.has(photo)).toBe(true);

  await here.unblock('job-1');
  expect(await elsewhere.has(photo)).toBe(false);
});

it('the block list lets a photo pass again when its time is over', async () => {
  const blocked = createBlockedPhotos(records, clock.now);
  await blocked.block('job-1', { until: clock.now() + DAY_MS, hashes: [textOf(hashWith(0))] });

  await clock.advance(DAY_MS);

  expect(await blocked.has([picture(hashWith(0))])).toBe(false);
});

it('the block list is the same after a photo was blocked twice under one id', async () => {
  const blocked = createBlockedPhotos(records, clock.now);
  const entry = { until: clock.now() + DAY_MS, hashes: [textOf(hashWith(0))] };

  expect(await blocked.block('job-1', entry)).toBe('blocked');
  expect(await blocked.block('job-1', entry)).toBe('blocked');
  await blocked.unblock('job-1');

  expect(await blocked.has([picture(hashWith(0))])).toBe(false);
});

it('the block list has a part for each community, so that none can fill it for the others, and an end', async () => {
  const blocked = createBlockedPhotos(records, clock.now);
  const until = clock.now() + DAY_MS;
  const hashes = (count: number): string[] => Array.from({ length: count }, () => textOf(other()));

  expect(await blocked.block('a', { community: 'discord:1', until, hashes: hashes(9_999) })).toBe('blocked');
  expect(await blocked.block('b', { community: 'discord:1', until, hashes: hashes(2) })).toBe('full');
  expect(await blocked.block('c', { community: 'discord:2', until, hashes: hashes(2) })).toBe('blocked');
  expect(await blocked.block('d', { until, hashes: hashes(89_999) })).toBe('blocked');
  expect(await blocked.block('e', { until, hashes: hashes(1) })).toBe('full');
});

it('the block list has a part that communities cannot fill together, so that an owner can always block', async () => {
  const blocked = createBlockedPhotos(records, clock.now);
  const until = clock.now() + DAY_MS;
  const hashes = (count: number): string[] => Array.from({ length: count }, () => textOf(other()));
  for (let community = 0; community < 8; community += 1)
    await blocked.block(`job-${community}`, {
      community: `telegram:${community}`,
      until,
      hashes: hashes(10_000),
    });

  expect(await blocked.block('ninth', { community: 'telegram:9', until, hashes: hashes(1) })).toBe('full');
  expect(await blocked.block('owners', { until, hashes: hashes(20_000) })).toBe('blocked');
  expect(await blocked.block('more', { until, hashes: hashes(1) })).toBe('full');
});

it('the block list is read again where it could not be read', async () => {
  const blocked = createBlockedPhotos(records, clock.now);
  await blocked.block('job-1', { until: clock.now() + DAY_MS, hashes: [textOf(hashWith(0))] });
  const iterator = records.iterator.bind(records);
  records.iterator = () => {
    throw new Error('the store is away');
  };

  await expect(blocked.has([picture(hashWith(0))])).rejects.toThrow('the store is away');

  records.iterator = iterator;
  expect(await blocked.has([picture(hashWith(0))])).toBe(true);
});

it('the block list takes no record of another shape', () => {
  const { isValid } = blockedPhotoRecordRules;

  expect(isValid('job-1', { until: 1, hashes: [textOf(other())] })).toBe(true);
  expect(isValid('job-1', { until: 1, hashes: ['short'] })).toBe(false);
  expect(isValid('job-1', 'text')).toBe(false);
  expect(isValid('change', 'text')).toBe(true);
});

it('a community does not get more of the block list than its part by blocking photos at the same time', async () => {
  const blocked = createBlockedPhotos(records, clock.now);
  const until = clock.now() + DAY_MS;
  const half = Array.from({ length: 5_000 }, () => textOf(other()));
  const block = (id: string) => blocked.block(id, { community: 'discord:1', until, hashes: half });

  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map(block));

  expect(outcomes).toEqual(['blocked', 'blocked', 'full', 'full']);
});
