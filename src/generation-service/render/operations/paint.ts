import {
  asSharp,
  blurred,
  type Canvas,
  createCanvas,
  lumaPlane,
  type Operation,
  readCanvas,
  rgb,
} from '../canvas.ts';

/**
 * Kuwahara's filter: every pixel takes the average of the calmest of the four squares around it, which leaves
 * flat strokes with crisp borders. Running sums make its cost independent of the radius.
 */
export const strokes =
  (radius: number): Operation =>
  (canvas, { unit }) => {
    const { width, height } = canvas;
    const reach = Math.max(1, Math.round(radius * unit));
    const sums = runningSums(canvas);
    const stride = (width + 1) * 4;
    const result = createCanvas(width, height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        let calmest = Number.POSITIVE_INFINITY;
        const i = (y * width + x) * 3;
        for (let corner = 0; corner < 4; corner += 1) {
          const left = Math.max(0, corner & 1 ? x : x - reach);
          const right = Math.min(width, (corner & 1 ? x + reach : x) + 1);
          const top = Math.max(0, corner & 2 ? y : y - reach);
          const bottom = Math.min(height, (corner & 2 ? y + reach : y) + 1);
          const n = (right - left) * (bottom - top);
          const a = top * stride + left * 4;
          const b = top * stride + right * 4;
          const c = bottom * stride + left * 4;
          const d = bottom * stride + right * 4;
          const red = box(sums, a, b, c, d) / n;
          const green = box(sums, a + 1, b + 1, c + 1, d + 1) / n;
          const blue = box(sums, a + 2, b + 2, c + 2, d + 2) / n;
          const mean = (red + green + blue) / 3;
          const spread = box(sums, a + 3, b + 3, c + 3, d + 3) / n - mean * mean;
          if (spread >= calmest) continue;
          calmest = spread;
          result.data[i] = red;
          result.data[i + 1] = green;
          result.data[i + 2] = blue;
        }
      }
    }
    return result;
  };

/** The sum over a rectangle, from the running sums at its four corners. */
const box = (sums: Float64Array, a: number, b: number, c: number, d: number): number =>
  (sums[d] ?? 0) - (sums[b] ?? 0) - (sums[c] ?? 0) + (sums[a] ?? 0);

/** Per pixel: red, green, blue and squared brightness of everything above and to the left. */
function runningSums({ width, height, data }: Canvas): Float64Array {
  const stride = (width + 1) * 4;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let squares = 0;
    for (let x = 0; x < width; x += 1) {
      const i = (y * width + x) * 3;
      const r = data[i] ?? 0;
      const g = data[i + 1] ?? 0;
      const b = data[i + 2] ?? 0;
      red += r;
      green += g;
      blue += b;
      squares += ((r + g + b) / 3) ** 2;
      const above = y * stride + (x + 1) * 4;
      const here = above + stride;
      sums[here] = (sums[above] ?? 0) + red;
      sums[here + 1] = (sums[above + 1] ?? 0) + green;
      sums[here + 2] = (sums[above + 2] ?? 0) + blue;
      sums[here + 3] = (sums[above + 3] ?? 0) + squares;
    }
  }
  return sums;
}

/** How strongly brightness changes at each pixel, 0 to about 255. */
export async function edgePlane(canvas: Canvas, sigma: number): Promise<Float32Array> {
  const { width, height } = canvas;
  const plane = lumaPlane(await blurred(canvas, sigma));
  const edges = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const p = y * width + x;
      const at = (offset: number) => plane[p + offset] ?? 0;
      const gx = at(1 - width) + 2 * at(1) + at(1 + width) - at(-1 - width) - 2 * at(-1) - at(width - 1);
      const gy =
        at(width - 1) + 2 * at(width) + at(width + 1) - at(-1 - width) - 2 * at(-width) - at(1 - width);
      edges[p] = Math.hypot(gx, gy);
    }
  }
  return edges;
}

