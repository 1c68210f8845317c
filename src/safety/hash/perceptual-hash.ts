/** The side of the grey picture that a hash is made of. */
export const HASH_SIDE = 64;
const FREQUENCIES = 16;
const COEFFICIENTS = FREQUENCIES * FREQUENCIES;
const BITS_PER_WORD = 32;
const WORDS = COEFFICIENTS / BITS_PER_WORD;

/**
 * A perceptual hash: 256 bits, as eight words. Copies of a picture that were recompressed, resized or made brighter have hashes that
 * differ in few bits, whatever the size of the pictures.
 */
export type PerceptualHash = Uint32Array;

/** As it is stored: 43 characters. */
export const HASH_TEXT_SHAPE = /^[\w-]{43}$/;

export const textOfHash = (hash: PerceptualHash): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('base64url');

/** The hash in a text that fits `HASH_TEXT_SHAPE`. */
export const hashOfText = (text: string): PerceptualHash =>
  new Uint32Array(new Uint8Array(Buffer.from(text, 'base64url')).buffer, 0, WORDS);

interface Hashes {
  readonly hash: PerceptualHash;
  /** The hash of the mirror image. */
  readonly mirrored: PerceptualHash;
}

export interface PictureHashes extends Hashes {
  /** Of what is within the borders, where the picture has borders of one colour and is not flat within. */
  readonly within?: Hashes;
  /** The picture has so little contrast that its hash is mostly noise and could be that of many other pictures. */
  readonly isFlat: boolean;
}

/**
 * The least middle size of coefficients. Under it, copies of one picture differ by more than 24 bits; walls, gradients and noise lie
 * there, while photos with a tenth of their contrast do not, and ordinary photos have 600 and more.
 */
const LEAST_SIZE = 100;

/** The lowest frequencies of a discrete cosine transform, without the constant one, which is the brightness. */
const COSINES = Array.from({ length: FREQUENCIES }, (_, frequency) =>
  Float64Array.from({ length: HASH_SIDE }, (_, at) =>
    Math.cos((Math.PI / HASH_SIDE) * (at + 0.5) * (frequency + 1)),
  ),
);

/** Row by row, from low to high frequencies. */
function coefficientsOf(grey: Uint8Array): Float64Array {
  const coefficients = new Float64Array(COEFFICIENTS);
  const sums = new Float64Array(HASH_SIDE);
  COSINES.forEach((vertical, row) => {
    sums.fill(0);
    vertical.forEach((weight, y) => {
      for (let x = 0; x < HASH_SIDE; x += 1)
        sums[x] = (sums[x] ?? 0) + weight * (grey[y * HASH_SIDE + x] ?? 0);
    });
    COSINES.forEach((horizontal, column) => {
      let sum = 0;
      horizontal.forEach((weight, x) => {
        sum += weight * (sums[x] ?? 0);
      });
      coefficients[row * FREQUENCIES + column] = sum;
    });
  });
  return coefficients;
}

function medianOf(numbers: Float64Array): number {
  const sorted = numbers.toSorted();
  const middle = sorted.length / 2;
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** One bit for each coefficient: whether it is above the median of all. */
function hashOf(coefficients: Float64Array): PerceptualHash {
  const median = medianOf(coefficients);
  const hash = new Uint32Array(WORDS);
  coefficients.forEach((each, at) => {
    const word = Math.floor(at / BITS_PER_WORD);
    if (each > median) hash[word] = (hash[word] ?? 0) | (1 << (at % BITS_PER_WORD));
  });
  return hash;
}

/** `grey`: the picture as 64 by 64 bytes. */
export function perceptualHashes(grey: Uint8Array): PictureHashes {
  const coefficients = coefficientsOf(grey);
  // Mirroring a picture changes the sign of the cosines that are odd about its middle.
  const ofMirror = coefficients.map((each, at) => ((at % FREQUENCIES) % 2 === 0 ? -each : each));
  return {
    hash: hashOf(coefficients),
    mirrored: hashOf(ofMirror),
    isFlat: medianOf(coefficients.map(Math.abs)) < LEAST_SIZE,
  };
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** In how many bits two hashes differ. */
export function hashDistance(a: PerceptualHash, b: PerceptualHash): number {
  let bits = 0;
  for (let word = 0; word < WORDS; word += 1) bits += bitsIn((a[word] ?? 0) ^ (b[word] ?? 0));
  return bits;
}
