import {
  blurred,
  type Canvas,
  copyCanvas,
  createCanvas,
  type Operation,
  pasteCanvas,
  resized,
  rgb,
} from '../canvas.ts';
import { drawSvg } from '../svg.ts';
import { gradientMap } from './tone.ts';

/** The picture reduced to one pixel per tile. */
function tileColours(canvas: Canvas, cell: number): Promise<Canvas> {
  const count = (side: number) => Math.max(2, Math.round(side / cell));
  return resized(canvas, { width: count(canvas.width), height: count(canvas.height) }, 'fill');
}

/** The brightness of a tile at a point; `u` and `v` run from -1 to 1 over it. */
type Shade = (u: number, v: number) => number;

const shades = {
  pixels: () => 1,
  /** Square stones with gaps. */
  mosaic: (u, v) => (Math.max(Math.abs(u), Math.abs(v)) > 0.84 ? 0.35 : 1.05 - (u + v) * 0.06),
  /** Toy bricks from above, with a round stud on each. */
  bricks: (u, v) => {
    if (Math.max(Math.abs(u), Math.abs(v)) > 0.94) return 0.62;
    const radius = Math.hypot(u, v);
    if (radius > 0.62) return radius < 0.72 && u + v > 0 ? 0.74 : 0.95;
    return radius > 0.52 ? 1 - (u + v) * 0.34 : 1.06;
  },
  /** Two slanting strands per stitch. */
  knit: (u, v) => {
    const strand = Math.abs(v * 0.9 + Math.abs(u) * 1.1 - 0.1);
    return Math.abs(u) < 0.1 || Math.abs(u) > 0.95 ? 0.45 : 1.18 - Math.min(1, strand) * 0.5;
  },
  crossStitch: (u, v) => {
    const cross = Math.min(Math.abs(u - v), Math.abs(u + v));
    return cross < 0.42 ? 1.12 - cross * 0.5 : 0.72;
  },
} satisfies Record<string, Shade>;

interface Tiles {
  shade: keyof typeof shades;
  cell: number;
  /** How much the brightness of the tiles differs. */
  variation?: number;
}

export const tiles: Operation<Tiles> = async (canvas, parameters, { unit, random }) => {
  const { cell, variation = 0 } = parameters;
  const shade: Shade = shades[parameters.shade];
  const { width, height, data } = canvas;
  const small = await tileColours(canvas, Math.max(4, cell * unit));
  const brightness = Float32Array.from({ length: small.data.length / 3 }, () => (random() - 0.5) * variation);
  for (let y = 0; y < height; y += 1) {
    const row = (y / height) * small.height;
    for (let x = 0; x < width; x += 1) {
      const column = (x / width) * small.width;
      const tile = Math.floor(row) * small.width + Math.floor(column);
      const factor = shade((column % 1) * 2 - 1, (row % 1) * 2 - 1) + (brightness[tile] ?? 0);
      const i = (y * width + x) * 3;
      for (let k = 0; k < 3; k += 1) data[i + k] = (small.data[tile * 3 + k] ?? 0) * factor;
    }
  }
  return canvas;
};

/** Irregular panes with lead between them: Voronoi cells around the points of a jittered grid. */
export const stainedGlass: Operation<number> = async (canvas, cell, { unit, random }) => {
  const { width, height } = canvas;
  const small = await tileColours(canvas, Math.max(6, cell * unit));
  const panes = small.data.length / 3;
  const points = Float32Array.from({ length: panes * 2 }, () => 0.12 + random() * 0.76);
  const brightness = Float32Array.from({ length: panes }, () => 0.86 + random() * 0.34);
  const lead = rgb('#14110f');
  const result = createCanvas(canvas);
  for (let y = 0; y < height; y += 1) {
    const atRow = (y / height) * small.height;
    const firstRow = Math.max(0, Math.floor(atRow) - 1);
    const lastRow = Math.min(small.height - 1, atRow + 1);
    for (let x = 0; x < width; x += 1) {
      const atColumn = (x / width) * small.width;
      const firstColumn = Math.max(0, Math.floor(atColumn) - 1);
      const lastColumn = Math.min(small.width - 1, atColumn + 1);
      let nearest = 9;
      let second = 9;
      let pane = 0;
      for (let row = firstRow; row <= lastRow; row += 1) {
        for (let column = firstColumn; column <= lastColumn; column += 1) {
          const n = row * small.width + column;
          const dx = column + (points[n * 2] ?? 0) - atColumn;
          const distance = Math.hypot(dx, row + (points[n * 2 + 1] ?? 0) - atRow);
          second = Math.min(second, Math.max(nearest, distance));
          if (distance >= nearest) continue;
          nearest = distance;
          pane = n;
        }
      }
      const factor = (brightness[pane] ?? 1) * (1.08 - nearest * 0.22);
      const i = (y * width + x) * 3;
      for (let k = 0; k < 3; k += 1) {
        const isLead = second - nearest < 0.11;
        result.data[i + k] = isLead ? (lead[k] ?? 0) : (small.data[pane * 3 + k] ?? 0) * factor;
      }
    }
  }
  return result;
};

