import { type Canvas, lumaPlane, type Operation, rgb } from '../canvas.ts';

interface Halftone {
  cell: number;
  angle?: number;
  ink?: string;
  paper?: string;
}

/** Round dots on a turned grid, larger where the picture is darker. */
export const halftone =
  ({ cell, angle = 30, ink = '#1a1a1a', paper = '#f6f1e7' }: Halftone): Operation =>
  (canvas, { unit }) => {
    const cover = screen(lumaPlane(canvas), canvas, Math.max(3, cell * unit), angle);
    const dark = rgb(ink);
    const light = rgb(paper);
    for (let p = 0; p < cover.length; p += 1) {
      for (let k = 0; k < 3; k += 1) {
        const from = light[k] ?? 0;
        canvas.data[p * 3 + k] = from + ((dark[k] ?? 0) - from) * (cover[p] ?? 0);
      }
    }
    return canvas;
  };

/** Four turned screens of cyan, magenta, yellow and black, as in printed comics. */
export const colourHalftone =
  (cell: number): Operation =>
  (canvas, { unit }) => {
    const { data } = canvas;
    const size = Math.max(3, cell * unit);
    const planes = [0, 1, 2].map((k) => {
      const plane = new Float32Array(data.length / 3);
      for (let p = 0; p < plane.length; p += 1) plane[p] = data[p * 3 + k] ?? 0;
      return screen(plane, canvas, size, [15, 75, 0][k] ?? 0);
    });
    for (let p = 0; p < data.length / 3; p += 1) {
      for (let k = 0; k < 3; k += 1) data[p * 3 + k] = 250 * (1 - 0.92 * (planes[k]?.[p] ?? 0));
    }
    return canvas;
  };

/** How much ink lies on each pixel, 0 to 1, with dot edges one pixel soft. */
function screen(plane: Float32Array, { width, height }: Canvas, cell: number, degrees: number): Float32Array {
  const cos = Math.cos((degrees * Math.PI) / 180);
  const sin = Math.sin((degrees * Math.PI) / 180);
  const cover = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const u = (x * cos + y * sin) / cell;
      const v = (y * cos - x * sin) / cell;
      const cu = Math.floor(u) + 0.5;
      const cv = Math.floor(v) + 0.5;
      // The dot takes its size from the picture at its middle, so that it stays round.
      const mx = Math.min(width - 1, Math.max(0, Math.round((cu * cos - cv * sin) * cell)));
      const my = Math.min(height - 1, Math.max(0, Math.round((cu * sin + cv * cos) * cell)));
      const darkness = 1 - (plane[my * width + mx] ?? 0) / 255;
      const radius = Math.sqrt(darkness) * 0.76;
      const away = Math.hypot(u - cu, v - cv);
      cover[y * width + x] = Math.min(1, Math.max(0, (radius - away) * cell + 0.5));
    }
  }
  return cover;
}

/** Lines that swell with darkness, like an engraved banknote. */
export const engrave =
  ({ cell, angle = 20, ink = '#1d2b2a', paper = '#f3efe2' }: Halftone): Operation =>
  (canvas, { unit }) => {
    const { width, height, data } = canvas;
    const plane = lumaPlane(canvas);
    const size = Math.max(3, cell * unit);
    const dark = rgb(ink);
    const light = rgb(paper);
    const cos = Math.cos((angle * Math.PI) / 180);
    const sin = Math.sin((angle * Math.PI) / 180);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const p = y * width + x;
        const darkness = 1 - (plane[p] ?? 0) / 255;
        const along = x * cos + y * sin;
        const across = (y * cos - x * sin + Math.sin(along / (size * 6)) * size * 0.8) / size;
        const away = Math.abs(across - Math.floor(across) - 0.5);
        const line = clamp((darkness * 0.52 - away) * size + 0.5);
        // A second set of lines comes in where it is darkest.
        const other = (x * sin + y * cos) / size;
        const cross = clamp(
          ((darkness - 0.55) * 0.8 - Math.abs(other - Math.floor(other) - 0.5)) * size + 0.5,
        );
        const ink01 = Math.max(line, cross);
        for (let k = 0; k < 3; k += 1) {
          const from = light[k] ?? 0;
          data[p * 3 + k] = from + ((dark[k] ?? 0) - from) * ink01;
        }
      }
    }
    return canvas;
  };

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** Thousands of small ink dots, denser where the picture is darker. */
export const stipple =
  (ink: string, paper: string): Operation =>
  (canvas, { unit, random }) => {
    const { width, height, data } = canvas;
    const plane = lumaPlane(canvas);
    const light = rgb(paper);
    const dark = rgb(ink);
    for (let i = 0; i < data.length; i += 1) data[i] = light[i % 3] ?? 0;
    const radius = Math.max(0.8, 1.9 * unit);
    const tries = Math.round((width * height) / (radius * radius * 1.7));
    for (let n = 0; n < tries; n += 1) {
      const cx = random() * width;
      const cy = random() * height;
      const darkness = 1 - (plane[Math.floor(cy) * width + Math.floor(cx)] ?? 0) / 255;
      if (random() > darkness ** 1.5 * 1.1) continue;
      for (let y = Math.floor(cy - radius); y <= cy + radius; y += 1) {
        for (let x = Math.floor(cx - radius); x <= cx + radius; x += 1) {
          if (x < 0 || y < 0 || x >= width || y >= height) continue;
          if (Math.hypot(x - cx, y - cy) <= radius) data.set(dark, (y * width + x) * 3);
        }
      }
    }
    return canvas;
  };
