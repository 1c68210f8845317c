import type { Blend } from 'sharp';
import { blurred, clamp01, createCanvas, type Operation, rgb } from '../canvas.ts';
import { designSize, drawSvg, gradient } from '../svg.ts';
import { edgePlane } from './edges.ts';

/** Makes bright parts glow into their surroundings. */
export const bloom: Operation<{ strength: number; sigma?: number }> = async (canvas, parameters, context) => {
  const { strength, sigma = 26 } = parameters;
  const { data } = canvas;
  const glow = await blurred(canvas, sigma * context.unit);
  for (let i = 0; i < data.length; i += 1) {
    data[i] = 255 - (255 - (data[i] ?? 0)) * (1 - ((glow.data[i] ?? 0) * strength) / 255);
  }
  return canvas;
};

interface Wash {
  top: string;
  bottom: string;
  opacity: number;
  blend?: Blend;
}

/** A gradient of two colours over the whole picture. */
export const wash: Operation<Wash> = (canvas, { top, bottom, opacity, blend = 'soft-light' }, context) => {
  const both = gradient('slanted', 'wash', [0, top, opacity], [1, bottom, opacity]);
  return drawSvg(canvas, context, `${both}<rect width="100%" height="100%" fill="url(#wash)"/>`, blend);
};

/** Spots of light at the sides, as when light leaks into a camera. */
export const lightLeak: Operation<string[]> = (canvas, colours, context) => {
  const { width, height } = designSize(canvas, context);
  const spots = colours.map((colour, index) => {
    const x = width * (index % 2 === 0 ? 0.02 : 0.98);
    const y = height * (0.15 + context.random() * 0.7);
    const radius = Math.max(width, height) * (0.28 + context.random() * 0.25);
    const glow = gradient('radial', `leak${index}`, [0, colour, 0.95], [1, colour, 0]);
    return `${glow}<ellipse cx="${x}" cy="${y}" rx="${radius * 0.62}" ry="${radius}" fill="url(#leak${index})"/>`;
  });
  return drawSvg(canvas, context, spots.join(''), 'screen');
};

/** The points of a thin triangle that widens away from a centre; angles are in turns. */
function wedge(x: number, y: number, angle: number, spread: number, start: number, end: number): string {
  const point = (turn: number, distance: number) =>
    `${x + Math.cos(turn * 2 * Math.PI) * distance},${y + Math.sin(turn * 2 * Math.PI) * distance}`;
  return `${point(angle, start)} ${point(angle - spread, end)} ${point(angle + spread, end)}`;
}

interface SunRays {
  colour: string;
  /** The position of the sun, in shares of the picture. */
  x?: number;
  y?: number;
}

export const sunRays: Operation<SunRays> = (canvas, { colour, x = 0.82, y = -0.05 }, context) => {
  const { random } = context;
  const { width, height } = designSize(canvas, context);
  const sunX = width * x;
  const sunY = height * y;
  const reach = Math.hypot(width, height) * 1.1;
  const rays = Array.from({ length: 13 }, () => {
    const points = wedge(sunX, sunY, random(), 0.003 + random() * 0.008, 0, reach);
    return `<polygon points="${points}" fill="${colour}" opacity="${0.1 + random() * 0.16}"/>`;
  });
  const glow = gradient('radial', 'sun', [0, '#ffffff', 0.95], [0.25, colour, 0.75], [1, colour, 0]);
  const sun = `<circle cx="${sunX}" cy="${sunY}" r="${reach * 0.5}" fill="url(#sun)"/>`;
  return drawSvg(canvas, context, rays.join('') + glow + sun, 'screen');
};

/** Straight lines from near the middle to the edges, as in comics. */
export const speedLines: Operation<{ colour: string; count: number }> = (canvas, parameters, context) => {
  const { colour, count } = parameters;
  const { random } = context;
  const { width, height } = designSize(canvas, context);
  const reach = Math.hypot(width, height);
  const lines = Array.from({ length: count }, () => {
    const angle = random();
    const spread = 0.0006 + random() * 0.0022;
    const start = 0.34 + random() * 0.12;
    return `<polygon points="${wedge(width / 2, height / 2, angle, spread, start * reach, reach)}"/>`;
  });
  return drawSvg(canvas, context, `<g fill="${colour}">${lines.join('')}</g>`);
};

