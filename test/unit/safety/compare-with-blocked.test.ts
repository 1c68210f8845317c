import { expect, it } from 'vitest';
import { createCompareWithBlocked } from '../../../src/safety/blocked-photos/compare-with-blocked.ts';
import type { PerceptualHash, PictureHashes } from '../../../src/safety/hash/perceptual-hash.ts';

const hashOf = (bytes: Uint8Array): PerceptualHash => new Uint32Array(8).fill(bytes[0] ?? 0);
/** A picture of one byte, which is its hash; 0 is a flat one. */
const picture = (byte: number): Uint8Array => new Uint8Array([byte]);

/** Compares photos with a list on which this picture stands alone. */
const screenWith = (blocked: number) => {
  const hashes = async (bytes: Uint8Array): Promise<PictureHashes> => ({
    hash: hashOf(bytes),
    mirrored: hashOf(bytes),
    isFlat: bytes[0] === 0,
  });
  const has = async (pictures: readonly Pick<PictureHashes, 'hash'>[]): Promise<boolean> =>
    pictures.some(({ hash }) => hash[0] === blocked);
  return createCompareWithBlocked({ hashes }, { has });
};

it('a photo is blocked if only the part that was chosen of it is, and the hashes of both are stored', async () => {
  const screen = screenWith(2);

  const screened = await screen([picture(1), picture(2)], 'web:ann');

  expect(screened.isBlocked).toBe(true);
  expect(screened.hashes).toHaveLength(2);
  expect((await screen([picture(1)], 'web:ann')).isBlocked).toBe(false);
});

it('a photo is blocked if what is within its borders is', async () => {
  const hashes = async (): Promise<PictureHashes> => {
    const inner = { hash: hashOf(picture(2)), mirrored: hashOf(picture(3)) };
    return { hash: hashOf(picture(1)), mirrored: hashOf(picture(1)), isFlat: false, within: inner };
  };
  const has = async (pictures: readonly Pick<PictureHashes, 'hash'>[]): Promise<boolean> =>
    pictures.some(({ hash }) => hash[0] === 2);

  const screened = await createCompareWithBlocked({ hashes }, { has })([picture(1)], 'web:ann');

  expect(screened).toMatchObject({ isBlocked: true });
  expect(screened.hashes).toHaveLength(1);
});

it('a flat picture is neither compared nor stored, because it would be taken for any other one', async () => {
  expect(await screenWith(0)([picture(0)], 'web:ann')).toMatchObject({ hashes: [], isBlocked: false });
});
