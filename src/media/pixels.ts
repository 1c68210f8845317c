import { createTurns } from './turns.ts';

/**
 * Every picture that is decoded or encoded takes a turn here: pixels are large. Each occupies one of the four threads
 * that Node has for such work; the fourth is for the disk, which acceptances wait for.
 */
export const pixels = createTurns(3);

/** Of these one at a time: decoded, the largest that we take is hundreds of megabytes. */
const largePixels = 16_000_000;
const large = createTurns(1);

/** A turn for a picture of so many pixels. One that is large waits for the other large ones first, in nobody's way. */
export const pixelsOf = (count: number): typeof pixels =>
  count > largePixels ? (task) => large(() => pixels(task)) : pixels;