/** Wavy bands of light across the upper part. */
export const aurora: Operation<string[]> = (canvas, colours, context) => {
  const { random } = context;
  const { width, height } = designSize(canvas, context);
  const bands = colours.map((colour, index) => {
    const upper = Array.from({ length: 9 }, (_, n) => {
      const wave = Math.sin(n * 1.1 + index * 2 + random()) * 0.07;
      return { x: (width * n) / 8, y: height * (0.1 + index * 0.11 + wave) };
    });
    const lower = upper.map(({ x, y }) => ({ x, y: y + height * (0.2 + random() * 0.1) }));
    const points = [...upper, ...lower.reverse()].map(({ x, y }) => `${x.toFixed(0)},${y.toFixed(0)}`);
    const band = gradient('down', `aurora${index}`, [0, colour, 0.05], [0.55, colour, 0.85], [1, colour, 0]);
    return `${band}<polygon points="${points.join(' ')}" fill="url(#aurora${index})" filter="url(#blur)"/>`;
  });
  const area = 'x="-20%" y="-20%" width="140%" height="140%"';
  const blur = `<filter id="blur" ${area}><feGaussianBlur stdDeviation="22"/></filter>`;
  return drawSvg(canvas, context, blur + bands.join(''), 'screen');
};

/** A floor of glowing lines that run to a horizon. */
export const neonFloor: Operation<object> = (canvas, _parameters, context) => {
  const [lines, floor] = ['#22e4ff', '#2a0845'] as const;
  const { width, height } = designSize(canvas, context);
  const horizon = height * 0.8;
  const columns = Array.from({ length: 21 }, (_, n) => {
    const [far, near] = [0.055, 0.28].map((spread) => width * (0.5 + (n - 10) * spread));
    return `<path d="M${far} ${horizon} L${near} ${height}"/>`;
  });
  const rows = Array.from({ length: 8 }, (_, n) => {
    const y = horizon + (height - horizon) * (n / 8) ** 1.7;
    return `<path d="M0 ${y} H${width}"/>`;
  });
  const fade = gradient('down', 'floor', [0, floor, 0], [0.2, floor, 0.9], [1, floor, 1]);
  const area = `<rect y="${height * 0.74}" width="${width}" height="${height}" fill="url(#floor)"/>`;
  const stroke = `stroke="${lines}" stroke-width="${width * 0.003}" opacity=".85"`;
  return drawSvg(canvas, context, `${fade}${area}<g ${stroke}>${columns.join('')}${rows.join('')}</g>`);
};

interface Neon {
  from: string;
  to: string;
  background?: string;
}

/** Glowing contours in a gradient of two colours, on a dark picture. */
export const neon: Operation<Neon> = async (canvas, { from, to, background = '#07060f' }, { unit }) => {
  const edges = await edgePlane(canvas, Math.max(0.7, 1.8 * unit));
  const { width, data } = canvas;
  const start = rgb(from);
  const end = rgb(to);
  const lines = createCanvas(canvas);
  for (let p = 0; p < edges.length; p += 1) {
    const glow = clamp01(((edges[p] ?? 0) * unit - 12) / 70);
    if (glow === 0) continue;
    const part = ((p % width) / width + p / edges.length) / 2;
    for (let k = 0; k < 3; k += 1) {
      lines.data[p * 3 + k] = ((start[k] ?? 0) * (1 - part) + (end[k] ?? 0) * part) * glow;
    }
  }
  const narrow = await blurred(lines, 9 * unit);
  const wide = await blurred(lines, 34 * unit);
  const base = rgb(background);
  for (let i = 0; i < data.length; i += 1) {
    const glow = (lines.data[i] ?? 0) * 1.25 + (narrow.data[i] ?? 0) * 1.5 + (wide.data[i] ?? 0) * 1.6;
    data[i] = (data[i] ?? 0) * 0.12 + (base[i % 3] ?? 0) + glow;
  }
  return canvas;
};
