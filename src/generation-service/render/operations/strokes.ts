import { type Canvas, createCanvas, type Operation } from '../canvas.ts';

/**
 * Brush strokes by a Kuwahara filter: every pixel takes the mean of the most uniform of the four squares around it. Running
 * sums make the cost independent of the radius.
 */
export const strokes: Operation<number> = (canvas, radius, { unit }) => {
  const { width, height } = canvas;
  const reach = Math.max(1, Math.round(radius * unit));
  const squares = squareMeans(canvas, reach);
  const stride = (width + reach) * 4;
  const result = createCanvas(canvas);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const first = y * stride + x * 4;
      let best = first;
      for (let corner = 1; corner < 4; corner += 1) {
        const square = first + (corner & 1 ? reach * 4 : 0) + (corner & 2 ? reach * stride : 0);
        if ((squares[square + 3] ?? 0) < (squares[best + 3] ?? 0)) best = square;
      }
      const i = (y * width + x) * 3;
      for (let k = 0; k < 3; k += 1) result.data[i + k] = squares[best + k] ?? 0;
    }
  }
  return result;
};

/** For every square that overlaps the picture: the mean of red, green and blue, and the variance of brightness. */
function squareMeans(canvas: Canvas, reach: number): Float32Array {
  const { width, height } = canvas;
  const sums = runningSums(canvas);
  const stride = (width + 1) * 4;
  const squares = new Float32Array((width + reach) * (height + reach) * 4);
  let at = 0;
  for (let y = -reach; y < height; y += 1) {
    const top = Math.max(0, y);
    const bottom = Math.min(height, y + reach + 1);
    for (let x = -reach; x < width; x += 1) {
      const left = Math.max(0, x);
      const right = Math.min(width, x + reach + 1);
      const pixels = (right - left) * (bottom - top);
      let brightness = 0;
      for (let k = 0; k < 4; k += 1) {
        const upper = (sums[top * stride + right * 4 + k] ?? 0) - (sums[top * stride + left * 4 + k] ?? 0);
        const lower =
          (sums[bottom * stride + right * 4 + k] ?? 0) - (sums[bottom * stride + left * 4 + k] ?? 0);
        const mean = (lower - upper) / pixels;
        squares[at] = k < 3 ? mean : mean - (brightness / 3) ** 2;
        brightness += mean;
        at += 1;
      }
    }
  }
  return squares;
}

/** For each pixel: the sums of red, green, blue and squared brightness of everything above and to the left. */
function runningSums({ width, height, data }: Canvas): Float64Array {
  const stride = (width + 1) * 4;
  const sums = new Float64Array(stride * (height + 1));
  for (let y = 0; y < height; y += 1) {
    const row = new Float64Array(4);
    for (let x = 0; x < width; x += 1) {
      const i = (y * width + x) * 3;
      const here = (y + 1) * stride + (x + 1) * 4;
      const brightness = ((data[i] ?? 0) + (data[i + 1] ?? 0) + (data[i + 2] ?? 0)) / 3;
      for (let k = 0; k < 4; k += 1) {
        row[k] = (row[k] ?? 0) + (k < 3 ? (data[i + k] ?? 0) : brightness * brightness);
        sums[here + k] = (sums[here + k - stride] ?? 0) + (row[k] ?? 0);
      }
    }
  }
  return sums;
}
