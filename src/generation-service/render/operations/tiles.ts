import { asSharp, type Canvas, createCanvas, type Operation, readCanvas, rgb } from '../canvas.ts';

/** The picture at one pixel per tile. */
function tiny(canvas: Canvas, cell: number): Promise<Canvas> {
  const width = Math.max(2, Math.round(canvas.width / cell));
  const height = Math.max(2, Math.round(canvas.height / cell));
  return readCanvas(asSharp(canvas).resize(width, height, { fit: 'fill', kernel: 'mitchell' }));
}

/** How a tile is shaded: `u`, `v` run from -1 to 1 inside it; the answer multiplies the colour. */
type Shade = (u: number, v: number, random: number) => number;

const tiles =
  (cell: number, shade: Shade, wobble = 0): Operation =>
  async (canvas, { unit, random }) => {
    const small = await tiny(canvas, Math.max(4, cell * unit));
    const { width, height, data } = canvas;
    const light = Float32Array.from({ length: small.width * small.height }, () => random());
    for (let y = 0; y < height; y += 1) {
      const gy = (y / height) * small.height;
      const row = Math.floor(gy);
      for (let x = 0; x < width; x += 1) {
        const gx = (x / width) * small.width;
        const tile = row * small.width + Math.floor(gx);
        const chance = light[tile] ?? 0;
        const factor = shade((gx % 1) * 2 - 1, (gy % 1) * 2 - 1, chance) + (chance - 0.5) * wobble;
        for (let k = 0; k < 3; k += 1)
          data[(y * width + x) * 3 + k] = (small.data[tile * 3 + k] ?? 0) * factor;
      }
    }
    return canvas;
  };

export const pixels = (cell: number): Operation => tiles(cell, () => 1);

/** Little square stones with grout between them, each a bit lighter or darker. */
export const mosaic = (cell: number): Operation =>
  tiles(cell, (u, v) => (Math.max(Math.abs(u), Math.abs(v)) > 0.84 ? 0.35 : 1.05 - (u + v) * 0.06), 0.22);

/** Toy bricks seen from above, a round stud on each. */
export const bricks = (cell: number): Operation =>
  tiles(cell, (u, v) => {
    if (Math.max(Math.abs(u), Math.abs(v)) > 0.94) return 0.62;
    const away = Math.hypot(u, v);
    if (away > 0.62) return away < 0.72 && u + v > 0 ? 0.74 : 0.95;
    return away > 0.52 ? 1 - (u + v) * 0.34 : 1.06;
  });

/** Knitted stitches: two slanting strands per tile. */
export const knit = (cell: number): Operation =>
  tiles(
    cell,
    (u, v) => {
      const strand = Math.abs(v * 0.9 + Math.abs(u) * 1.1 - 0.1);
      const gap = Math.abs(u) < 0.1 || Math.abs(u) > 0.95;
      return gap ? 0.45 : 1.18 - Math.min(1, strand) * 0.5;
    },
    0.08,
  );

/** Cross-stitch on linen. */
export const crossStitch = (cell: number): Operation =>
  tiles(
    cell,
    (u, v) => {
      const cross = Math.min(Math.abs(u - v), Math.abs(u + v));
      return cross < 0.42 ? 1.12 - cross * 0.5 : 0.72;
    },
    0.1,
  );

/** Irregular panes with leading between them (Voronoi cells on a jittered grid). */
export const stainedGlass =
  (cell: number, lead = '#14110f', border = 0.11): Operation =>
  async (canvas, { unit, random }) => {
    const small = await tiny(canvas, Math.max(6, cell * unit));
    const { width, height } = canvas;
    const centres = Float32Array.from(
      { length: small.width * small.height * 2 },
      () => 0.12 + random() * 0.76,
    );
    const light = Float32Array.from({ length: small.width * small.height }, () => 0.86 + random() * 0.34);
    const dark = rgb(lead);
    const result = createCanvas(width, height);
    for (let y = 0; y < height; y += 1) {
      const gy = (y / height) * small.height;
      for (let x = 0; x < width; x += 1) {
        const gx = (x / width) * small.width;
        let nearest = 9;
        let second = 9;
        let tile = 0;
        for (let row = Math.max(0, Math.floor(gy) - 1); row <= Math.min(small.height - 1, gy + 1); row += 1) {
          for (
            let col = Math.max(0, Math.floor(gx) - 1);
            col <= Math.min(small.width - 1, gx + 1);
            col += 1
          ) {
            const t = row * small.width + col;
            const away = Math.hypot(col + (centres[t * 2] ?? 0) - gx, row + (centres[t * 2 + 1] ?? 0) - gy);
            if (away < nearest) {
              second = nearest;
              nearest = away;
              tile = t;
            } else if (away < second) second = away;
          }
        }
        const isLead = second - nearest < border;
        const factor = (light[tile] ?? 1) * (1.08 - nearest * 0.22);
        for (let k = 0; k < 3; k += 1) {
          const i = (y * width + x) * 3 + k;
          result.data[i] = isLead ? (dark[k] ?? 0) : (small.data[tile * 3 + k] ?? 0) * factor;
        }
      }
    }
    return result;
  };

/** Flat triangles: two per square, turned at random. */
export const lowPoly =
  (cell: number): Operation =>
  async (canvas, { unit, random }) => {
    const small = await tiny(canvas, Math.max(6, (cell * unit) / 2));
    const { width, height, data } = canvas;
    const columns = Math.ceil(small.width / 2);
    const turned = Array.from({ length: columns * Math.ceil(small.height / 2) }, () => random() < 0.5);
    for (let y = 0; y < height; y += 1) {
      const gy = (y / height) * (small.height / 2);
      for (let x = 0; x < width; x += 1) {
        const gx = (x / width) * (small.width / 2);
        const u = gx % 1;
        const v = gy % 1;
        const flip = turned[Math.floor(gy) * columns + Math.floor(gx)] ?? false;
        const upper = flip ? u + v < 1 : u > v;
        const sx = Math.floor(gx) * 2 + (flip ? (upper ? 0 : 1) : upper ? 1 : 0);
        const sy = Math.floor(gy) * 2 + (upper ? 0 : 1);
        const from = (Math.min(small.height - 1, sy) * small.width + Math.min(small.width - 1, sx)) * 3;
        for (let k = 0; k < 3; k += 1) data[(y * width + x) * 3 + k] = small.data[from + k] ?? 0;
      }
    }
    return canvas;
  };
