import { type Canvas, clamp01, createCanvas, luma, smoothstep } from '../canvas.ts';
import { type EYES, LIPS, type Points } from './mesh.ts';
import { sample, warpMesh } from './warp.ts';

type Spot = readonly [x: number, y: number];

/** Pixels of a texture between two columns of points. */
const STEP = 4;

/** Something that the photo does not show: skin that closes over an eye, or the inside of an opening mouth. */
export interface Patch {
  /**
   * Draws the patch over the face. The face's points were `still` in the source and are `moved` in the target; `strength` is 0
   * to 1.
   */
  draw(target: Canvas, source: Canvas, still: Points, moved: Points, strength: number): void;
}

const spot = (points: Points, point: number | undefined): Spot => [
  points[(point ?? 0) * 3] ?? 0,
  points[(point ?? 0) * 3 + 1] ?? 0,
];

const between = (a: Spot, b: Spot, share: number): Spot => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

const distance = (a: Spot, b: Spot) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** One row of a strip: the position of its points, their depth in the texture, and its opacity. */
interface Row {
  at: (points: Points, column: number) => Spot;
  depth: (column: number) => number;
  opacity: number;
}

/** Draws a texture along rows of points; where it is not opaque the source shows. */
function drawStrip(
  target: Canvas,
  source: Canvas,
  texture: Canvas,
  [still, moved]: readonly [Points, Points],
  columns: number,
  rows: Row[],
): void {
  const count = columns * rows.length;
  const from = new Float32Array(count * 3);
  const to = new Float32Array(count * 3);
  const fill = { source: texture, from: new Float32Array(count * 3), share: new Float32Array(count) };
  const triangles: number[] = [];
  for (const [r, row] of rows.entries())
    for (let c = 0; c < columns; c += 1) {
      const point = r * columns + c;
      from.set(row.at(still, c), point * 3);
      to.set(row.at(moved, c), point * 3);
      fill.from.set([c * STEP, row.depth(c)], point * 3);
      fill.share[point] = row.opacity;
      if (r === 0 || c === 0) continue;
      const above = point - columns;
      const left = point - 1;
      triangles.push(above - 1, above, left, above, point, left);
    }
  warpMesh(target, { source, from, to, triangles: Uint16Array.from(triangles), fill });
}

const WIDER = 1.1;

/** Makes the lid of an eye, painted with the colour of the skin above it. */
export function createLid(photo: Canvas, points: Points, { upper, lower }: (typeof EYES)[number]): Patch {
  const columns = upper.length;
  const middle = columns >> 1;
  const top = spot(points, upper[middle]);
  const bottom = spot(points, lower[middle]);
  const height = Math.max(2, distance(top, bottom));
  const up: Spot = [(top[0] - bottom[0]) / height, (top[1] - bottom[1]) / height];
  const texture = createCanvas({ width: (columns - 1) * STEP + 2, height: Math.ceil(height * 1.6) + 4 });
  const pixel = ([x, y]: Spot, along: number) =>
    [0, 1, 2].map((k) => sample(photo, x + up[0] * along * height, y + up[1] * along * height, k));
  const brightness = (colour: readonly number[]) => luma(Uint8ClampedArray.from(colour), 0);
  const edge = (column: number) => {
    const left = Math.min(columns - 2, Math.floor(column));
    return between(spot(points, upper[left]), spot(points, upper[left + 1]), column - left);
  };
  // Brow, lashes and glasses are darker than skin, and reflections are brighter, so a middle sample is skin.
  const skins = Array.from({ length: texture.width }, (_, x) => {
    const found = [0.3, 0.42, 0.54, 0.66, 0.78].map((along) => pixel(edge(x / STEP), along));
    return found.sort((a, b) => brightness(a) - brightness(b))[3] ?? [0, 0, 0];
  });
  const lashes = [0, 0.1, 0.2, 0.3].flatMap((along) => [2, 4, 6].map((column) => pixel(edge(column), along)));
  const [lash = [0, 0, 0]] = lashes.sort((a, b) => brightness(a) - brightness(b));
  for (let x = 0; x < texture.width; x += 1) {
    const near = skins.slice(Math.max(0, x - 5), x + 6);
    for (let y = 0; y < texture.height; y += 1) {
      const dark = 0.8 * (1 - smoothstep(y / (height * 0.2) - 0.25));
      const shade = 0.9 + 0.12 * smoothstep(y / (height * 0.8));
      for (let k = 0; k < 3; k += 1) {
        const skin = near.reduce((sum, colour) => sum + (colour[k] ?? 0), 0) / near.length;
        texture.data[(y * texture.width + x) * 3 + k] = skin * shade * (1 - dark) + (lash[k] ?? 0) * dark;
      }
    }
  }

  // How far the eye extends below the detected edge: up to where the picture looks like the skin below it.
  const skinBelow = brightness(pixel(bottom, -0.7));
  const below = [0.4, 0.32, 0.24, 0.16, 0.08].find(
    (share) => Math.abs(brightness(pixel(bottom, -share)) - skinBelow) > 25,
  );
  const closed = 1.06 + (below ?? 0);
  // How far lashes extend above the detected edge; they would show in the middle of a closed lid.
  const skinAbove = brightness(skins[texture.width >> 1] ?? []);
  const above = [0.5, 0.4, 0.3, 0.2].find((share) => brightness(pixel(top, share)) < skinAbove - 30) ?? 0.15;

  return {
    draw(target, source, still, moved, strength) {
      if (strength < 0.02) return;
      // Drawn a little wider than the eye, whose corners are rarely detected exactly.
      const along = (share: number) => (on: Points, column: number) => {
        const middle = between(spot(on, upper[0]), spot(on, upper[columns - 1]), 0.5);
        return between(middle, between(spot(on, upper[column]), spot(on, lower[column]), share), WIDER);
      };
      const gap = (column: number) => distance(spot(still, upper[column]), spot(still, lower[column]));
      const start = -(above + 0.25) * smoothstep(strength * 3);
      const end = strength * closed;
      const row = (share: number, opacity: number): Row => ({
        at: along(share),
        depth: (column) => Math.max(0, end - share) * gap(column),
        opacity,
      });
      const blend = smoothstep(strength * 5);
      const rows = [
        row(start, 0),
        row(Math.min(end, start + 0.2), blend),
        row(end, blend),
        row(end + 1.2 / height, 0),
      ];
      drawStrip(target, source, texture, [still, moved], columns, rows);
    },
  };
}

