import {
  asSharp,
  blurred,
  type Canvas,
  createCanvas,
  drawSvg,
  type Operation,
  readCanvas,
  rgb,
} from '../canvas.ts';

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

/** Flat triangles between points of a jittered grid, each in the colour at its middle. */
export const lowPoly =
  (cell: number): Operation =>
  async (canvas, { unit, random }) => {
    const { width, height } = canvas;
    const columns = Math.max(3, Math.round(width / (cell * unit)));
    const rows = Math.max(3, Math.round(height / (cell * unit)));
    const jitter = (inside: boolean) => (inside ? (random() - 0.5) * 0.72 : 0);
    const points = Array.from({ length: (columns + 1) * (rows + 1) }, (_, n) => {
      const column = n % (columns + 1);
      const row = Math.floor(n / (columns + 1));
      const inside = column > 0 && column < columns && row > 0 && row < rows;
      const x = ((column + jitter(inside)) / columns) * width;
      const y = ((row + jitter(inside)) / rows) * height;
      return { x, y };
    });
    const smooth = await blurred(canvas, cell * unit * 0.14);
    const triangle = (...corners: number[]) => {
      const at = corners.map((n) => points[n] ?? { x: 0, y: 0 });
      const x = Math.min(width - 1, Math.floor(at.reduce((sum, point) => sum + point.x, 0) / 3));
      const y = Math.min(height - 1, Math.floor(at.reduce((sum, point) => sum + point.y, 0) / 3));
      const colour = `rgb(${smooth.data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3).join()})`;
      const path = at.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join(' L');
      return `<path d="M${path} Z" fill="${colour}" stroke="${colour}"/>`;
    };
    const triangles: string[] = [];
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const a = row * (columns + 1) + column;
        const [b, c, d] = [a + 1, a + columns + 1, a + columns + 2];
        if (random() < 0.5) triangles.push(triangle(a, b, c), triangle(b, c, d));
        else triangles.push(triangle(a, b, d), triangle(a, c, d));
      }
    }
    return drawSvg(canvas, triangles.join(''));
  };
