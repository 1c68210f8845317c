import sharp, { type Sharp } from 'sharp';

/** A picture as RGB pixels, three bytes each, row by row. */
export interface Canvas {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

export type Size = Pick<Canvas, 'width' | 'height'>;

/** Values that an operation gets besides the pixels. */
export interface RenderContext {
  /** Pixels per design unit. Filters are written for a picture whose shorter side is 1200 units. */
  unit: number;
  random: () => number;
  /** The name of the filter, for frames that print it. */
  title: string;
}

/** One operation of a filter. It may draw into the canvas that it gets, or return another one. */
export type Operation<P> = (
  canvas: Canvas,
  parameters: P,
  context: RenderContext,
) => Canvas | Promise<Canvas>;

export type Rgb = readonly [red: number, green: number, blue: number];

export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** Makes a canvas of one colour. */
export function createCanvas({ width, height }: Size, colour = '#000000'): Canvas {
  const { buffer } = Buffer.alloc(width * height * 3, Uint8Array.from(rgb(colour)));
  return { width, height, data: new Uint8ClampedArray(buffer) };
}

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

export const resized = (canvas: Canvas, { width, height }: Size, fit: 'cover' | 'fill'): Promise<Canvas> =>
  readCanvas(asSharp(canvas).resize(width, height, { fit }));

/** Copies a smaller canvas into a larger one. */
export function pasteCanvas(canvas: Canvas, layer: Canvas, left: number, top: number): Canvas {
  const columns = Math.min(layer.width, canvas.width - left);
  const rows = Math.min(layer.height, canvas.height - top);
  for (let y = 0; y < rows; y += 1) {
    const from = y * layer.width * 3;
    canvas.data.set(layer.data.subarray(from, from + columns * 3), ((top + y) * canvas.width + left) * 3);
  }
  return canvas;
}

/** The opacity of a layer at each pixel, 0 to 1. */
export type Mask = Float32Array;

export function createMask({ width, height }: Size, opacity: (x: number, y: number) => number): Mask {
  const mask = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) mask[y * width + x] = clamp01(opacity(x, y));
  }
  return mask;
}

export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

export const clamp01 = (value: number): number => clamp(value, 0, 1);

/** An ease-in-out curve from 0 to 1. */
export function smoothstep(value: number): number {
  const t = clamp01(value);
  return t * t * (3 - 2 * t);
}

/** Draws a layer of the same size over the canvas, with the opacity of the mask. */
export function drawLayer(canvas: Canvas, layer: Canvas, mask: Mask): Canvas {
  const { data } = canvas;
  for (let p = 0; p < mask.length; p += 1) {
    const opacity = mask[p] ?? 0;
    if (opacity === 0) continue;
    const i = p * 3;
    data[i] = (data[i] ?? 0) * (1 - opacity) + (layer.data[i] ?? 0) * opacity;
    data[i + 1] = (data[i + 1] ?? 0) * (1 - opacity) + (layer.data[i + 1] ?? 0) * opacity;
    data[i + 2] = (data[i + 2] ?? 0) * (1 - opacity) + (layer.data[i + 2] ?? 0) * opacity;
  }
  return canvas;
}

/** The brightness of the pixel that starts at `index`, 0 to 255. */
export const luma = (data: ArrayLike<number>, index: number): number =>
  0.299 * (data[index] ?? 0) + 0.587 * (data[index + 1] ?? 0) + 0.114 * (data[index + 2] ?? 0);

/** The brightness of every pixel. */
export function lumaPlane({ width, height, data }: Canvas): Float32Array {
  const plane = new Float32Array(width * height);
  for (let p = 0; p < plane.length; p += 1) plane[p] = luma(data, p * 3);
  return plane;
}

/** The random generator mulberry32: small, fast, and the same sequence for the same seed everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