/** Makes the inside of the mouth: the part that the photo shows, and below that teeth or darkness. */
export function createMouth(photo: Canvas, points: Points): Patch {
  const { upperInner, lowerInner } = LIPS;
  const columns = upperInner.length;
  const middle = columns >> 1;
  const width = distance(spot(points, upperInner[0]), spot(points, upperInner[columns - 1]));
  const opening = (column: number) =>
    distance(spot(points, upperInner[column]), spot(points, lowerInner[column]));
  const texture = createCanvas({ width: (columns - 1) * STEP + 2, height: Math.ceil(width * 0.8) + 2 });
  const brightness = (at: Spot) => [0, 1, 2].reduce((sum, k) => sum + sample(photo, ...at, k), 0) / 3;
  const lip = brightness(spot(points, LIPS.lowerOuter[middle]));
  const bright = clamp01((lip + 100) / 210);
  // Teeth are kept only if the photo shows them: the points of closed lips can be apart as well.
  const isShown =
    opening(middle) > width * 0.1 &&
    [0.2, 0.35, 0.5].some(
      (share) =>
        brightness(between(spot(points, upperInner[middle]), spot(points, lowerInner[middle]), share)) >
        lip + 40,
    );
  for (let x = 0; x < texture.width; x += 1) {
    const column = Math.min(columns - 2, Math.floor(x / STEP));
    const share = x / STEP - column;
    const top = between(spot(points, upperInner[column]), spot(points, upperInner[column + 1]), share);
    const bottom = between(spot(points, lowerInner[column]), spot(points, lowerInner[column + 1]), share);
    const shown = distance(top, bottom);
    const side = Math.abs((2 * x) / texture.width - 1);
    const teeth = width * 0.17 * (1 - 0.5 * side ** 3);
    for (let y = 0; y < texture.height; y += 1) {
      const own = isShown ? 1 - smoothstep((y - shown + width * 0.06) / (width * 0.05)) : 0;
      const at = between(top, bottom, Math.min(1, y / Math.max(1, shown)));
      const tooth = isShown ? 0 : smoothstep((teeth - y) / (width * 0.03) + 0.5) * (1 - 0.75 * side ** 2);
      const tongue = smoothstep((y / width - 0.22) / 0.3) * (1 - side);
      const inside: [number, number, number] = [48 + 90 * tongue, 16 + 36 * tongue, 20 + 40 * tongue];
      for (const [k, white] of [236, 230, 218].entries()) {
        const painted = ((inside[k] ?? 0) * (1 - tooth) + white * tooth) * bright;
        texture.data[(y * texture.width + x) * 3 + k] = painted * (1 - own) + sample(photo, ...at, k) * own;
      }
    }
  }

  return {
    draw(target, source, still, moved, strength) {
      const after = distance(spot(moved, upperInner[middle]), spot(moved, lowerInner[middle]));
      const opened = smoothstep((after - opening(middle)) / (width * 0.08));
      if (opened === 0) return;
      const row = (share: number, opacity: number): Row => ({
        at: (on, column) => between(spot(on, upperInner[column]), spot(on, lowerInner[column]), share),
        depth: (column) =>
          // A rounder mouth (a higher strength) hides the teeth.
          share * distance(spot(moved, upperInner[column]), spot(moved, lowerInner[column])) +
          (isShown ? 0 : width * 0.14 * strength),
        opacity: opacity * opened,
      });
      const rows = [row(0, isShown ? 1 : 0), row(0.1, 1), row(1.02, 1), row(1.1, 0)];
      drawStrip(target, source, texture, [still, moved], columns, rows);
    },
  };
}
