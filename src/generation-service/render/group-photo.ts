import sharp from 'sharp';
import { asSharp, type Canvas, createCanvas, place, readCanvas } from './canvas.ts';

const longSide = 1800;
const outpaintShare = 0.26;

/** One photo at a bounded size, or several side by side. */
export async function groupCanvas(inputs: Uint8Array[]): Promise<Canvas> {
  const [first] = inputs;
  if (first === undefined) throw new Error('there is no photo');
  if (inputs.length === 1) {
    return readCanvas(sharp(first).resize(longSide, longSide, { fit: 'inside' }));
  }
  return collage(inputs);
}

async function collage(inputs: Uint8Array[]): Promise<Canvas> {
  const columns = inputs.length <= 3 ? inputs.length : Math.ceil(inputs.length / 2);
  const rows = Math.ceil(inputs.length / columns);
  const gap = 12;
  const width = Math.floor((longSide - gap * (columns + 1)) / columns);
  const height = Math.round(columns === 2 && rows === 1 ? width * 1.2 : width * (rows === 1 ? 1.5 : 0.9));
  const sheet = createCanvas(longSide, rows * height + gap * (rows + 1));
  sheet.data.fill(244);
  for (const [index, input] of inputs.entries()) {
    const photo = await readCanvas(
      sharp(input).resize(width, height, { fit: 'cover', position: 'attention' }),
    );
    const left = gap + (index % columns) * (width + gap);
    place(sheet, photo, left, gap + Math.floor(index / columns) * (height + gap));
  }
  return sheet;
}

/**
 * Widens the view: the photo becomes the middle of a larger picture whose surroundings are the photo's own
 * edges, mirrored outwards and softened the further they are from it.
 */
export async function outpaint(canvas: Canvas): Promise<Canvas> {
  const side = Math.round(canvas.width * outpaintShare);
  const above = Math.round(canvas.height * outpaintShare);
  const edges = { left: side, right: side, top: above, bottom: above };
  const mirrored = await readCanvas(asSharp(canvas).extend({ ...edges, extendWith: 'mirror' }));
  const soft = await readCanvas(asSharp(mirrored).blur(9));
  const softer = await readCanvas(asSharp(mirrored).blur(28));
  const { width, height, data } = mirrored;
  for (let y = 0; y < height; y += 1) {
    const outY = Math.max(above - y, y - (height - above), 0) / above;
    for (let x = 0; x < width; x += 1) {
      const out = Math.min(1, Math.hypot(Math.max(side - x, x - (width - side), 0) / side, outY));
      if (out === 0) continue;
      for (let k = 0; k < 3; k += 1) {
        const i = (y * width + x) * 3 + k;
        const near = Math.min(1, out * 5);
        const far = Math.max(0, (out - 0.2) / 0.8);
        const mild = (data[i] ?? 0) * (1 - near) + (soft.data[i] ?? 0) * near;
        data[i] = mild * (1 - far) + (softer.data[i] ?? 0) * far;
      }
    }
  }
  return mirrored;
}
