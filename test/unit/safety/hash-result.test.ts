/** The fingerprints that are stored with the job of a result. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createDecoder } from '../../../src/picture/decoder.ts';
import { createHashResult } from '../../../src/safety/hash/hash-result.ts';
import { hashDistance, hashOfText } from '../../../src/safety/hash/perceptual-hash.ts';
import { createPictureHasher } from '../../../src/safety/hash/picture-hasher.ts';

const portrait = await readFile(
  new URL('../../../src/generation-service/samples/portrait.jpg', import.meta.url),
);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');
const shown = { name: 'a', alt: '', spoiler: false } as const;
const image = (bytes: Uint8Array) =>
  ({ ...shown, kind: 'image', type: 'image/jpeg', as: 'inline', width: 1, height: 1, bytes }) as const;

const opened = () => {
  const decoder = createDecoder({ clock: systemClock });
  onTestFinished(() => decoder.close());
  const hasher = createPictureHasher(decoder);
  return { hasher, hashResult: createHashResult(hasher) };
};

it('a picture is known by its file and by what it looks like', async () => {
  const { hasher, hashResult } = opened();

  const hashes = await hashResult(image(portrait), 'ann');

  expect(hashes?.file).toBe(sha256(portrait));
  const { hash } = await hasher.hashes(portrait, 'ann');
  expect(hashDistance(hashOfText(hashes?.picture ?? ''), hash)).toBe(0);
});

it('a picture that cannot be decoded is known by its file alone, because it is shown all the same', async () => {
  const { hashResult } = opened();
  const broken = portrait.subarray(0, 200);

  expect(await hashResult(image(broken), 'ann')).toEqual({ file: sha256(broken) });
});

it('a video is known by its file, however large it is', async () => {
  const { hashResult } = opened();
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 17, 7);

  const hashes = await hashResult({ ...shown, kind: 'video', type: 'video/mp4', as: 'inline', bytes }, 'ann');

  expect(hashes).toEqual({ file: sha256(bytes) });
});

it('a link to a result has no file', async () => {
  const { hashResult } = opened();

  expect(
    await hashResult({ kind: 'link', url: 'https://a.example/v.mp4', label: 'a' }, 'ann'),
  ).toBeUndefined();
});
