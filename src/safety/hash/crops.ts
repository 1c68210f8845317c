import { HASH_SIDE } from './perceptual-hash.ts';

/** What is cut off from each side of a picture, in shares of its width or height. Below 0: a bar is added there. */
export interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const cut = (sides: Partial<Margins>): Margins => ({ left: 0, top: 0, right: 0, bottom: 0, ...sides });

/**
 * How people crop pictures, or add captions to them. A hash differs too much once 3 % of one side are gone; with the hashes of these
 * crops, those of up to 10 % of one side and bars of up to 12 % are recognised, and nine of ten crops of up to 5 % of every side.
 */
export const COMMON_CROPS: readonly Margins[] = [
  ...[0.045, 0.085].flatMap((share) => [
    cut({ left: share }),
    cut({ top: share }),
    cut({ right: share }),
    cut({ bottom: share }),
  ]),
  ...[-0.06, -0.12].flatMap((bar) => [cut({ top: bar }), cut({ bottom: bar })]),
  cut({ left: 0.03, top: 0.03 }),
  cut({ top: 0.03, right: 0.03 }),
  cut({ right: 0.03, bottom: 0.03 }),
  cut({ left: 0.03, bottom: 0.03 }),
  cut({ left: 0.03, right: 0.03 }),
  cut({ top: 0.03, bottom: 0.03 }),
  cut({ left: 0.025, top: 0.025, right: 0.025, bottom: 0.025 }),
];

const BAR_GREY = 128;

/** For each pixel of the smaller side: which pixels of the longer one lie in it, and how much of each. Those outside are a bar. */
function shares(side: number, from: number, to: number) {
  const step = ((to - from) * side) / HASH_SIDE;
  return Array.from({ length: HASH_SIDE }, (_, at) => {
    const begin = from * side + at * step;
    const end = begin + step;
    const parts: { readonly pixel: number; readonly share: number }[] = [];
    for (let pixel = Math.floor(begin); pixel < end; pixel += 1)
      parts.push({ pixel, share: (Math.min(end, pixel + 1) - Math.max(begin, pixel)) / step });
    return parts;
  });
}

/** What is within the margins of a grey picture of `side` by `side` bytes, as a hash is made of it. */
export function greyWithin(
  grey: Uint8Array,
  side: number,
  { left, top, right, bottom }: Margins,
): Uint8Array {
  const columns = shares(side, left, 1 - right);
  const narrow = new Float64Array(HASH_SIDE * side);
  for (let y = 0; y < side; y += 1)
    columns.forEach((parts, x) => {
      let sum = 0;
      for (const { pixel, share } of parts)
        sum += share * (pixel < 0 || pixel >= side ? BAR_GREY : (grey[y * side + pixel] ?? BAR_GREY));
      narrow[y * HASH_SIDE + x] = sum;
    });
  const small = new Uint8Array(HASH_SIDE * HASH_SIDE);
  shares(side, top, 1 - bottom).forEach((parts, y) => {
    for (let x = 0; x < HASH_SIDE; x += 1) {
      let sum = 0;
      for (const { pixel, share } of parts)
        sum += share * (pixel < 0 || pixel >= side ? BAR_GREY : (narrow[pixel * HASH_SIDE + x] ?? BAR_GREY));
      small[y * HASH_SIDE + x] = Math.round(sum);
    }
  });
  return small;
}
