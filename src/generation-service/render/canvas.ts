import sharp, { type Blend, type Sharp } from 'sharp';

/** Plain RGB pixels, three bytes each, row by row. */
export interface Canvas {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** What an operation knows besides the pixels. */
export interface Scene {
  /** Pixels per design unit: recipes are written for a picture whose shorter side is 1200. */
  unit: number;
  random: () => number;
  /** The name of the recipe, for those that print it. */
  title: string;
}

/** One step of a recipe. It may draw into the canvas that it is given, or return another. */
export type Operation = (canvas: Canvas, scene: Scene) => Canvas | Promise<Canvas>;

export const createCanvas = (width: number, height: number): Canvas => ({
  width,
  height,
  data: new Uint8ClampedArray(width * height * 3),
});

export async function readCanvas(image: Sharp): Promise<Canvas> {
  const { data, info } = await image
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) };
}

export const asSharp = ({ width, height, data }: Canvas): Sharp =>
  sharp(data, { raw: { width, height, channels: 3 } });

export const copyCanvas = (canvas: Canvas): Canvas => ({
  ...canvas,
  data: new Uint8ClampedArray(canvas.data),
});

export const blurred = (canvas: Canvas, sigma: number): Promise<Canvas> =>
  readCanvas(asSharp(canvas).blur(Math.max(0.3, sigma)));

export const resized = (canvas: Canvas, width: number, height: number): Promise<Canvas> =>
  readCanvas(
    asSharp(canvas).resize(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)), { fit: 'cover' }),
  );

/** Draws SVG over the whole canvas; `inner` is in pixels of the canvas. */
export function drawSvg(canvas: Canvas, inner: string, blend: Blend = 'over'): Promise<Canvas> {
  const { width, height } = canvas;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`;
  return readCanvas(asSharp(canvas).composite([{ input: Buffer.from(svg), blend }]));
}

/** Places one canvas on another. */
export function place(canvas: Canvas, layer: Canvas, left: number, top: number): Canvas {
  const columns = Math.min(layer.width, canvas.width - left);
  const rows = Math.min(layer.height, canvas.height - top);
  for (let y = 0; y < rows; y += 1) {
    const from = y * layer.width * 3;
    canvas.data.set(layer.data.subarray(from, from + columns * 3), ((top + y) * canvas.width + left) * 3);
  }
  return canvas;
}

/** The brightness of the pixel that starts at `index`, 0 to 255. */
export const luma = (data: Uint8ClampedArray, index: number): number =>
  0.299 * (data[index] ?? 0) + 0.587 * (data[index + 1] ?? 0) + 0.114 * (data[index + 2] ?? 0);

/** Brightness of every pixel. */
export function lumaPlane({ width, height, data }: Canvas): Float32Array {
  const plane = new Float32Array(width * height);
  for (let i = 0; i < plane.length; i += 1) plane[i] = luma(data, i * 3);
  return plane;
}

export type Rgb = readonly [red: number, green: number, blue: number];

export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** mulberry32: small, fast, and the same sequence for the same seed everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
