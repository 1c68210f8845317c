import sharp from 'sharp';
import type { Face } from '../../faces/face.ts';
import {
  asSharp,
  blurred,
  type Canvas,
  createCanvas,
  createMask,
  drawLayer,
  pasteCanvas,
  readCanvas,
} from './canvas.ts';
import { coverSize } from './crop.ts';

const LONG_SIDE = 1800;
const OUTPAINT_SHARE = 0.26;

/** Reads one photo at a bounded size, or several side by side, each cropped around its faces. */
export async function groupCanvas(inputs: Uint8Array[], faces: Face[][]): Promise<Canvas> {
  const [first] = inputs;
  if (first === undefined) throw new Error('there is no photo');
  if (inputs.length > 1) return collage(inputs, faces);
  return readCanvas(sharp(first).resize(LONG_SIDE, LONG_SIDE, { fit: 'inside' }));
}

async function collage(inputs: Uint8Array[], faces: Face[][]): Promise<Canvas> {
  const columns = inputs.length <= 3 ? inputs.length : Math.ceil(inputs.length / 2);
  const rows = Math.ceil(inputs.length / columns);
  const gap = 12;
  const width = Math.floor((LONG_SIDE - gap * (columns + 1)) / columns);
  const height = Math.round(columns === 2 && rows === 1 ? width * 1.2 : width * (rows === 1 ? 1.5 : 0.9));
  const sheet = createCanvas({ width: LONG_SIDE, height: rows * height + gap * (rows + 1) }, '#f4f4f4');
  for (const [index, input] of inputs.entries()) {
    const photo = await coverSize(input, { width, height }, faces[index] ?? []);
    const left = gap + (index % columns) * (width + gap);
    pasteCanvas(sheet, photo, left, gap + Math.floor(index / columns) * (height + gap));
  }
  return sheet;
}

/**
 * Widens the view: the photo becomes the middle of a larger picture, surrounded by its own edges, which are mirrored outwards
 * and blurred more with distance.
 */
export async function outpaint(canvas: Canvas): Promise<Canvas> {
  const side = Math.round(canvas.width * OUTPAINT_SHARE);
  const above = Math.round(canvas.height * OUTPAINT_SHARE);
  const edges = { left: side, right: side, top: above, bottom: above };
  const mirrored = await readCanvas(asSharp(canvas).extend({ ...edges, extendWith: 'mirror' }));
  const { width, height } = mirrored;
  const outside = createMask(mirrored, (x, y) =>
    Math.hypot(
      Math.max(side - x, x - (width - side), 0) / side,
      Math.max(above - y, y - (height - above), 0) / above,
    ),
  );
  const soft = await blurred(mirrored, 9);
  const softer = await blurred(mirrored, 28);
  const near = outside.map((distance) => Math.min(1, distance * 5));
  const far = outside.map((distance) => Math.max(0, (distance - 0.2) / 0.8));
  return drawLayer(drawLayer(mirrored, soft, near), softer, far);
}