/** Dark contour lines over the picture. */
export const inkLines =
  (strength: number, colour = '#16131a', width = 1.6): Operation =>
  async (canvas, { unit }) => {
    const edges = await edgePlane(canvas, Math.max(0.6, width * unit));
    const ink = rgb(colour);
    for (let p = 0; p < edges.length; p += 1) {
      const cover = Math.min(1, Math.max(0, ((edges[p] ?? 0) * unit * strength - 26) / 50));
      for (let k = 0; k < 3; k += 1) {
        const i = p * 3 + k;
        canvas.data[i] = (canvas.data[i] ?? 0) * (1 - cover) + (ink[k] ?? 0) * cover;
      }
    }
    return canvas;
  };

/** Glowing contours on darkness, in the colours of the picture or in two of one's own. */
export const neon =
  (first: string, second: string, background = '#07060f'): Operation =>
  async (canvas, { unit }) => {
    const edges = await edgePlane(canvas, Math.max(0.7, 1.8 * unit));
    const { width, height } = canvas;
    const lines = createCanvas(width, height);
    const from = rgb(first);
    const to = rgb(second);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const p = y * width + x;
        const glow = Math.min(1, Math.max(0, ((edges[p] ?? 0) * unit - 12) / 70));
        const part = (x / width + y / height) / 2;
        for (let k = 0; k < 3; k += 1) {
          lines.data[p * 3 + k] = ((from[k] ?? 0) + ((to[k] ?? 0) - (from[k] ?? 0)) * part) * glow;
        }
      }
    }
    const halo = await blurred(lines, 9 * unit);
    const wide = await blurred(lines, 34 * unit);
    const base = rgb(background);
    const { data } = canvas;
    for (let i = 0; i < data.length; i += 1) {
      const photo = (data[i] ?? 0) * 0.12 + (base[i % 3] ?? 0);
      data[i] = photo + (lines.data[i] ?? 0) * 1.25 + (halo.data[i] ?? 0) * 1.5 + (wide.data[i] ?? 0) * 1.6;
    }
    return canvas;
  };

/** A pencil drawing: the picture divided by its own blurred negative leaves only the changes. */
export const pencil =
  (softness: number, lead = '#2b2b33', paper = '#fbf8f1'): Operation =>
  async (canvas, { unit }) => {
    const dark = rgb(lead);
    const light = rgb(paper);
    const plane = lumaPlane(canvas);
    const smooth = lumaPlane(await blurred(canvas, softness * unit));
    for (let p = 0; p < plane.length; p += 1) {
      const level = Math.min(1, (plane[p] ?? 0) / Math.max(1, smooth[p] ?? 0)) ** 3;
      const shade = Math.min(1, level * (0.72 + 0.28 * Math.min(1, (plane[p] ?? 0) / 150)));
      for (let k = 0; k < 3; k += 1) {
        const from = dark[k] ?? 0;
        canvas.data[p * 3 + k] = from + ((light[k] ?? 0) - from) * shade;
      }
    }
    return canvas;
  };

/** Multiplies the picture with paper that is lighter and darker in soft clouds. */
export const paper =
  (strength: number, scale = 26): Operation =>
  async (canvas, { unit, random }) => {
    const { width, height } = canvas;
    const coarse = createCanvas(
      Math.max(4, Math.round(width / (scale * unit))),
      Math.max(4, Math.round(height / (scale * unit))),
    );
    for (let p = 0; p < coarse.data.length; p += 3) coarse.data.fill(128 + (random() - 0.5) * 230, p, p + 3);
    const cloud = await readCanvas(asSharp(coarse).resize(width, height, { fit: 'fill', kernel: 'cubic' }));
    for (let i = 0; i < canvas.data.length; i += 1) {
      const fibre = (random() - 0.5) * 22;
      canvas.data[i] = (canvas.data[i] ?? 0) + ((cloud.data[i] ?? 0) - 128 + fibre) * strength;
    }
    return canvas;
  };
