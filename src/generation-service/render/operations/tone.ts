import { type Canvas, createCanvas, luma, lumaPlane, type Operation, resized, rgb } from '../canvas.ts';

/** Maps every byte through the same curve. */
function applyCurve(canvas: Canvas, curve: (value: number) => number): Canvas {
  const { data } = canvas;
  const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => curve(value));
  for (let i = 0; i < data.length; i += 1) data[i] = table[data[i] ?? 0] ?? 0;
  return canvas;
}

/** Stretches brightness to the full range, ignoring the outermost percent, so that all photos start alike. */
export const autoLevels: Operation<object> = (canvas) => {
  const histogram = new Uint32Array(256);
  const plane = lumaPlane(canvas);
  for (let p = 0; p < plane.length; p += 1) {
    const level = Math.round(plane[p] ?? 0);
    histogram[level] = (histogram[level] ?? 0) + 1;
  }
  const low = percentile(histogram, plane.length / 100);
  const high = Math.max(low + 40, percentile(histogram, plane.length * 0.99));
  return applyCurve(canvas, (value) => ((value - low) * 255) / (high - low));
};

function percentile(histogram: Uint32Array, pixels: number): number {
  let count = 0;
  const found = histogram.findIndex((here) => {
    count += here;
    return count >= pixels;
  });
  return found === -1 ? 255 : found;
}

interface Grade {
  brightness?: number;
  contrast?: number;
  saturation?: number;
  /** Positive values shift towards orange, negative ones towards blue; 30 is strong. */
  warmth?: number;
  /** Positive values shift towards magenta, negative ones towards green. */
  tint?: number;
}

export const grade: Operation<Grade> = (canvas, parameters) => {
  const { brightness = 0, contrast = 1, saturation = 1, warmth = 0, tint = 0 } = parameters;
  const { data } = canvas;
  const lift = brightness + 128 * (1 - contrast);
  const shift = [lift + warmth + tint / 2, lift - tint, lift - warmth + tint / 2];
  for (let i = 0; i < data.length; i += 3) {
    const grey = luma(data, i);
    for (let k = 0; k < 3; k += 1) {
      data[i + k] = (grey + ((data[i + k] ?? 0) - grey) * saturation) * contrast + (shift[k] ?? 0);
    }
  }
  return canvas;
};

/** Maps brightness to a gradient of colours: two make a duotone, more a thermal picture. */
export const gradientMap: Operation<string[]> = (canvas, colours) => {
  const { data } = canvas;
  const stops = colours.map(rgb);
  const table = new Uint8ClampedArray(256 * 3);
  for (let n = 0; n < table.length; n += 1) {
    const at = (Math.floor(n / 3) / 255) * (stops.length - 1);
    const from = stops[Math.floor(at)]?.[n % 3] ?? 0;
    const to = stops[Math.ceil(at)]?.[n % 3] ?? 0;
    table[n] = from + (to - from) * (at % 1);
  }
  for (let i = 0; i < data.length; i += 3) {
    const entry = Math.round(luma(data, i)) * 3;
    data[i] = table[entry] ?? 0;
    data[i + 1] = table[entry + 1] ?? 0;
    data[i + 2] = table[entry + 2] ?? 0;
  }
  return canvas;
};

export const posterize: Operation<number> = (canvas, levels) =>
  applyCurve(canvas, (value) => (Math.round((value / 255) * (levels - 1)) * 255) / (levels - 1));

/** Inverts pixels brighter than the threshold, like light on half-developed film. */
export const solarize: Operation<number> = (canvas, threshold) =>
  applyCurve(canvas, (value) =>
    value < threshold ? (value * 255) / threshold : ((255 - value) * 255) / (255 - threshold),
  );

/** Film grain in clumps of a few pixels, stronger in the mid-tones. */
export const grain: Operation<number> = (canvas, amount, { unit, random }) => {
  const { width, height, data } = canvas;
  const clump = Math.max(1, Math.round(1.8 * unit));
  let row = new Float32Array(Math.ceil(width / clump));
  for (let y = 0; y < height; y += 1) {
    if (y % clump === 0) row = row.map(() => random() + random() - 1);
    for (let x = 0; x < width; x += 1) {
      const start = (y * width + x) * 3;
      const level = luma(data, start) / 255;
      const noise = (row[Math.floor(x / clump)] ?? 0) * amount * (0.4 + 2.4 * level * (1 - level));
      for (let i = start; i < start + 3; i += 1) data[i] = (data[i] ?? 0) + noise;
    }
  }
  return canvas;
};

/** Paper texture: soft clouds of `scale`, lighter and darker, and fine noise. */
export const paper: Operation<{ strength: number; scale?: number }> = async (canvas, parameters, context) => {
  const { strength, scale = 26 } = parameters;
  const { data } = canvas;
  const { unit, random } = context;
  const size = (side: number) => Math.max(4, Math.round(side / (scale * unit)));
  const coarse = createCanvas({ width: size(canvas.width), height: size(canvas.height) });
  for (let i = 0; i < coarse.data.length; i += 3) coarse.data.fill(128 + (random() - 0.5) * 230, i, i + 3);
  const clouds = await resized(coarse, canvas, 'fill');
  for (let i = 0; i < data.length; i += 1) {
    data[i] = (data[i] ?? 0) + ((clouds.data[i] ?? 0) - 128 + (random() - 0.5) * 22) * strength;
  }
  return canvas;
};
