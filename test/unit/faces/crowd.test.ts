import { expect, it } from 'vitest';
import { findFaces } from '../../../src/faces/find.ts';
import type { Model } from '../../../src/faces/models.ts';
import type { DecodedPhoto } from '../../../src/faces/photo.ts';

const size = { width: 1_600, height: 1_600 };

const photo: DecodedPhoto = {
  ...size,
  scale: 1,
  levels: [{ ...size, data: new Uint8Array(size.width * size.height * 3) }],
};

/** Numbers of a guess, and how many of them the detector makes. */
const NUMBERS = 16;
const GUESSES = 896;
/** The size of a face, as a part of the input's side: small enough that neighbouring cells have different faces. */
const WIDTH = 0.03;

const createModels = () => {
  const runs = { detector: 0, landmarks: 0 };
  const side = 128;
  const guesses = Float32Array.from({ length: GUESSES * NUMBERS }, (_, i) =>
    i % NUMBERS === 2 || i % NUMBERS === 3 ? WIDTH * side : 0,
  );
  const detector: Model = {
    side,
    async run() {
      runs.detector += 1;
      return [guesses, new Float32Array(GUESSES).fill(1)];
    },
  };
  /** It says of each of them that it is no face. */
  const landmarks: Model = {
    side: 192,
    async run() {
      runs.landmarks += 1;
      return [new Float32Array(468 * 3), new Float32Array([-10])];
    },
  };
  return { runs, models: { detector, landmarks, person: landmarks } };
};

it('a photo that seems to be full of faces in every position takes little more than a crowd does', async () => {
  const { models, runs } = createModels();
  expect(await findFaces(models, photo, 25)).toEqual([]);

  // The photo and its tiles: 37 parts upright, 10 in each of the other three positions.
  const overview = 37 + 3 * 10;
  // 50 places, each in four positions.
  expect(runs.detector).toBeLessThanOrEqual(overview + 50 * 4);
  expect(runs.landmarks).toBeLessThanOrEqual(50 * 4 * 2);
});
