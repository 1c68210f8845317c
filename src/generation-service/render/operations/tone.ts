import { type Canvas, luma, type Operation, rgb } from '../canvas.ts';

/** Brings brightness onto the full range, ignoring the outermost hundredth: recipes then start alike. */
export const stretch = (): Operation => (canvas) => {
  const { data } = canvas;
  const histogram = new Uint32Array(256);
  for (let i = 0; i < data.length; i += 3) {
    const level = Math.round(luma(data, i));
    histogram[level] = (histogram[level] ?? 0) + 1;
  }
  const share = data.length / 3 / 100;
  const low = levelAt(histogram, share);
  const high = Math.max(low + 40, levelAt(histogram, data.length / 3 - share));
  const scale = 255 / (high - low);
  for (let i = 0; i < data.length; i += 1) data[i] = ((data[i] ?? 0) - low) * scale;
  return canvas;
};

function levelAt(histogram: Uint32Array, wanted: number): number {
  let seen = 0;
  for (let level = 0; level < 256; level += 1) {
    seen += histogram[level] ?? 0;
    if (seen >= wanted) return level;
  }
  return 255;
}

interface Grade {
  brightness?: number;
  contrast?: number;
  saturation?: number;
  /** Above 0 towards orange, below towards blue; 30 is strong. */
  warmth?: number;
  /** Above 0 towards magenta, below towards green. */
  tint?: number;
}

export const grade =
  ({ brightness = 0, contrast = 1, saturation = 1, warmth = 0, tint = 0 }: Grade): Operation =>
  (canvas) => {
    const { data } = canvas;
    for (let i = 0; i < data.length; i += 3) {
      const grey = luma(data, i);
      const lift = brightness + 128 * (1 - contrast);
      data[i] = (grey + ((data[i] ?? 0) - grey) * saturation) * contrast + lift + warmth + tint / 2;
      data[i + 1] = (grey + ((data[i + 1] ?? 0) - grey) * saturation) * contrast + lift - tint;
      data[i + 2] = (grey + ((data[i + 2] ?? 0) - grey) * saturation) * contrast + lift - warmth + tint / 2;
    }
    return canvas;
  };

/** Maps brightness onto a run of colours: two make a duotone, more a thermal picture. */
export const gradientMap =
  (...colours: string[]): Operation =>
  (canvas) => {
    const table = gradient(colours);
    const { data } = canvas;
    for (let i = 0; i < data.length; i += 3) {
      const entry = Math.round(luma(data, i)) * 3;
      data[i] = table[entry] ?? 0;
      data[i + 1] = table[entry + 1] ?? 0;
      data[i + 2] = table[entry + 2] ?? 0;
    }
    return canvas;
  };

function gradient(colours: string[]): Uint8ClampedArray {
  const stops = colours.map(rgb);
  const table = new Uint8ClampedArray(256 * 3);
  for (let level = 0; level < 256; level += 1) {
    const at = (level / 255) * (stops.length - 1);
    const from = stops[Math.floor(at)] ?? [0, 0, 0];
    const to = stops[Math.ceil(at)] ?? from;
    const part = at - Math.floor(at);
    table.set(
      [0, 1, 2].map((k) => (from[k] ?? 0) + ((to[k] ?? 0) - (from[k] ?? 0)) * part),
      level * 3,
    );
  }
  return table;
}

/** Mixes the picture with what other operations make of it. */
export const mix =
  (share: number, ...operations: Operation[]): Operation =>
  async (canvas, scene) => {
    let other: Canvas = { ...canvas, data: new Uint8ClampedArray(canvas.data) };
    for (const operation of operations) other = await operation(other, scene);
    const { data } = canvas;
    for (let i = 0; i < data.length; i += 1) {
      data[i] = (data[i] ?? 0) * (1 - share) + (other.data[i] ?? 0) * share;
    }
    return canvas;
  };

export const posterize =
  (levels: number): Operation =>
  (canvas) => {
    const step = 255 / (levels - 1);
    const { data } = canvas;
    for (let i = 0; i < data.length; i += 1) data[i] = Math.round((data[i] ?? 0) / step) * step;
    return canvas;
  };

/** Turns the bright half over, as light on half-developed film does. */
export const solarize =
  (from = 128): Operation =>
  (canvas) => {
    const { data } = canvas;
    for (let i = 0; i < data.length; i += 1) {
      const value = data[i] ?? 0;
      data[i] = value < from ? value * (255 / from) : (255 - value) * (255 / (255 - from));
    }
    return canvas;
  };

export const vignette =
  (strength: number, colour = '#000000'): Operation =>
  (canvas) => {
    const { width, height, data } = canvas;
    const target = rgb(colour);
    for (let y = 0; y < height; y += 1) {
      const dy = (y / height - 0.5) * 2;
      for (let x = 0; x < width; x += 1) {
        const dx = (x / width - 0.5) * 2;
        const away = Math.max(0, (dx * dx + dy * dy) / 2 - 0.18);
        const cover = Math.min(1, away * away * 1.6 * strength + away * 0.35 * strength);
        const i = (y * width + x) * 3;
        for (let k = 0; k < 3; k += 1) {
          data[i + k] = (data[i + k] ?? 0) * (1 - cover) + (target[k] ?? 0) * cover;
        }
      }
    }
    return canvas;
  };

/** Film grain in clumps of a few pixels, stronger in the mid-tones. */
export const grain =
  (amount: number, size = 1.6): Operation =>
  (canvas, { unit, random }) => {
    const { width, height, data } = canvas;
    const clump = Math.max(1, Math.round(size * unit));
    const columns = Math.ceil(width / clump);
    let row = new Float32Array(columns);
    for (let y = 0; y < height; y += 1) {
      if (y % clump === 0) row = row.map(() => random() + random() - 1);
      for (let x = 0; x < width; x += 1) {
        const i = (y * width + x) * 3;
        const level = luma(data, i) / 255;
        const noise = (row[Math.floor(x / clump)] ?? 0) * amount * (0.4 + 2.4 * level * (1 - level));
        data[i] = (data[i] ?? 0) + noise;
        data[i + 1] = (data[i + 1] ?? 0) + noise;
        data[i + 2] = (data[i + 2] ?? 0) + noise;
      }
    }
    return canvas;
  };
