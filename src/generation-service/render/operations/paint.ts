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
    const { width, height, data } = canvas;
    const reach = Math.max(1, Math.round(radius * unit));
    const stride = width + 1;
    const sums = [0, 1, 2, 3].map(() => new Float64Array(stride * (height + 1)));
    for (let y = 0; y < height; y += 1) {
      const row = [0, 0, 0, 0];
      for (let x = 0; x < width; x += 1) {
        const i = (y * width + x) * 3;
        const level = ((data[i] ?? 0) + (data[i + 1] ?? 0) + (data[i + 2] ?? 0)) / 3;
        const values = [data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0, level * level];
        for (let k = 0; k < 4; k += 1) {
          row[k] = (row[k] ?? 0) + (values[k] ?? 0);
          const plane = sums[k];
          if (plane) plane[(y + 1) * stride + x + 1] = (plane[y * stride + x + 1] ?? 0) + (row[k] ?? 0);
        }
      }
    }
    const result = createCanvas(width, height);
    const [red, green, blue, squares] = sums;
    if (!red || !green || !blue || !squares) return canvas;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        let calmest = Number.POSITIVE_INFINITY;
        let r = 0;
        let g = 0;
        let b = 0;
        for (let corner = 0; corner < 4; corner += 1) {
          const left = Math.max(0, corner & 1 ? x : x - reach);
          const right = Math.min(width, (corner & 1 ? x + reach : x) + 1);
          const top = Math.max(0, corner & 2 ? y : y - reach) * stride;
          const bottom = Math.min(height, (corner & 2 ? y + reach : y) + 1) * stride;
          const n = ((right - left) * (bottom - top)) / stride;
          const a = top + left;
          const c = top + right;
          const d = bottom + left;
          const e = bottom + right;
          const mr = ((red[e] ?? 0) - (red[c] ?? 0) - (red[d] ?? 0) + (red[a] ?? 0)) / n;
          const mg = ((green[e] ?? 0) - (green[c] ?? 0) - (green[d] ?? 0) + (green[a] ?? 0)) / n;
          const mb = ((blue[e] ?? 0) - (blue[c] ?? 0) - (blue[d] ?? 0) + (blue[a] ?? 0)) / n;
          const mean = (mr + mg + mb) / 3;
          const spread =
            ((squares[e] ?? 0) - (squares[c] ?? 0) - (squares[d] ?? 0) + (squares[a] ?? 0)) / n - mean * mean;
          if (spread < calmest) {
            calmest = spread;
            r = mr;
            g = mg;
            b = mb;
          }
        }
        const i = (y * width + x) * 3;
        result.data[i] = r;
        result.data[i + 1] = g;
        result.data[i + 2] = b;
      }
    }
    return result;
  };

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
