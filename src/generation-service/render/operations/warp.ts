import {
  blurred,
  type Canvas,
  clamp01,
  createCanvas,
  createMask,
  drawLayer,
  type Operation,
} from '../canvas.ts';

/** The source position of each pixel; coordinates run from -1 to 1 over the picture. */
type Source = (u: number, v: number) => readonly [u: number, v: number];

function warp(canvas: Canvas, source: Source): Canvas {
  const { width, height, data } = canvas;
  const result = createCanvas(canvas);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [u, v] = source((x / width) * 2 - 1, (y / height) * 2 - 1);
      const fromX = Math.min(width - 1, Math.max(0, Math.round(((u + 1) / 2) * width)));
      const fromY = Math.min(height - 1, Math.max(0, Math.round(((v + 1) / 2) * height)));
      const from = (fromY * width + fromX) * 3;
      const to = (y * width + x) * 3;
      for (let k = 0; k < 3; k += 1) result.data[to + k] = data[from + k] ?? 0;
    }
  }
  return result;
}

/** The left half mirrored onto the right. */
export const mirror: Operation<object> = (canvas) => warp(canvas, (u, v) => [-Math.abs(u), v]);

/** Wedges mirrored around the middle. */
export const kaleidoscope: Operation<number> = (canvas, wedges) => {
  const aspect = canvas.height / canvas.width;
  const wedge = (2 * Math.PI) / wedges;
  return warp(canvas, (u, v) => {
    const radius = Math.hypot(u, v * aspect) * 0.8;
    const angle = Math.atan2(v * aspect, u) + Math.PI * 2.5;
    const folded = Math.abs((angle % wedge) - wedge / 2) - Math.PI / 2;
    return [Math.cos(folded) * radius, (Math.sin(folded) * radius) / aspect + 0.1];
  });
};

export const ripple: Operation<{ amount: number; waves: number }> = (canvas, { amount, waves }) =>
  warp(canvas, (u, v) => [u + Math.sin(v * waves) * amount, v + Math.cos(u * waves) * amount * 0.6]);

/** Moves red to the right and blue to the left. */
export const channelShift: Operation<number> = (canvas, distance, { unit }) => {
  const { width, height, data } = canvas;
  const by = Math.max(1, Math.round(distance * unit));
  const result = createCanvas(canvas);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = y * width;
      const to = (row + x) * 3;
      result.data[to] = data[(row + Math.max(0, x - by)) * 3] ?? 0;
      result.data[to + 1] = data[to + 1] ?? 0;
      result.data[to + 2] = data[(row + Math.min(width - 1, x + by)) * 3 + 2] ?? 0;
    }
  }
  return result;
};

/** Horizontal bands moved sideways, as from a damaged tape. */
export const shiftedBands: Operation<{ bands: number; reach: number }> = (
  canvas,
  { bands, reach },
  context,
) => {
  const { width, height, data } = canvas;
  const { unit, random } = context;
  for (let band = 0; band < bands; band += 1) {
    const top = Math.floor(random() * height);
    const bottom = Math.min(height, top + Math.ceil((10 + random() * 60) * unit));
    const by = Math.round((random() * 2 - 1) * reach * unit);
    const cut = ((by + width) % width) * 3;
    for (let y = top; y < bottom; y += 1) {
      const row = data.subarray(y * width * 3, (y + 1) * width * 3);
      const copy = row.slice();
      row.set(copy.subarray(cut));
      row.set(copy.subarray(0, cut), row.length - cut);
    }
  }
  return canvas;
};

/** Keeps a band across the middle sharp and blurs above and below, like a photo of a scale model. */
export const tiltShift: Operation<number> = async (canvas, sigma, { unit }) => {
  const soft = await blurred(canvas, sigma * unit);
  const mask = createMask(canvas, (_x, y) => clamp01((Math.abs(y / canvas.height - 0.45) * 2 - 0.35) / 0.4));
  return drawLayer(canvas, soft, mask);
};
