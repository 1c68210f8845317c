import { blurred, type Canvas, lumaPlane } from '../canvas.ts';

/** Edge detection (Sobel): how strongly brightness changes at each pixel, 0 to about 255. */
export async function edgePlane(canvas: Canvas, sigma: number): Promise<Float32Array> {
  const { width, height } = canvas;
  const plane = lumaPlane(await blurred(canvas, sigma));
  const edges = new Float32Array(width * height);
  for (let y = 1; y < height - 1; y += 1) {
    for (let p = y * width + 1; p < (y + 1) * width - 1; p += 1) {
      const at = (offset: number) => plane[p + offset] ?? 0;
      const fall = at(1 + width) - at(-1 - width);
      const rise = at(1 - width) - at(width - 1);
      const gx = fall + rise + 2 * (at(1) - at(-1));
      const gy = fall - rise + 2 * (at(width) - at(-width));
      edges[p] = Math.hypot(gx, gy);
    }
  }
  return edges;
}
