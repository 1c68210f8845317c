import { blurred, type Canvas, createCanvas, type Operation } from '../canvas.ts';

/** Where each pixel of the result is taken from, in shares of the picture from -1 to 1. */
type Source = (u: number, v: number) => readonly [u: number, v: number];

const warp = (canvas: Canvas, source: Source): Canvas => {
  const { width, height, data } = canvas;
  const result = createCanvas(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = source((x / width) * 2 - 1, (y / height) * 2 - 1);
      const sx = Math.min(width - 1, Math.max(0, Math.round(((u + 1) / 2) * width)));
      const sy = Math.min(height - 1, Math.max(0, Math.round(((v + 1) / 2) * height)));
      const from = (sy * width + sx) * 3;
      const to = (y * width + x) * 3;
      result.data[to] = data[from] ?? 0;
      result.data[to + 1] = data[from + 1] ?? 0;
      result.data[to + 2] = data[from + 2] ?? 0;
    }
  }
  return result;
};

/** The left half mirrored onto the right. */
export const mirror = (): Operation => (canvas) => warp(canvas, (u, v) => [-Math.abs(u), v]);

/** Wedges mirrored around the middle. */
export const kaleidoscope =
  (wedges: number): Operation =>
  (canvas) => {
    const aspect = canvas.height / canvas.width;
    const wedge = (2 * Math.PI) / wedges;
    return warp(canvas, (u, v) => {
      const radius = Math.hypot(u, v * aspect);
      const turn = Math.atan2(v * aspect, u) + Math.PI * 2.5;
      const folded = Math.abs((turn % wedge) - wedge / 2) - Math.PI / 2;
      return [Math.cos(folded) * radius * 0.8, (Math.sin(folded) * radius * 0.8) / aspect + 0.1];
    });
  };

export const ripple =
  (amount: number, waves: number): Operation =>
  (canvas) =>
    warp(canvas, (u, v) => [u + Math.sin(v * waves) * amount, v + Math.cos(u * waves) * amount * 0.6]);

/** Colour channels pushed apart. */
export const channelShift =
  (distance: number): Operation =>
  (canvas, { unit }) => {
    const { width, height, data } = canvas;
    const by = Math.max(1, Math.round(distance * unit));
    const result = createCanvas(width, height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const to = (y * width + x) * 3;
        result.data[to] = data[(y * width + Math.max(0, x - by)) * 3] ?? 0;
        result.data[to + 1] = data[to + 1] ?? 0;
        result.data[to + 2] = data[(y * width + Math.min(width - 1, x + by)) * 3 + 2] ?? 0;
      }
    }
    return result;
  };

/** Torn horizontal bands, as from a bad tape. */
export const tear =
  (bands: number, reach: number): Operation =>
  (canvas, { unit, random }) => {
    const { width, height, data } = canvas;
    for (let band = 0; band < bands; band += 1) {
      const top = Math.floor(random() * height);
      const rows = Math.min(height - top, Math.ceil((10 + random() * 60) * unit));
      const by = Math.round((random() * 2 - 1) * reach * unit);
      for (let y = top; y < top + rows; y += 1) {
        const row = data.slice(y * width * 3, (y + 1) * width * 3);
        for (let x = 0; x < width; x += 1) {
          const from = ((x + by + width) % width) * 3;
          data.set(row.subarray(from, from + 3), (y * width + x) * 3);
        }
      }
    }
    return canvas;
  };

/** Dark lines across, as on a tube screen. */
export const scanlines =
  (pitch: number, depth: number): Operation =>
  (canvas, { unit }) => {
    const { width, data } = canvas;
    const period = Math.max(2, Math.round(pitch * unit));
    for (let i = 0; i < data.length; i += 1) {
      const y = Math.floor(i / 3 / width);
      if (y % period < period / 2) data[i] = (data[i] ?? 0) * (1 - depth);
    }
    return canvas;
  };

/** Sharp in a band across the middle, soft above and below: the picture looks like a model. */
export const tiltShift =
  (sigma: number): Operation =>
  async (canvas, { unit }) => {
    const soft = await blurred(canvas, sigma * unit);
    const { width, height, data } = canvas;
    for (let i = 0; i < data.length; i += 1) {
      const away = Math.abs(Math.floor(i / 3 / width) / height - 0.45) * 2;
      const share = Math.min(1, Math.max(0, (away - 0.35) / 0.4));
      data[i] = (data[i] ?? 0) * (1 - share) + (soft.data[i] ?? 0) * share;
    }
    return canvas;
  };
