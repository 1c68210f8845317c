import type { Blend } from 'sharp';
import { asSharp, type Canvas, type RenderContext, readCanvas, type Size } from './canvas.ts';

/** The size of the canvas in design units, which is the coordinate system of `drawSvg`. */
export const designSize = ({ width, height }: Canvas, { unit }: RenderContext): Size => ({
  width: width / unit,
  height: height / unit,
});

/** Draws SVG, in design units, over the whole canvas. */
export function drawSvg(
  canvas: Canvas,
  context: RenderContext,
  inner: string,
  blend?: Blend,
): Promise<Canvas> {
  const { width, height } = designSize(canvas, context);
  const attributes = `width="${canvas.width}" height="${canvas.height}" viewBox="0 0 ${width} ${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`;
  return readCanvas(asSharp(canvas).composite([{ input: Buffer.from(svg), blend: blend ?? 'over' }]));
}

const GRADIENTS = {
  radial: ['radialGradient', ''],
  down: ['linearGradient', 'x2="0" y2="1"'],
  slanted: ['linearGradient', 'x2="0.25" y2="1"'],
} as const;

/** Defines a gradient that `url(#id)` refers to. */
export function gradient(
  kind: keyof typeof GRADIENTS,
  id: string,
  ...stops: [offset: number, colour: string, opacity: number][]
): string {
  const [name, attributes] = GRADIENTS[kind];
  const inner = stops.map(
    ([offset, colour, opacity]) =>
      `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
  );
  return `<${name} id="${id}" ${attributes}>${inner.join('')}</${name}>`;
}