/** Triangles between the points of a jittered grid, each in the colour at its middle. */
export const lowPoly: Operation<number> = async (canvas, cell, context) => {
  const { unit, random } = context;
  const { width, height } = canvas;
  const side = Math.max(4, cell * unit);
  const columns = Math.max(3, Math.round(width / side));
  const rows = Math.max(3, Math.round(height / side));
  const points = Array.from({ length: (columns + 1) * (rows + 1) }, (_, n) => {
    const column = n % (columns + 1);
    const row = Math.floor(n / (columns + 1));
    const isInside = column > 0 && column < columns && row > 0 && row < rows;
    const jitter = () => (isInside ? (random() - 0.5) * 0.72 : 0);
    return { x: ((column + jitter()) / columns) * width, y: ((row + jitter()) / rows) * height };
  });
  const smooth = await blurred(canvas, side * 0.14);
  const triangle = (...corners: number[]) => {
    const at = corners.map((n) => points[n] ?? { x: 0, y: 0 });
    const x = Math.min(width - 1, Math.floor(at.reduce((sum, point) => sum + point.x, 0) / 3));
    const y = Math.min(height - 1, Math.floor(at.reduce((sum, point) => sum + point.y, 0) / 3));
    const i = (y * width + x) * 3;
    const colour = `rgb(${smooth.data.subarray(i, i + 3).join()})`;
    const path = at.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(' ');
    return `<polygon points="${path}" fill="${colour}" stroke="${colour}"/>`;
  };
  const triangles: string[] = [];
  for (let n = 0; n < columns * rows; n += 1) {
    const a = Math.floor(n / columns) * (columns + 1) + (n % columns);
    const b = a + 1;
    const c = a + columns + 1;
    const d = a + columns + 2;
    if (random() < 0.5) triangles.push(triangle(a, b, c), triangle(b, c, d));
    else triangles.push(triangle(a, b, d), triangle(a, c, d));
  }
  return drawSvg(canvas, { ...context, unit: 1 }, triangles.join(''));
};

const POP_ART_COLOURS = [
  ['#2b0a5a', '#ff2f7e', '#ffd23f'],
  ['#06325e', '#00a6a6', '#f9f871'],
  ['#5a0a1f', '#ff6b1a', '#7ef9ff'],
  ['#123b0e', '#8bd450', '#ffb3f5'],
  ['#3a0f4f', '#9b5de5', '#fee440'],
  ['#0b2d2b', '#f15bb5', '#caffbf'],
];

/** The picture repeated in a grid, each time in other colours. */
export const popArt: Operation<{ columns: number; rows: number }> = async (canvas, parameters, context) => {
  const { columns, rows } = parameters;
  const width = Math.ceil(canvas.width / columns);
  const height = Math.ceil(canvas.height / rows);
  const small = await resized(canvas, { width, height }, 'cover');
  const result = createCanvas(canvas);
  for (const [n, colours] of POP_ART_COLOURS.slice(0, columns * rows).entries()) {
    const cell = await gradientMap(copyCanvas(small), colours, context);
    pasteCanvas(result, cell, (n % columns) * width, Math.floor(n / columns) * height);
  }
  return result;
};
