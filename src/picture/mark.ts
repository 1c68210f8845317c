/**
 * This file draws the visible mark, a small "AI" in the lower right corner of a picture that was made. It is drawn from
 * distances to lines, without fonts and without a format that would have to be decoded.
 */

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The mark for one picture, and where it stands. */
export interface Mark extends PictureSize {
  readonly left: number;
  readonly top: number;
  /** RGBA, row by row. */
  readonly pixels: Buffer;
}

/** The height in shares of the picture's shorter side: readable on a phone, and no larger than it must be. */
const SHARE = 0.05;
const LEAST_HEIGHT = 24;
/** In a tiny picture the mark takes this share at most. */
const MOST_SHARE = 0.25;

/** All further lengths are shares of the mark's height. */
const WIDTH = 1.4;
const MARGIN = 0.4;
const RADIUS = 0.3;
const BORDER = 0.07;
const STROKE = 0.13;
/** The letters A and I as lines, from the left upper corner of the mark. */
const LINES = [
  [0.3, 0.74, 0.475, 0.26],
  [0.475, 0.26, 0.65, 0.74],
  [0.365, 0.58, 0.585, 0.58],
  [1, 0.26, 1, 0.74],
] as const;

const DARK = [27, 25, 31] as const;
const LIGHT = [255, 255, 255] as const;
/** The dark ground lets a little of the picture through. */
const GROUND = 0.8;

/** How much of a pixel lies inside of a shape, from the distance of the pixel's middle to the shape's edge. */
const coverage = (distance: number): number => Math.min(1, Math.max(0, 0.5 - distance));

/** The distance to the edge of a rectangle with round corners; negative inside. */
function distanceToBox(x: number, y: number, { width, height }: PictureSize, radius: number): number {
  const dx = Math.abs(x - width / 2) - width / 2 + radius;
  const dy = Math.abs(y - height / 2) - height / 2 + radius;
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
}

function distanceToLine(x: number, y: number, [x1, y1, x2, y2]: (typeof LINES)[number]): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

/** Draws the mark for a picture of this size: light letters on a dark ground with a light border. */
export function markFor(picture: PictureSize): Mark {
  const shorter = Math.min(picture.width, picture.height);
  const wanted = Math.min(Math.max(LEAST_HEIGHT, shorter * SHARE), shorter * MOST_SHARE);
  const height = Math.max(1, Math.round(wanted));
  const width = Math.max(1, Math.min(picture.width, Math.round(height * WIDTH)));
  const margin = Math.round(height * MARGIN);
  const border = Math.max(1, height * BORDER);
  const pixels = Buffer.alloc(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const x = column + 0.5;
      const y = row + 0.5;
      const box = distanceToBox(x, y, { width, height }, height * RADIUS);
      const letters = LINES.map(
        (line) => height * (distanceToLine(x / height, y / height, line) - STROKE / 2),
      );
      const light = Math.max(
        coverage(Math.min(...letters)),
        coverage(Math.abs(box + border / 2) - border / 2),
      );
      const at = (row * width + column) * 4;
      for (let channel = 0; channel < 3; channel += 1)
        pixels[at + channel] = Math.round((LIGHT[channel] ?? 0) * light + (DARK[channel] ?? 0) * (1 - light));
      pixels[at + 3] = Math.round(255 * coverage(box) * (GROUND + (1 - GROUND) * light));
    }
  }
  const left = Math.max(0, picture.width - width - margin);
  const top = Math.max(0, picture.height - height - margin);
  return { left, top, width, height, pixels };
}

/** Draws the mark over pixels of 3 or 4 bytes each; `left` and `top` shift it to a picture within a larger one. */
export function blendMark(
  mark: Mark,
  target: Uint8Array,
  { width, channels, left = 0, top = 0 }: BlendTarget,
): void {
  for (let row = 0; row < mark.height; row += 1) {
    for (let column = 0; column < mark.width; column += 1) {
      const from = (row * mark.width + column) * 4;
      const to = ((top + mark.top + row) * width + left + mark.left + column) * channels;
      const alpha = mark.pixels[from + 3] ?? 0;
      for (let channel = 0; channel < 3; channel += 1) {
        const over = mark.pixels[from + channel] ?? 0;
        const under = target[to + channel] ?? 0;
        target[to + channel] = Math.round((over * alpha + under * (255 - alpha)) / 255);
      }
    }
  }
}

interface BlendTarget {
  readonly width: number;
  readonly channels: 3 | 4;
  readonly left?: number;
  readonly top?: number;
}
